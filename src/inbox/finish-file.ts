import { rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Language, type Message, message, render } from '../errors/message.js';
import type { Ledger } from '../ledger/contract/ledger.js';
import type { Run } from '../ledger/contract/runs.js';
import { isFinished } from '../ledger/rules/run-states.js';
import { EXIT } from '../model/run-outcome.js';
import { STATUSES } from '../model/status.js';
import { inboxFolderOf } from '../run/report/inbox-result.js';
import {
  ProblemKinds,
  problemPlaces,
  problemText,
  type RowProblemKind,
} from '../run/report/problem-kinds.js';
import { reportRows } from '../run/report/row-results.js';
import type { RunServices } from '../run/run-context.js';
import { temporaryPath } from '../util/atomic-file.js';
import { crashPoint } from '../util/crash-point.js';
import { sha256Of } from '../util/files.js';
import { cutText, plainText } from '../util/text.js';
import { moveInto, watchDone } from './done-files.js';
import { fileStateOf, forgetPending, pendingFile } from './find-files.js';
import { lockFile } from './open-inbox.js';

const LANGUAGES: readonly Language[] = ['zh', 'en'];
const KINDS_SHOWN = 10;
const TEXT_SHOWN = 500;
/** Maximum length of a file name on common file systems, in bytes of UTF-8. */
const NAME_BYTES = 255;
const ENDING = '.reason.txt';

interface FailedFile {
  /** Its new path. */
  readonly movedTo: string;
  readonly run: string;
  readonly exitCode: number;
  /** Why it wasn't run, if it was only moved. */
  readonly reason?: Message;
}

/**
 * Writes the reason next to a file in `failed`, in both languages, for readers who do not know runs and ledgers.
 * @throws errors of the file system
 */
async function writeReason(ledger: Ledger, failed: FailedFile): Promise<void> {
  const run = await ledger.runs.get(failed.run);
  if (!run) return;
  const problems = failed.reason ? [] : await problemsOf(ledger, run);
  const counts = await ledger.runs.counts(run.id);
  const text = LANGUAGES.map((language) => inWords(failed, run, { problems, counts }, language)).join('\n');
  const folder = path.dirname(failed.movedTo);
  const name = cutText(path.basename(failed.movedTo), NAME_BYTES - Buffer.byteLength(ENDING));
  const temporary = temporaryPath(folder);
  await writeFile(temporary, text, { mode: 0o600, flush: true });
  await rename(temporary, path.join(folder, `${name}${ENDING}`));
}

interface Found {
  readonly problems: readonly RowProblemKind[];
  readonly counts: Readonly<Partial<Record<string, number>>>;
}

async function problemsOf(ledger: Ledger, run: Run): Promise<readonly RowProblemKind[]> {
  const kinds = new ProblemKinds();
  for await (const page of reportRows(ledger, run)) for (const row of page) kinds.add(row);
  return kinds.list();
}

function inWords(
  { movedTo, exitCode, reason }: FailedFile,
  run: Run,
  { problems, counts }: Found,
  language: Language,
): string {
  const rendered = (it: Message): string => render(it, language);
  const { id, operation, connection, rows, output } = run;
  const lines = [
    rendered(message('inbox.reason_file', { file: path.basename(movedTo) })),
    rendered(message('inbox.reason_run', { run: id, job: run.job, operation, connection, exitCode })),
  ];
  const why = reason ?? run.reason;
  if (why) lines.push(rendered(message('inbox.reason_why', { why: rendered(why) })));
  const parts = STATUSES.filter((it) => counts[it]).map((it) => `${it} ${counts[it]}`);
  if (parts.length > 0) lines.push(rendered(message('summary.rows', { rows, counts: parts.join(', ') })));
  for (const problem of problems.slice(0, KINDS_SHOWN)) {
    const more = problem.count > problem.places.length ? ', …' : '';
    const text = plainText(problemText(problem, language), TEXT_SHOWN);
    const params = { count: problem.count, text, places: problemPlaces(problem, language).join(', ') + more };
    lines.push(`  ${rendered(message('summary.problem', params))}`);
  }
  if (problems.length > KINDS_SHOWN) {
    lines.push(`  ${rendered(message('summary.more_kinds', { count: problems.length - KINDS_SHOWN }))}`);
  }
  if (output !== undefined && !reason) lines.push(rendered(message('summary.result', { file: output })));
  lines.push(rendered(message('inbox.reason_todo')));
  if (!reason) lines.push(...steps(id, exitCode, counts).map((it) => `  ${rendered(it)}`));
  lines.push(`  ${rendered(message('inbox.reason_more', { run: id }))}`);
  return `${lines.join('\n')}\n`;
}

