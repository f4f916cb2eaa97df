import { useEffect, useRef, useState } from 'preact/hooks';
import type { z } from 'zod';
import type { connectionSchema, jobSchema, templateSchema } from '../../../routes/schemas.js';
import { sendJson } from '../../api/client.js';
import { type ProblemDocument, problemFrom } from '../../api/problem.js';
import type { ListAnswer } from '../../api/replies.js';
import { useAction } from '../../api/use-action.js';
import { useQuery, useResource } from '../../api/use-query.js';
import { Choice } from '../../parts/field.js';
import { FileDrop } from '../../parts/file-drop.js';
import { Heading } from '../../parts/heading.js';
import { announce, Busy, Notice, ProblemNotice } from '../../parts/notices.js';
import { Sign } from '../../parts/status.js';
import { go } from '../../router.js';
import { hasRole } from '../../session.js';
import { listText, number, operationText, t } from '../../words/language.js';
import { type GuessAnswer, GuessedJob } from './guessed-job.js';
import { sendFile, type UploadAnswer } from './upload.js';

type JobEntry = z.infer<typeof jobSchema>;

type ConnectionEntry = z.infer<typeof connectionSchema>;

/** An operation in the list of templates. */
type OperationEntry = z.infer<typeof templateSchema>;

const GUESS = 'guess';

/** Multi-step jobs that can be guessed. */
const STEPS = [
  'enterprise.bind,order.new_buy',
  'asset.numbers,order.new_buy',
  'enterprise.bind,asset.numbers,order.new_buy',
];

const ACCEPTED_FILES = '.xlsx,.xlsm,.xlsb,.xls,.ods,.csv,.tsv,.txt';

/** Chooses a job and a spreadsheet, and starts the check. */
export function Page() {
  const jobs = useResource<ListAnswer<JobEntry>>('/jobs');
  const connections = useResource<ListAnswer<ConnectionEntry>>('/connections');
  const [chosen, setJob] = useState<string>();
  const [sheet, setSheet] = useState('');
  const [operation, setOperation] = useState('');
  const upload = useUpload();
  const entries = jobs.value?.items.filter((it) => it.kind !== 'reconcile') ?? [];
  // Without job files, guessing is the only choice.
  const job = chosen ?? (jobs.value && entries.length === 0 ? GUESS : '');
  const operations = useResource<ListAnswer<OperationEntry>>(job === GUESS ? '/templates' : undefined);
  const operationChoice = operation === '' ? {} : { operation };
  const uploadId = upload.answer?.upload;
  const guess = useQuery(
    job === GUESS && uploadId !== undefined ? `${uploadId} ${operation}` : undefined,
    (signal) =>
      sendJson<GuessAnswer>(
        'POST',
        '/guess',
        { upload: uploadId, name: upload.answer?.name, ...operationChoice },
        { signal },
      ),
  );
  const check = useAction(async () => {
    if (!upload.answer) return;
    const { upload: id, name } = upload.answer;
    const jobChoice = job === GUESS ? { guess: true, ...operationChoice } : { job };
    const created = await sendJson<{ import: string }>('POST', '/imports', {
      upload: id,
      name,
      ...jobChoice,
      ...(sheet === '' ? {} : { sheet }),
    });
    go(`/imports/${encodeURIComponent(created.import)}`);
  });
  const entry = entries.find((it) => it.file === job);
  const connection = connections.value?.items.find((it) => it.name === entry?.connection);
  const ready =
    job !== '' &&
    entry?.problem === undefined &&
    upload.answer !== undefined &&
    (job !== GUESS || guess.value !== undefined);
  if (!hasRole('maker')) return <OnlyMakers />;
  return (
    <>
      <Heading name={t('common.new_import')} />
      {jobs.problem && <ProblemNotice problem={jobs.problem} again={jobs.again} />}
      <form
        class="card new-import"
        onSubmit={(event) => {
          event.preventDefault();
          if (ready) void check.run();
        }}
      >
        <Choice
          label={t('common.job')}
          value={job}
          change={setJob}
          options={[
            ...(job === '' ? [{ value: '', name: t('import.choose_job') }] : []),
            ...entries.map((it) => ({ value: it.file, name: jobName(it) })),
            { value: GUESS, name: t('import.guess_job') },
          ]}
        >
          {entry?.problem && <p class="fault">{entry.problem}</p>}
          {entry?.description && <p class="hint">{entry.description}</p>}
          {job === GUESS && (
            <p class="hint">
              {t(entries.length === 0 && jobs.value ? 'import.no_jobs' : 'import.guess_hint')}
            </p>
          )}
          {entry?.connection && (
            <p class="hint">
              {t('import.connection_of', { name: entry.connection, host: connection?.host ?? '' })}{' '}
              {connection?.sandbox && <span class="badge sandbox">{t('common.sandbox')}</span>}
            </p>
          )}
        </Choice>
        {job === GUESS && (
          <Choice
            label={t('common.operation')}
            value={operation}
            change={setOperation}
            options={[
              { value: '', name: t('import.operation_by_columns') },
              ...(operations.value?.items ?? []).map((it) => ({
                value: it.operation,
                name: `${operationText(it.operation)} · ${it.purpose}`,
              })),
              ...STEPS.map((it) => ({
                value: it,
                name: t('import.operation_steps', { operations: listText(it.split(',').map(operationText)) }),
              })),
            ]}
          />
        )}
        <FileDrop
          label={t('common.spreadsheet')}
          accept={ACCEPTED_FILES}
          file={upload.file}
          hint={t('import.spreadsheet_hint')}
          disabled={check.busy}
          choose={(file) => {
            setSheet('');
            upload.start(file);
          }}
        />
        <UploadState upload={upload} />
        {upload.answer && (upload.answer.sheets?.length ?? 0) > 0 && (
          <Choice
            label={t('import.sheet')}
            value={sheet}
            change={setSheet}
            options={[
              { value: '', name: t('import.sheet_by_job') },
              ...(upload.answer.sheets ?? []).map((it) => ({ value: it.name, name: sheetName(it) })),
            ]}
          />
        )}
        {job === GUESS && guess.busy && <Busy text={t('import.guessing')} />}
        {job === GUESS && guess.problem && <ProblemNotice problem={guess.problem} again={guess.again} />}
        {job === GUESS && guess.value && <GuessedJob guess={guess.value} />}
        {check.problem && <ProblemNotice problem={check.problem} />}
        <div class="acts">
          <button type="submit" class="primary" disabled={!ready || check.busy}>
            {check.busy && <span class="spinner" aria-hidden="true" />}
            {t('common.check')}
          </button>
          <span class="quiet">{t('import.nothing_sent')}</span>
        </div>
      </form>
    </>
  );
}

