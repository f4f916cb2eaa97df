import { useRef, useState } from 'preact/hooks';
import type { z } from 'zod';
import type { connectionSchema, jobSchema, templateSchema } from '../../../routes/schemas.js';
import { sendJson } from '../../api/client.js';
import type { ListAnswer } from '../../api/replies.js';
import { useAction } from '../../api/use-action.js';
import { useQuery, useResource } from '../../api/use-query.js';
import { Choice } from '../../parts/field.js';
import { FileDrop } from '../../parts/file-drop.js';
import { Heading } from '../../parts/heading.js';
import { announce, Busy, Notice, ProblemNotice } from '../../parts/notices.js';
import { SaveJob } from '../../parts/save-job.js';
import { go } from '../../router.js';
import { hasRole } from '../../session.js';
import { listText, operationText, t } from '../../words/language.js';
import { Columns } from './columns.js';
import { type MatchedAnswer, type Matches, matchesToSend, NO_MATCHES, openQuestions } from './matches.js';
import { UploadState, useUpload } from './upload.js';

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
  const [connection, setConnection] = useState('');
  const [edited, setEdited] = useState<Edited>({ subject: '', matches: NO_MATCHES, remember: true });
  const [isSaving, setIsSaving] = useState(false);
  const upload = useUpload();
  const entries = jobs.value?.items.filter((it) => it.kind !== 'reconcile') ?? [];
  // Without job files, guessing is the only choice.
  const job = chosen ?? (jobs.value && entries.length === 0 ? GUESS : '');
  const operations = useResource<ListAnswer<OperationEntry>>(job === GUESS ? '/templates' : undefined);
  const uploadId = upload.answer?.upload;
  const request = {
    upload: uploadId,
    name: upload.answer?.name,
    ...(job === GUESS ? { guess: true, ...(operation === '' ? {} : { operation }) } : { job }),
    ...(sheet === '' ? {} : { sheet }),
    ...(connection === '' ? {} : { connection }),
  };
  // Another job, file or sheet has other columns: the changes and the last view belong to these.
  const subject = JSON.stringify({ ...request, connection: undefined });
  const ownEdits = (it: Edited): Edited =>
    it.subject === subject ? it : { subject, matches: NO_MATCHES, remember: true };
  const { matches, remember } = ownEdits(edited);
  const matching = { ...request, ...matchesToSend(matches), remember };
  const columns = useQuery(
    uploadId !== undefined && job !== '' && entries.find((it) => it.file === job)?.problem === undefined
      ? JSON.stringify(matching)
      : undefined,
    (signal) => sendJson<MatchedAnswer>('POST', '/columns', matching, { signal }),
  );
  const lastView = useRef<{ subject: string; view: MatchedAnswer }>(undefined);
  if (columns.value) lastView.current = { subject, view: columns.value };
  const view = lastView.current?.subject === subject ? lastView.current.view : undefined;
  const check = useAction(async () => {
    if (!view) return;
    const created = await sendJson<{ import: string }>('POST', '/imports', { ...matching, base: view.base });
    go(`/imports/${encodeURIComponent(created.import)}`);
  });
  const entry = entries.find((it) => it.file === job);
  const defaultName = connections.value?.items.find((it) => it.isDefault)?.name;
  const jobConnection = view?.connection ?? entry?.connection ?? (job === '' ? undefined : defaultName);
  const used = connections.value?.items.find((it) => it.name === (connection || jobConnection));
  const isOpen = view !== undefined && openQuestions({ view, matches }).length > 0;
  const submit = (form: HTMLFormElement): void => {
    if (!isOpen) return void check.run();
    announce(t('import.asked'));
    form.querySelector<HTMLElement>('.asked :is(input, select)')?.focus();
  };
  if (!hasRole('maker')) return <OnlyMakers />;
  return (
    <>
      <Heading name={t('common.new_import')} />
      {jobs.problem && <ProblemNotice problem={jobs.problem} again={jobs.again} />}
      <form
        class="card new-import"
        onSubmit={(event) => {
          event.preventDefault();
          if (view) submit(event.currentTarget);
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
          {entry?.problem && <p class="error">{entry.problem}</p>}
          {entry?.description && <p class="hint">{entry.description}</p>}
          {job === GUESS && (
            <p class="hint">
              {t(entries.length === 0 && jobs.value ? 'import.no_jobs' : 'import.guess_hint')}
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
        <Choice
          label={t('common.connection')}
          value={connection}
          change={setConnection}
          options={[
            {
              value: '',
              name: jobConnection
                ? t('import.connection_by_job', { name: jobConnection })
                : t('import.sheet_by_job'),
            },
            ...(connections.value?.items ?? []).map((it) => ({ value: it.name, name: it.name })),
          ]}
        >
          {used && (
            <p class="hint">
              {used.host && t('import.connection_of', { name: used.name, host: used.host })}{' '}
              {used.sandbox && <span class="badge sandbox">{t('common.sandbox')}</span>}
            </p>
          )}
        </Choice>
        {columns.problem && <ProblemNotice problem={columns.problem} again={columns.again} />}
        {columns.busy && !view && <Busy text={t(job === GUESS ? 'import.guessing' : 'import.reading')} />}
        {view && (
          <Columns
            view={view}
            matches={matches}
            change={(update) =>
              setEdited((it) => ({ ...ownEdits(it), matches: update(ownEdits(it).matches) }))
            }
            forget={() => setEdited({ subject, matches: NO_MATCHES, remember: false })}
          />
        )}
        {check.problem && <ProblemNotice problem={check.problem} />}
        <div class="actions">
          <button type="submit" class="primary" disabled={!view || check.busy}>
            {check.busy && <span class="spinner" aria-hidden="true" />}
            {t('common.check')}
          </button>
          {view && (
            <button type="button" disabled={columns.busy || isOpen} onClick={() => setIsSaving(true)}>
              {t('import.save_job')}
            </button>
          )}
          <span class="quiet">{t('import.nothing_sent')}</span>
        </div>
      </form>
      {isSaving && view && (
        <SaveJob
          file={`${entry?.name ?? upload.answer?.name.replace(/\.[^.]*$/, '') ?? ''}`}
          path="/jobs"
          request={(file) => ({ ...matching, base: view.base, file })}
          saved={(file) => {
            jobs.again();
            setJob(file);
          }}
          close={() => setIsSaving(false)}
        />
      )}
    </>
  );
}

/** The user's matches. `subject`: the job, file and sheet that they belong to. */
interface Edited {
  readonly subject: string;
  readonly matches: Matches;
  readonly remember: boolean;
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

/** Label of a job. */
function jobName({ file, operation }: JobEntry): string {
  return operation === undefined ? file : `${file} · ${operationText(operation)}`;
}

function sheetName({ name, rows, hidden }: { name: string; rows?: number; hidden?: boolean }): string {
  const counted = rows === undefined ? name : t('import.sheet_rows', { name, rows });
  return hidden ? t('import.sheet_hidden', { name: counted }) : counted;
}
