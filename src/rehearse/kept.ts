import { createReadStream } from 'node:fs';
import { chmod, mkdir, open, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Language } from '../errors/message.js';
import type { Ledger } from '../ledger/contract/ledger.js';
import type { RowResult } from '../ledger/contract/report.js';
import type { Run } from '../ledger/contract/run.js';
import { resultMessage } from '../run/report/result-message.js';
import { reportRows } from '../run/report/steps/steps-rows.js';
import { writeAtomically } from '../util/atomic-file.js';
import { write } from '../util/sink.js';

/** Rehearsals that are kept at most; they are only there to be compared with the run that follows. */
const KEPT = 20;

/** What a rehearsal was of. */
interface RehearsalFacts {
  readonly id: string;
  readonly job: string;
  readonly connection: string;
  readonly operation: string;
  readonly inputSha256: string;
  readonly endedAt: number;
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

/**
 * Keeps what came of a rehearsal's rows beside the ledger, where no run looks: a line of facts, then a line for each row.
 * Older ones than the last few go.
 */
export async function keepRehearsal(
  stateFolder: string,
  ledger: Ledger,
  run: Run,
  language: Language,
): Promise<void> {
  const folder = folderOf(stateFolder);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { id, job, connection, operation, inputSha256, startedAt, endedAt = startedAt } = run;
  const facts: RehearsalFacts = { id, job, connection, operation, inputSha256, endedAt };
  const file = path.join(folder, `${id}.ndjson`);
  await writeAtomically(file, async (sink) => {
    await write(sink, `${JSON.stringify(facts)}\n`);
    for await (const page of reportRows(ledger, run)) {
      await write(sink, page.map((it) => `${JSON.stringify(rowCame(it, language))}\n`).join(''));
    }
  });
  await chmod(file, 0o600);
  const kept = (await readdir(folder)).filter((it) => it.endsWith('.ndjson')).sort();
  for (const name of kept.slice(0, -KEPT)) await rm(path.join(folder, name), { force: true });
}

/** Removes the rehearsals that ended before a time: like old runs, they may hold personal data. */
export async function pruneRehearsals(stateFolder: string, before: number): Promise<void> {
  const folder = folderOf(stateFolder);
  for (const name of await readdir(folder).catch(() => [])) {
    const file = path.join(folder, name);
    const facts = await factsOf(file);
    if (facts === undefined || facts.endedAt < before) await rm(file, { force: true });
  }
}

/** The last rehearsal before a run of what the run carried out; undefined where none is kept. */
export async function rehearsalOf(
  stateFolder: string,
  run: Run,
): Promise<{ readonly facts: RehearsalFacts; readonly file: string } | undefined> {
  const folder = folderOf(stateFolder);
  const names = await readdir(folder).catch(() => []);
  let last: { facts: RehearsalFacts; file: string } | undefined;
  for (const name of names.filter((it) => it.endsWith('.ndjson'))) {
    const file = path.join(folder, name);
    const facts = await factsOf(file);
    const isOfRun =
      facts?.job === run.job &&
      facts.connection === run.connection &&
      facts.inputSha256 === run.inputSha256 &&
      facts.endedAt <= run.startedAt;
    if (isOfRun && facts.endedAt >= (last?.facts.endedAt ?? 0)) last = { facts, file };
  }
  return last;
}

async function factsOf(file: string): Promise<RehearsalFacts | undefined> {
  const handle = await open(file);
  try {
    for await (const line of handle.readLines()) return JSON.parse(line) as RehearsalFacts;
    return undefined;
  } catch {
    return undefined;
  } finally {
    await handle.close();
  }
}

/** The rows of a kept rehearsal, one by one. */
export async function* keptRows(file: string): AsyncGenerator<RowCame> {
  let isFirst = true;
  for await (const line of createInterface({
    input: createReadStream(file),
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    if (!isFirst) yield JSON.parse(line) as RowCame;
    isFirst = false;
  }
}
