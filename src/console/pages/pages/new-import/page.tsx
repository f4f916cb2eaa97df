import { useEffect, useRef, useState } from 'preact/hooks';
import type { z } from 'zod';
import type { connectionSchema, jobSchema, templateSchema } from '../../../routes/schemas.js';
import { act, ask } from '../../api/client.js';
import { type ProblemDocument, problemFrom } from '../../api/problem.js';
import { useAct } from '../../api/use-act.js';
import { useAsked } from '../../api/use-asked.js';
import { Choice } from '../../parts/field.js';
import { FileDrop } from '../../parts/file-drop.js';
import { Heading } from '../../parts/heading.js';
import { announce } from '../../parts/live.js';
import { Busy, Notice, ProblemNotice } from '../../parts/notices.js';
import { go } from '../../router.js';
import { hasRole } from '../../session.js';
import { COMMON } from '../../words/common.js';
import { IMPORT } from '../../words/import.js';
import { number, say } from '../../words/language.js';
import { type GuessAnswer, GuessedJob } from './guessed-job.js';
import { sendFile, type UploadAnswer } from './upload.js';
import './new-import.css';

/** A job file of jobs/. */
type JobEntry = z.infer<typeof jobSchema>;

type ConnectionEntry = z.infer<typeof connectionSchema>;

/** An operation of the catalogue, as the list of templates tells it. */
type OperationEntry = z.infer<typeof templateSchema>;

const GUESS = 'guess';

/** Jobs of several steps that a guess asks about. */
const STEPS = [
  'enterprise.bind,order.new_buy',
  'asset.numbers,order.new_buy',
  'enterprise.bind,asset.numbers,order.new_buy',
];

const ACCEPTED = '.xlsx,.xlsm,.xlsb,.xls,.ods,.csv,.tsv,.txt';

