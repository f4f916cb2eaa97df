import { createReadStream } from 'node:fs';
import { chmod, mkdir, open, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { type Language, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { Ledger } from '../ledger/contract/ledger.js';
import type { RowResult } from '../ledger/contract/report.js';
import type { Run } from '../ledger/contract/runs.js';
import type { RunCounts, StepEnd } from '../model/run-outcome.js';
import { resultMessage } from '../run/report/result-message.js';
import { reportRows } from '../run/report/row-results.js';
import { refusePruned } from '../run/run-checks.js';
import { unpackAny } from '../run/settings.js';
import { stepEnds } from '../run/step-runs.js';
import { writeAtomically } from '../util/atomic-file.js';
import { write } from '../util/streams.js';

/** Maximum number of stored rehearsals. They only serve for comparison with the next run. */
const KEPT = 20;

/** The origin of a rehearsal, and its overall result. */
export interface RehearsalFacts extends RehearsedRun {
  readonly id: string;
  readonly job: string;
  readonly connection: string;
  readonly operation: string;
  readonly inputSha256: string;
  readonly endedAt: number;
  readonly counts?: RunCounts;
  /** The result of each step of a run of several steps. */
  readonly steps?: readonly Omit<StepEnd, 'run'>[];
}

/** Stored in addition for the rehearsal of a run or of a plan. */
interface RehearsedRun {
  /** Id of the rehearsed run. */
  readonly of?: string;
  readonly by?: string;
  readonly warnings?: readonly string[];
}

/** The outcome of a row, as far as a rehearsal and a run can be compared. */
export interface RowCame {
  readonly row: number;
  readonly status: string;
  readonly code?: string;
  readonly message?: string;
  readonly licenseOrderId?: string;
  readonly columns: Readonly<Record<string, string>>;
}

export function outcomeOfRow(result: RowResult, language: Language): RowCame {
  const { row, status, code, licenseOrderId, columns } = result;
  const message = resultMessage(result, language) || undefined;
  return { row, status, columns, code, message, licenseOrderId };
}

function folderOf(stateFolder: string): string {
  return path.join(stateFolder, 'rehearsals');
}

/** Creates the folder of rehearsals. Rows contain personal data, so no other user may read it. */
export async function makeKeptFolder(stateFolder: string): Promise<string> {
  const folder = folderOf(stateFolder);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** Path of the result of a run's rehearsal, with `{run}` for its id. It is deleted with the stored rows. */
export function keptResult(stateFolder: string): string {
  return path.join(folderOf(stateFolder), '{run}.xlsx');
}

/**
 * Stores the outcomes of a rehearsal's rows next to the ledger, where runs do not read them: a line of facts, then a
 * line for each row. Deletes the oldest rehearsals beyond the limit.
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
  // Without their runs, which are deleted with the rehearsal's ledger.
  const steps = (await stepEnds(ledger, run)).map(({ run: _, ...step }) => step);
  const facts: RehearsalFacts = {
    ...{ id, job, connection, operation, inputSha256, endedAt, counts },
    steps: steps.length > 0 ? steps : undefined,
    ...rehearsed,
  };
  const file = path.join(folder, `${id}.ndjson`);
  await writeAtomically(file, async (sink) => {
    await write(sink, `${JSON.stringify(facts)}\n`);
    for await (const page of reportRows(ledger, run)) {
      await write(sink, page.map((result) => `${JSON.stringify(outcomeOfRow(result, language))}\n`).join(''));
    }
  });
  await chmod(file, 0o600);
  const names = (await readdir(folder)).filter((name) => name.endsWith('.ndjson')).sort();
  for (const name of names.slice(0, -KEPT)) await deleteRehearsal(path.join(folder, name));
}

async function deleteRehearsal(file: string): Promise<void> {
  for (const member of [file, resultOf(file)]) await rm(member, { force: true });
}

/** The workbook next to the stored rows. Only the rehearsal of a run has one. */
export function resultOf(file: string): string {
  return file.replace(/\.ndjson$/, '.xlsx');
}

/** Removes the rehearsals that ended before a time, because they may contain personal data, like old runs. */
export async function pruneRehearsals(stateFolder: string, before: number): Promise<void> {
  const folder = folderOf(stateFolder);
  for (const file of await rehearsalFiles(folder)) {
    const facts = await factsOf(file);
    if (facts === undefined || facts.endedAt < before) await deleteRehearsal(file);
  }
}

async function rehearsalFiles(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => name.endsWith('.ndjson')).map((name) => path.join(folder, name));
}

interface KeptRehearsal {
  readonly facts: RehearsalFacts;
  /** The file with its rows. */
  readonly file: string;
}

/** The last rehearsal of what a run executes, before the run was started or applied; undefined if none is stored. */
export function rehearsalOf(stateFolder: string, run: Run): Promise<KeptRehearsal | undefined> {
  return newest(stateFolder, ({ of, job, connection, inputSha256, endedAt }) => {
    const isSame = job === run.job && connection === run.connection && inputSha256 === run.inputSha256;
    return endedAt <= (run.appliedAt ?? run.startedAt) && (of === undefined ? isSame : of === run.id);
  });
}

/** The last rehearsal that was started at a run or a plan, independent of later changes. */
export function rehearsalAt(stateFolder: string, run: string): Promise<KeptRehearsal | undefined> {
  return newest(stateFolder, ({ of }) => of === run);
}

async function newest(
  stateFolder: string,
  fits: (facts: RehearsalFacts) => boolean,
): Promise<KeptRehearsal | undefined> {
  let last: KeptRehearsal | undefined;
  for (const file of await rehearsalFiles(folderOf(stateFolder))) {
    const facts = await factsOf(file);
    if (facts && fits(facts) && facts.endedAt >= (last?.facts.endedAt ?? 0)) last = { facts, file };
  }
  return last;
}

/** Undefined if the file was removed, which another process may do at any time. */
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

/**
 * The rows of a stored rehearsal.
 * @param after only rows with higher numbers
 */
export async function* keptRows(file: string, after = 0): AsyncGenerator<RowCame> {
  let isFirst = true;
  for await (const line of createInterface({
    input: createReadStream(file),
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    // The row number comes first in a line, so that skipped lines need not be parsed.
    if (!isFirst && (after === 0 || Number.parseInt(line.slice(ROW_AT), 10) > after))
      yield JSON.parse(line) as RowCame;
    isFirst = false;
  }
}

const ROW_AT = '{"row":'.length;

/**
 * Whether a run of the ledger can be rehearsed: a stored plan that was created from a sheet, with all its rows. A retry
 * or a revert depends on other runs, which a sandbox does not know.
 */
export function isRehearsable({ kind, step, settings }: Pick<Run, 'kind' | 'step' | 'settings'>): boolean {
  if (kind !== 'plan' || step !== undefined) return false;
  const { job, retry } = unpackAny(settings);
  return !retry && !job.undoes;
}

/** @throws ProductError usage */
export function refuseUnrehearsable(run: Run): void {
  refusePruned(run);
  if (!isRehearsable(run)) throw new ProductError('usage', message('rehearse.not_alone', { run: run.id }));
}
