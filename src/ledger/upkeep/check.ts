import { createHash } from 'node:crypto';
import { type Message, message } from '../../errors/message.js';
import type { Ledger } from '../contract/ledger.js';
import type { Run } from '../contract/run.js';
import { keptInputsOf } from '../inputs.js';
import { runOf } from '../shared/ids.js';
import { chainFault, checkChain } from './check-chain.js';

export interface CheckedLedger {
  /** What doesn't fit. */
  readonly faults: readonly Message[];
  /** Runs with requests that nobody waits for any more, and how many: `resume` or `resolve` settles them. */
  readonly open: readonly { readonly run: string; readonly attempts: number }[];
  readonly counted: { readonly runs: number; readonly rows: number; readonly inputs: number };
}

/** Lines that refer to others: table, its column, and where the other must be. */
const REFERENCES = [
  ['warnings', 'run', 'runs', 'id'],
  ['lookups', 'run', 'runs', 'id'],
  ['items', 'envelope', 'envelopes', 'id'],
  ['items', 'id', 'bodies', 'item'],
  ['bodies', 'item', 'items', 'id'],
  ['item_rows', 'item', 'items', 'id'],
  ['batches', 'envelope', 'envelopes', 'id'],
  ['batch_items', 'item', 'items', 'id'],
  ['batch_items', 'batch', 'batches', 'id'],
  ['attempts', 'batch', 'batches', 'id'],
  ['outcomes', 'item', 'items', 'id'],
  ['records', 'item', 'items', 'id'],
  ['resolutions', 'item', 'items', 'id'],
] as const;

/** Keys of items that are gone are kept with what became of them. */
const KEYS_OF_NOBODY = `
SELECT count(*) AS n FROM item_keys WHERE kept_json IS NULL
AND NOT EXISTS (SELECT 1 FROM items WHERE items.id = item_keys.item)`;

const DONE_WITHOUT_OUTCOME = `
SELECT count(*) AS n FROM batch_items JOIN batches ON batches.id = batch_items.batch
WHERE batches.done = 1 AND NOT EXISTS (SELECT 1 FROM outcomes WHERE outcomes.item = batch_items.item)`;

const OPEN_BY_BATCH = `SELECT batch FROM attempts WHERE ended_at IS NULL ORDER BY batch`;

/** Looks through a ledger; changes nothing. */
export async function checkLedger(ledger: Ledger, env: NodeJS.ProcessEnv): Promise<CheckedLedger> {
  const { upkeep } = ledger;
  const faults: Message[] = [];
  const restored = await ledger.guard.state(env);
  if (restored.kind === 'lost') faults.push(restored.what);
  for (const reason of await upkeep.damage()) faults.push(message('ledger.check_damage', { reason }));
  const count = async (sql: string): Promise<number> => (await upkeep.read<{ n: number }>(sql))[0]?.n ?? 0;
  for (const [table, column, other, key] of REFERENCES) {
    const lines = await count(
      `SELECT count(*) AS n FROM ${table} WHERE NOT EXISTS (SELECT 1 FROM ${other} WHERE ${other}.${key} = ${table}.${column})`,
    );
    if (lines > 0) faults.push(message('ledger.check_orphans', { table, other, lines }));
  }
  const keys = await count(KEYS_OF_NOBODY);
  if (keys > 0) faults.push(message('ledger.check_keys', { lines: keys }));
  const unsettled = await count(DONE_WITHOUT_OUTCOME);
  if (unsettled > 0) faults.push(message('ledger.check_unsettled', { items: unsettled }));
  const { fault } = await checkChain(ledger.audit);
  if (fault) faults.push(chainFault(fault));
  const runs = await ledger.runs.list(Number.MAX_SAFE_INTEGER, 'steps too');
  let rows = 0;
  for (const run of runs) {
    if (run.step === undefined) rows += run.rows;
    faults.push(...(await sumFaults(ledger, run)));
  }
  const inputs = await checkInputs(ledger, runs, faults);
  return {
    faults,
    open: await openAttempts(ledger),
    counted: { runs: runs.filter((it) => it.step === undefined).length, rows, inputs },
  };
}

/** Rows by status add up to the rows that were planned. */
async function sumFaults(ledger: Ledger, run: Run): Promise<readonly Message[]> {
  if (run.state === 'planning' || run.kind === 'reconcile') return [];
  const counts = await ledger.runs.counts(run.id);
  const sum = Object.values(counts).reduce((all, it) => all + it, 0);
  return sum === run.rows ? [] : [message('ledger.check_sum', { run: run.id, rows: run.rows, sum })];
}

async function openAttempts(ledger: Ledger): Promise<CheckedLedger['open']> {
  const open: { run: string; attempts: number }[] = [];
  for (const number of (await openByRun(ledger)).keys()) {
    const [named] = await ledger.upkeep.read<{ name: string }>('SELECT name FROM runs WHERE id = $1', [
      number,
    ]);
    const found = named && (await ledger.runs.get(named.name));
    // A step is gone on with, and settled, as part of its whole run.
    const run = found?.step === undefined ? found : await ledger.runs.get(found.parent ?? found.id);
    if (!run) continue;
    const carried = await ledger.queue?.carrying(run.job, run.scope);
    if (carried?.includes(run.id)) continue;
    if ((await ledger.holder(run.job, run.scope))?.run === run.id) continue;
    // Whoever was at work on it may have ended them, and let go, since they were read.
    const attempts = (await openByRun(ledger)).get(number);
    if (attempts) open.push({ run: run.id, attempts });
  }
  return open;
}

/** How many attempts of each run, by its number, have no end. */
async function openByRun(ledger: Ledger): Promise<ReadonlyMap<number, number>> {
  const byRun = new Map<number, number>();
  for (const { batch } of await ledger.upkeep.read<{ batch: number }>(OPEN_BY_BATCH))
    byRun.set(runOf(batch), (byRun.get(runOf(batch)) ?? 0) + 1);
  return byRun;
}

/** Every kept input is whole, and every run that may be gone on with has one. */
async function checkInputs(ledger: Ledger, runs: readonly Run[], faults: Message[]): Promise<number> {
  const kept = new Set((await ledger.inputs.list()).map((it) => it.sha256));
  const seen = new Set<string>();
  for (const run of runs) {
    if (run.prunedAt !== undefined) continue;
    for (const input of keptInputsOf(run)) {
      if (seen.has(input.sha256)) continue;
      seen.add(input.sha256);
      const place = { run: run.id, file: ledger.inputs.place(input) };
      if (!kept.has(input.sha256)) faults.push(message('run.input_gone', place));
      else if ((await digestOf(ledger.inputs.bytes(input))) !== input.sha256)
        faults.push(message('ledger.check_input', place));
    }
  }
  return kept.size;
}

/** undefined where it can't be read to its end. */
async function digestOf(bytes: AsyncIterable<Uint8Array>): Promise<string | undefined> {
  const hash = createHash('sha256');
  try {
    for await (const piece of bytes) hash.update(piece);
    return hash.digest('hex');
  } catch {
    return undefined;
  }
}