/** A job and a spreadsheet, checked together. */
export function Page() {
  const jobs = useAsked('jobs', (signal) => ask<{ items: readonly JobEntry[] }>('/jobs', { signal }));
  const connections = useAsked('connections', (signal) =>
    ask<{ items: readonly ConnectionEntry[] }>('/connections', { signal }),
  );
  const [chosen, setJob] = useState<string>();
  const [sheet, setSheet] = useState('');
  const [operation, setOperation] = useState('');
  const upload = useUpload();
  const entries = jobs.value?.items.filter((it) => it.kind !== 'reconcile') ?? [];
  // Without any job files there is only one thing to choose.
  const job = chosen ?? (jobs.value && entries.length === 0 ? GUESS : '');
  const operations = useAsked(job === GUESS ? 'templates' : undefined, (signal) =>
    ask<{ items: readonly OperationEntry[] }>('/templates', { signal }),
  );
  const meant = operation === '' ? {} : { operation };
  const put = upload.answer?.upload;
  const guess = useAsked(job === GUESS && put !== undefined ? `${put} ${operation}` : undefined, (signal) =>
    act<GuessAnswer>('POST', '/guess', { upload: put, name: upload.answer?.name, ...meant }, { signal }),
  );
  const check = useAct(async () => {
    if (!upload.answer) return;
    const { upload: id, name } = upload.answer;
    const wish = job === GUESS ? { guess: true, ...meant } : { job };
    const made = await act<{ import: string }>('POST', '/imports', {
      upload: id,
      name,
      ...wish,
      ...(sheet === '' ? {} : { sheet }),
    });
    go(`/imports/${encodeURIComponent(made.import)}`);
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
      <Heading name={say(COMMON.new_import)} />
      {jobs.problem && <ProblemNotice problem={jobs.problem} again={jobs.again} />}
      <form
        class="card new-import"
        onSubmit={(event) => {
          event.preventDefault();
          if (ready) void check.run();
        }}
      >
        <Choice
          label={say(IMPORT.job)}
          value={job}
          change={setJob}
          options={[
            ...(job === '' ? [{ value: '', name: say(IMPORT.choose_job) }] : []),
            ...entries.map((it) => ({ value: it.file, name: jobName(it) })),
            { value: GUESS, name: say(IMPORT.guess_job) },
          ]}
        >
          {entry?.problem && <p class="fault">{entry.problem}</p>}
          {entry?.description && <p class="hint">{entry.description}</p>}
          {job === GUESS && (
            <p class="hint">{say(entries.length === 0 && jobs.value ? IMPORT.no_jobs : IMPORT.guess_hint)}</p>
          )}
          {entry?.connection && (
            <p class="hint">
              {say(IMPORT.goes_to, { name: entry.connection, host: connection?.host ?? '' })}{' '}
              {connection?.sandbox && <span class="badge sandbox">{say(COMMON.sandbox)}</span>}
            </p>
          )}
        </Choice>
        {job === GUESS && (
          <Choice
            label={say(IMPORT.operation)}
            value={operation}
            change={setOperation}
            options={[
              { value: '', name: say(IMPORT.operation_by_columns) },
              ...(operations.value?.items ?? []).map((it) => ({
                value: it.operation,
                name: `${it.operation} · ${it.purpose}`,
              })),
              ...STEPS.map((it) => ({
                value: it,
                name: say(IMPORT.operation_steps, { operations: it.replaceAll(',', ', ') }),
              })),
            ]}
          />
        )}
        <FileDrop
          label={say(IMPORT.spreadsheet)}
          accept={ACCEPTED}
          file={upload.file}
          hint={say(IMPORT.spreadsheet_hint)}
          disabled={check.busy}
          choose={(file) => {
            setSheet('');
            upload.start(file);
          }}
        />
        <UploadState upload={upload} />
        {upload.answer && (upload.answer.sheets?.length ?? 0) > 0 && (
          <Choice
            label={say(IMPORT.sheet)}
            value={sheet}
            change={setSheet}
            options={[
              { value: '', name: say(IMPORT.sheet_by_job) },
              ...(upload.answer.sheets ?? []).map((it) => ({ value: it.name, name: sheetName(it) })),
            ]}
          />
        )}
        {job === GUESS && guess.busy && <Busy text={say(IMPORT.guessing)} />}
        {job === GUESS && guess.problem && <ProblemNotice problem={guess.problem} again={guess.again} />}
        {job === GUESS && guess.value && <GuessedJob guess={guess.value} />}
        {check.problem && <ProblemNotice problem={check.problem} />}
        <div class="acts">
          <button type="submit" class="primary" disabled={!ready || check.busy}>
            {check.busy && <span class="spinner" aria-hidden="true" />}
            {say(IMPORT.check)}
          </button>
          <span class="quiet">{say(IMPORT.nothing_sent)}</span>
        </div>
      </form>
    </>
  );
}

function OnlyMakers() {
  return (
    <>
      <Heading name={say(COMMON.new_import)} />
      <Notice tone="doubt">
        <p>{say(IMPORT.only_makers)}</p>
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

/** One file on its way: a newer one takes its place, and it ends with the page. */
function useUpload(): Upload {
  const [file, setFile] = useState<File>();
  const [sent, setSent] = useState(0);
  const [answer, setAnswer] = useState<UploadAnswer>();
  const [problem, setProblem] = useState<ProblemDocument>();
  const under = useRef<AbortController>(undefined);
  useEffect(() => () => under.current?.abort(), []);
  const start = (next: File): void => {
    under.current?.abort();
    const controller = new AbortController();
    under.current = controller;
    setFile(next);
    setSent(0);
    setAnswer(undefined);
    setProblem(undefined);
    sendFile(next, (done) => controller.signal.aborted || setSent(done), controller.signal).then(
      (got) => {
        if (controller.signal.aborted) return;
        setAnswer(got);
        announce(say(IMPORT.uploaded, { name: got.name, size: sizeText(got.size) }));
      },
      (error: unknown) => {
        if (!controller.signal.aborted) setProblem(problemFrom(error));
      },
    );
  };
  const cancel = (): void => {
    under.current?.abort();
    setFile(undefined);
  };
  return { file, sent, total: file?.size ?? 0, answer, problem, start, cancel };
}

function UploadState({ upload }: { readonly upload: Upload }) {
  const { file, answer, problem } = upload;
  if (problem) {
    // No answer came: the same file may go through now. One that was refused won't.
    const more = file && problem.status === 0 ? { again: () => upload.start(file) } : {};
    return <ProblemNotice problem={problem} {...more} />;
  }
  if (answer) {
    return (
      <p class="uploaded">
        <span class="sign" aria-hidden="true">
          ✓
        </span>{' '}
        {say(IMPORT.uploaded, { name: answer.name, size: sizeText(answer.size) })}
      </p>
    );
  }
  if (!file) return undefined;
  const label = say(IMPORT.uploading, { name: file.name });
  return (
    <div class="uploading">
      <p>{label}</p>
      <progress aria-label={label} max={Math.max(1, upload.total)} value={upload.sent} />
      <button type="button" onClick={upload.cancel}>
        {say(IMPORT.stop_upload)}
      </button>
    </div>
  );
}

/** Name of a job as it is chosen by: its file tells which one is meant. */
function jobName({ file, operation }: JobEntry): string {
  return operation === undefined ? file : `${file} · ${operation}`;
}

function sheetName({ name, rows, hidden }: { name: string; rows?: number; hidden?: boolean }): string {
  const counted = rows === undefined ? name : say(IMPORT.sheet_rows, { name, rows });
  return hidden ? say(IMPORT.sheet_hidden, { name: counted }) : counted;
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