/** What to do about the rows, and about the file. */
function steps(run: string, exitCode: number, counts: Found['counts']): readonly Message[] {
  const found: Message[] = [];
  if (counts.unknown) found.push(message('inbox.reason_unknown', { run, rows: counts.unknown }));
  else if (exitCode === EXIT.unknown) found.push(message('inbox.reason_held'));
  if (counts.failed) found.push(message('inbox.reason_failed', { run, rows: counts.failed }));
  const wrong = (counts.rejected ?? 0) + (counts.invalid ?? 0);
  if (wrong > 0) found.push(message('inbox.reason_correct', { rows: wrong }));
  if (found.length === 0) found.push(message('inbox.reason_refused'));
  return found;
}

/** A file whose rows were processed. */
interface ProcessedFile {
  readonly file: string;
  /** SHA-256 of the bytes that were sent; hex. */
  readonly sha256: string;
  /** The file's state when it was read, if known. */
  readonly state?: string;
  readonly run: string;
  readonly exitCode: number;
  /** Why it wasn't run, if it is only moved. */
  readonly reason?: Message;
}

type Parts = Pick<RunServices, 'observer' | 'ledger'>;

/** True if the run has ended. Its file may be moved only then. */
export function isOver(
  run: Pick<Run, 'state' | 'exitCode'>,
): run is { readonly state: Run['state']; readonly exitCode: number } {
  return isFinished(run) && run.exitCode !== undefined;
}

interface FinishedFile {
  /** Where the file is now, if it was moved. */
  readonly movedTo?: string;
  /** Why the file is still there. */
  readonly left?: Message;
}

/**
 * Moves a file to `done` or `failed`. A failure is only a warning: the rows were sent, and the next start recognises the
 * file.
 */
export async function finishFile(services: Parts, processed: ProcessedFile): Promise<FinishedFile> {
  const { ledger, observer } = services;
  const { file, run } = processed;
  const folder = path.join(path.dirname(file), inboxFolderOf(processed.exitCode));
  try {
    const state = await fileStateOf(file);
    if (state === 'gone') {
      observer.warn(message('inbox.taken_away', { file, run }));
      await forgetPending(ledger, file);
      return {};
    }
    if (state instanceof Error) throw state;
    if (
      state === 'no file' ||
      (state.state !== processed.state && (await sha256Of(file)) !== processed.sha256)
    ) {
      const left = message('inbox.replaced', { file, run });
      observer.warn(left);
      await forgetPending(ledger, file);
      return { left };
    }
    crashPoint('before-move');
    const movedTo = await moveInto(file, folder);
    await forgetPending(ledger, file);
    if (inboxFolderOf(processed.exitCode) === 'done') await watchDone(ledger, movedTo, processed.sha256);
    if (inboxFolderOf(processed.exitCode) === 'failed') await explainFailure(services, processed, movedTo);
    return { movedTo };
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error);
    const left = message('inbox.not_moved', { file, folder, reason });
    observer.warn(left);
    return { left };
  }
}

/** Writes the reason file. A failure is only a warning, because the result does not depend on it. */
async function explainFailure(
  { ledger, observer }: Parts,
  { run, exitCode, reason }: ProcessedFile,
  movedTo: string,
): Promise<void> {
  try {
    await writeReason(ledger, { movedTo, run, exitCode, reason });
  } catch (error) {
    const params = { file: movedTo, run, reason: (error as NodeJS.ErrnoException).code ?? String(error) };
    observer.warn(message('inbox.reason_unwritten', params));
  }
}

/** Moves the input file of a run that was resumed by a command, if it came from an input folder and still exists. */
export async function finishResumed(services: Parts, id: string): Promise<string | undefined> {
  const run = await services.ledger.runs.get(id);
  if (!run || !isOver(run) || run.parent !== undefined) return undefined;
  const { inputFile: file, inputSha256: sha256, exitCode } = run;
  const pending = await pendingFile(services.ledger, file);
  if (pending?.sha256 !== sha256 || pending.at > run.startedAt) return undefined;
  const lock = await lockFile(services.ledger, file);
  if ('busy' in lock) return undefined;
  try {
    return (await finishFile(services, { file, sha256, run: id, exitCode })).movedTo;
  } finally {
    await lock.release();
  }
}