function OnlyMakers() {
  return (
    <>
      <Heading name={t('common.new_import')} />
      <Notice tone="doubt">
        <p>{t('import.only_makers')}</p>
      </Notice>
    </>
  );
}

interface Upload {
  readonly file: File | undefined;
  readonly sent: number;
  readonly total: number;
  readonly answer: UploadAnswer | undefined;
  readonly problem: ProblemDocument | undefined;
  readonly start: (file: File) => void;
  readonly cancel: () => void;
}

/** The upload of one file. A newer file cancels it, and so does leaving the page. */
function useUpload(): Upload {
  const [file, setFile] = useState<File>();
  const [sent, setSent] = useState(0);
  const [answer, setAnswer] = useState<UploadAnswer>();
  const [problem, setProblem] = useState<ProblemDocument>();
  const uploading = useRef<AbortController>(undefined);
  useEffect(() => () => uploading.current?.abort(), []);
  const start = (next: File): void => {
    uploading.current?.abort();
    const controller = new AbortController();
    uploading.current = controller;
    setFile(next);
    setSent(0);
    setAnswer(undefined);
    setProblem(undefined);
    sendFile(next, (done) => controller.signal.aborted || setSent(done), controller.signal).then(
      (uploaded) => {
        if (controller.signal.aborted) return;
        setAnswer(uploaded);
        announce(t('import.uploaded', { name: uploaded.name, size: sizeText(uploaded.size) }));
      },
      (error: unknown) => {
        if (!controller.signal.aborted) setProblem(problemFrom(error));
      },
    );
  };
  const cancel = (): void => {
    uploading.current?.abort();
    setFile(undefined);
  };
  return { file, sent, total: file?.size ?? 0, answer, problem, start, cancel };
}

function UploadState({ upload }: { readonly upload: Upload }) {
  const { file, answer, problem } = upload;
  if (problem) {
    // Without a response the upload may be repeated; a rejected file would be rejected again.
    const retry = file && problem.status === 0 ? { again: () => upload.start(file) } : {};
    return <ProblemNotice problem={problem} {...retry} />;
  }
  if (answer) {
    return (
      <p class="uploaded">
        <Sign of="✓" /> {t('import.uploaded', { name: answer.name, size: sizeText(answer.size) })}
      </p>
    );
  }
  if (!file) return undefined;
  const label = t('import.uploading', { name: file.name });
  return (
    <div class="uploading">
      <p>{label}</p>
      <progress aria-label={label} max={Math.max(1, upload.total)} value={upload.sent} />
      <button type="button" onClick={upload.cancel}>
        {t('import.stop_upload')}
      </button>
    </div>
  );
}

/** Label of a job. */
function jobName({ file, operation }: JobEntry): string {
  return operation === undefined ? file : `${file} · ${operationText(operation)}`;
}

function sheetName({ name, rows, hidden }: { name: string; rows?: number; hidden?: boolean }): string {
  const counted = rows === undefined ? name : t('import.sheet_rows', { name, rows });
  return hidden ? t('import.sheet_hidden', { name: counted }) : counted;
}

function sizeText(bytes: number): string {
  const [value, unit] =
    bytes < 1_000_000 ? [Math.max(1, bytes / 1000), 'kilobyte'] : [bytes / 1_000_000, 'megabyte'];
  return number(value, {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits: value < 10 ? 1 : 0,
  });
}
