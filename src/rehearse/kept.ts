import { createReadStream } from 'node:fs';
import { chmod, mkdir, open, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Language } from '../errors/message.js';
import type { Ledger } from '../ledger/contract/ledger.js';
import type { RowResult } from '../ledger/contract/report.js';
import type { Run } from '../ledger/contract/run.js';
import type { RunCounts, StepEnd } from '../model/run-outcome.js';
import { resultMessage } from '../run/report/result-message.js';
import { reportRows } from '../run/report/steps/steps-rows.js';
import { stepEnds } from '../run/step-runs.js';
import { writeAtomically } from '../util/atomic-file.js';
import { write } from '../util/sink.js';

/** Rehearsals that are kept at most; they are only there to be compared with the run that follows. */
const KEPT = 20;

/** What a rehearsal was of, and what came of it as a whole. */
export interface RehearsalFacts extends RehearsedRun {
  readonly id: string;
  readonly job: string;
  readonly connection: string;
  readonly operation: string;
  readonly inputSha256: string;
  readonly endedAt: number;
  readonly counts?: RunCounts;
  /** What came of each step of a run of several. */
  readonly steps?: readonly Omit<StepEnd, 'run'>[];
}

/** What is kept beside of the rehearsal of a run, or of a plan. */
interface RehearsedRun {
  /** That run. */
  readonly of?: string;
  readonly by?: string;
  readonly warnings?: readonly string[];
}

/** What came of a row, as far as a rehearsal and a run can be compared. */
export interface RowCame {
  readonly row: number;
  readonly status: string;
  readonly code?: string;
  readonly message?: string;
  readonly licenseOrderId?: string;
  readonly columns: Readonly<Record<string, string>>;
}

export function rowCame(result: RowResult, language: Language): RowCame {
  const { row, status, code, licenseOrderId, columns } = result;
  const message = resultMessage(result, language);
  return {
    row,
    status,
    columns,
    ...(code === undefined ? {} : { code }),
    ...(message === '' ? {} : { message }),
    ...(licenseOrderId === undefined ? {} : { licenseOrderId }),
  };
}

function folderOf(stateFolder: string): string {
  return path.join(stateFolder, 'rehearsals');
}

/** Rows hold personal data: nobody else may look there. */
export async function makeKeptFolder(stateFolder: string): Promise<string> {
  const folder = folderOf(stateFolder);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** Where the result of a run's rehearsal goes, with `{run}` for the rehearsal's id: it goes with what is kept of the rows. */
export function keptResult(stateFolder: string): string {
  return path.join(folderOf(stateFolder), '{run}.xlsx');
}

/**
 * Keeps what came of a rehearsal's rows beside the ledger, where no run looks: a line of facts, then a line for each row.
 * Older ones than the last few go.
 */
export async function keepRehearsal(
  stateFolder: string,
  ledger: Ledger,
  run: Run,
  language: Language,
  rehearsed: RehearsedRun = {},
): Promise<void> {
  const folder = await makeKeptFolder(stateFolder);
  const { id, job, connection, operation, inputSha256, startedAt, endedAt = startedAt } = run;
  const counts = await ledger.runs.counts(id);
  // Their runs are gone with the rehearsal's ledger.
  const steps = (await stepEnds(ledger, run)).map(({ run: _, ...it }) => it);
  const facts: RehearsalFacts = {
    ...{ id, job, connection, operation, inputSha256, endedAt, counts },
    ...(steps.length > 0 ? { steps } : {}),
    ...rehearsed,
  };
  const file = path.join(folder, `${id}.ndjson`);
  await writeAtomically(file, async (sink) => {
    await write(sink, `${JSON.stringify(facts)}\n`);
    for await (const page of reportRows(ledger, run)) {
      await write(sink, page.map((it) => `${JSON.stringify(rowCame(it, language))}\n`).join(''));
    }
  });
  await chmod(file, 0o600);
  const kept = (await readdir(folder)).filter((it) => it.endsWith('.ndjson')).sort();
  for (const name of kept.slice(0, -KEPT)) await forget(path.join(folder, name));
}

async function forget(file: string): Promise<void> {
  for (const it of [file, resultOf(file)]) await rm(it, { force: true });
}

/** The workbook beside what is kept of the rows; only the rehearsal of a run has one. */
export function resultOf(file: string): string {
  return file.replace(/\.ndjson$/, '.xlsx');
}

/** Removes the rehearsals that ended before a time: like old runs, they may hold personal data. */
export async function pruneRehearsals(stateFolder: string, before: number): Promise<void> {
  const folder = folderOf(stateFolder);
  for (const file of await keptIn(folder)) {
    const facts = await factsOf(file);
    if (facts === undefined || facts.endedAt < before) await forget(file);
  }
}

async function keptIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((it) => it.endsWith('.ndjson')).map((it) => path.join(folder, it));
}

interface KeptRehearsal {
  readonly facts: RehearsalFacts;
  /** Where its rows are. */
  readonly file: string;
}

/** The last rehearsal, before a run was begun or sent, of what it carried out; undefined where none is kept. */
export function rehearsalOf(stateFolder: string, run: Run): Promise<KeptRehearsal | undefined> {
  return newest(stateFolder, ({ of, job, connection, inputSha256, endedAt }) => {
    const isSame = job === run.job && connection === run.connection && inputSha256 === run.inputSha256;
    return endedAt <= (run.appliedAt ?? run.startedAt) && (of === undefined ? isSame : of === run.id);
  });
}

/** The last rehearsal that was asked for at a run or a plan, whatever was done with that since. */
export function rehearsalAt(stateFolder: string, run: string): Promise<KeptRehearsal | undefined> {
  return newest(stateFolder, ({ of }) => of === run);
}

async function newest(
  stateFolder: string,
  fits: (facts: RehearsalFacts) => boolean,
): Promise<KeptRehearsal | undefined> {
  let last: KeptRehearsal | undefined;
  for (const file of await keptIn(folderOf(stateFolder))) {
    const facts = await factsOf(file);
    if (facts && fits(facts) && facts.endedAt >= (last?.facts.endedAt ?? 0)) last = { facts, file };
  }
  return last;
}

/** Undefined where it is gone: another one that is kept may have taken its place. */
async function factsOf(file: string): Promise<RehearsalFacts | undefined> {
  const handle = await open(file).catch(() => undefined);
  try {
    for await (const line of handle?.readLines() ?? []) return JSON.parse(line) as RehearsalFacts;
    return undefined;
  } catch {
    return undefined;
  } finally {
    await handle?.close();
  }
}

/** The rows of a kept rehearsal, one by one. @param after only those with higher numbers */
export async function* keptRows(file: string, after = 0): AsyncGenerator<RowCame> {
  let isFirst = true;
  for await (const line of createInterface({
    input: createReadStream(file),
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    // Lines that are passed over are many: their number stands first.
    if (!isFirst && (after === 0 || Number.parseInt(line.slice(ROW_AT), 10) > after))
      yield JSON.parse(line) as RowCame;
    isFirst = false;
  }
}

const ROW_AT = '{"row":'.length;
