import { rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Language, type Message, message, render } from '../errors/message.js';
import type { Ledger } from '../ledger/contract/ledger.js';
import type { Run } from '../ledger/contract/run.js';
import { EXIT } from '../model/exit-code.js';
import { STATUSES } from '../model/status.js';
import { ProblemKinds, problemText, type RowProblemKind } from '../run/report/problem-kinds.js';
import { reportRows } from '../run/report/steps/steps-rows.js';
import { cutText } from '../util/cut-text.js';
import { plainText } from '../util/plain-text.js';
import { temporaryPath } from '../util/temporary-file.js';

const LANGUAGES: readonly Language[] = ['zh', 'en'];
const KINDS_SHOWN = 10;
const TEXT_SHOWN = 500;
/** What file systems take, in bytes of UTF-8. */
const NAME_BYTES = 255;
const ENDING = '.reason.txt';

interface FailedFile {
  /** Where it is now. */
  readonly movedTo: string;
  readonly run: string;
  readonly exitCode: number;
  /** Why it wasn't run, if it was only moved. */
  readonly reason?: Message;
}

/**
 * Writes the reason beside a file in `failed`, in both languages, for readers who don't know of runs and ledgers.
 * @throws what the file system says
 */
export async function writeReason(ledger: Ledger, it: FailedFile): Promise<void> {
  const run = await ledger.runs.get(it.run);
  if (!run) return;
  const problems = it.reason ? [] : await problemsOf(ledger, run);
  const counts = await ledger.runs.counts(run.id);
  const text = LANGUAGES.map((language) => inWords(it, run, { problems, counts }, language)).join('\n');
  const folder = path.dirname(it.movedTo);
  const name = cutText(path.basename(it.movedTo), NAME_BYTES - Buffer.byteLength(ENDING));
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
  const say = (it: Message): string => render(it, language);
  const { id, operation, connection, rows, output } = run;
  const lines = [
    say(message('inbox.reason_file', { file: path.basename(movedTo) })),
    say(message('inbox.reason_run', { run: id, job: run.job, operation, connection, exitCode })),
  ];
  const why = reason ?? run.reason;
  if (why) lines.push(say(message('inbox.reason_why', { why: say(why) })));
  const told = STATUSES.filter((it) => counts[it]).map((it) => `${it} ${counts[it]}`);
  if (told.length > 0) lines.push(say(message('summary.rows', { rows, counts: told.join(', ') })));
  for (const it of problems.slice(0, KINDS_SHOWN)) {
    const more = it.count > it.places.length ? ', …' : '';
    const text = plainText(problemText(it, language), TEXT_SHOWN);
    const params = { count: it.count, text, places: it.places.join(', ') + more };
    lines.push(`  ${say(message('summary.problem', params))}`);
  }
  if (problems.length > KINDS_SHOWN) {
    lines.push(`  ${say(message('summary.more_kinds', { count: problems.length - KINDS_SHOWN }))}`);
  }
  if (output !== undefined && !reason) lines.push(say(message('summary.result', { file: output })));
  lines.push(say(message('inbox.reason_todo')));
  if (!reason) lines.push(...steps(id, exitCode, counts).map((it) => `  ${say(it)}`));
  lines.push(`  ${say(message('inbox.reason_more', { run: id }))}`);
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
