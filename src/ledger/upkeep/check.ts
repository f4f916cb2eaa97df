import { type Message, message } from '../../errors/message.js';
import { sha256OfBytes } from '../../util/files.js';
import { zonedText } from '../../util/zoned-time.js';
import type { AuditLine } from '../contract/audit.js';
import type { Ledger } from '../contract/ledger.js';
import type { Run } from '../contract/runs.js';
import { keptInputsOf } from '../inputs.js';
import { BEFORE_FIRST, type ChainEnd, follows } from '../rules/audit-chain.js';
import { runOf } from '../store/ids.js';

export interface CheckedLedger {
  /** Inconsistencies. */
  readonly faults: readonly Message[];
  /** Runs with open attempts that no process waits for, and their number. `resume` or `resolve` gives them an outcome. */
  readonly open: readonly { readonly run: string; readonly attempts: number }[];
  readonly counted: { readonly runs: number; readonly rows: number; readonly inputs: number };
}

/** References between tables: table and column, referenced table and column. */
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

/** Keys of removed items must have the items' outcomes in `kept_json`. */
const ORPHANED_KEYS = `
SELECT count(*) AS n FROM item_keys WHERE kept_json IS NULL
AND NOT EXISTS (SELECT 1 FROM items WHERE items.id = item_keys.item)`;

const DONE_WITHOUT_OUTCOME = `
SELECT count(*) AS n FROM batch_items JOIN batches ON batches.id = batch_items.batch
WHERE batches.done = 1 AND NOT EXISTS (SELECT 1 FROM outcomes WHERE outcomes.item = batch_items.item)`;

const OPEN_BY_BATCH = `SELECT batch FROM attempts WHERE ended_at IS NULL ORDER BY batch`;

/**
 * Checks a ledger; changes nothing.
 * @param zone of times in messages
 */
export async function checkLedger(
  ledger: Ledger,
  env: NodeJS.ProcessEnv,
  zone: string,
): Promise<CheckedLedger> {
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
  const keys = await count(ORPHANED_KEYS);
  if (keys > 0) faults.push(message('ledger.check_keys', { lines: keys }));
  const unfinishedItems = await count(DONE_WITHOUT_OUTCOME);
  if (unfinishedItems > 0) faults.push(message('ledger.check_unsettled', { items: unfinishedItems }));
  const { fault } = await checkChain(ledger.audit);
  if (fault) faults.push(chainFault(fault, zone));
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

/** Rows by status must add up to the planned rows. */
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
    // A step is resumed and resolved as part of its whole run.
    const run = found?.step === undefined ? found : await ledger.runs.get(found.parent ?? found.id);
    if (!run) continue;
    const queued = await ledger.queue?.runsInQueue(run.job, run.scope);
    if (queued?.includes(run.id)) continue;
    if ((await ledger.holder(run.job, run.scope))?.run === run.id) continue;
    // Read again: a process may have ended them and released the run since the first read.
    const attempts = (await openByRun(ledger)).get(number);
    if (attempts) open.push({ run: run.id, attempts });
  }
  return open;
}

/** Number of open attempts, by run number. */
async function openByRun(ledger: Ledger): Promise<ReadonlyMap<number, number>> {
  const byRun = new Map<number, number>();
  for (const { batch } of await ledger.upkeep.read<{ batch: number }>(OPEN_BY_BATCH))
    byRun.set(runOf(batch), (byRun.get(runOf(batch)) ?? 0) + 1);
  return byRun;
}

/** Every kept input must be unaltered, and every run that isn't pruned must have one. */
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
      else if ((await sha256OfBytes(ledger.inputs.bytes(input)).catch(() => undefined)) !== input.sha256)
        faults.push(message('ledger.check_input', place));
    }
  }
  return kept.size;
}

export interface CheckedChain {
  /** Number of valid entries from the start. */
  readonly sound: number;
  /** The first entry that is altered, out of order, or missing. */
  readonly fault?: ChainFault;
}

type ChainFault =
  | { readonly kind: 'altered'; readonly line: AuditLine }
  | { readonly kind: 'missing'; readonly n: number };

/** @param zone of the time in the message */
export function chainFault(fault: ChainFault, zone: string): Message {
  if (fault.kind === 'missing') return message('people.audit_missing', { n: fault.n });
  const { n, at, who, act, run = '-' } = fault.line;
  return message('people.audit_altered', { n, at: zonedText(at, zone), who, act, run });
}

/** Checks the audit from its first entry to its recorded end. Entries may be added during the check. */
export async function checkChain(audit: Ledger['audit']): Promise<CheckedChain> {
  // Read first, so that entries added during the check follow it.
  const head = await audit.head();
  let end: ChainEnd = BEFORE_FIRST;
  for await (const lines of audit.list()) {
    for (const line of lines) {
      if (line.n > end.n + 1) return { sound: end.n, fault: { kind: 'missing', n: end.n + 1 } };
      const fitsHead = line.n !== head?.n || line.hash === head.hash;
      if (!follows(end, line) || !fitsHead) return { sound: end.n, fault: { kind: 'altered', line } };
      end = line;
    }
  }
  // Without a recorded end it is unknown how many entries were removed at the end.
  return end.n < (head?.n ?? Number.POSITIVE_INFINITY)
    ? { sound: end.n, fault: { kind: 'missing', n: end.n + 1 } }
    : { sound: end.n };
}
