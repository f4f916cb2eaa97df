import type { Ledger } from '../../ledger/contract/ledger.js';
import type { Run } from '../../ledger/contract/run.js';
import { isObject, type Json, member } from '../../model/json.js';
import type { Operation, OperationName } from '../../model/operation.js';
import { operationNamed } from '../../platform/operations/index.js';

/** What an earlier run sent for the same customer or lock, and the platform confirmed. */
export interface EarlierItem {
  readonly run: string;
  readonly row: number;
  readonly operation: OperationName;
  readonly body: Json;
}

/** Operations that state the same fields of the same subject. */
const STATING: readonly (readonly OperationName[])[] = [
  ['enterprise.update', 'enterprise.create'],
  ['asset.lock', 'asset.unlock'],
];

/** So much of the ledger is looked through, newest first; of what lies further back nothing is said. */
const RUNS_LISTED = 1000;
const RUNS_READ = 50;
const ITEMS_READ = 200_000;

/** The customer or lock that an item is about. */
export function subjectOf(
  { name, subject }: Operation,
  { body }: { readonly body: Json },
): string | undefined {
  const field = subject ?? (name === 'enterprise.create' ? 'crmCustomerId' : undefined);
  const value = field !== undefined && isObject(body) ? member(body, field) : body;
  return typeof value === 'string' && value !== '' ? value : undefined;
}

interface Found {
  /** When the run began that sent it: others that ended later may have sent something after it. */
  readonly since: number;
  /** Absent where it isn't sure what was sent last. */
  readonly item?: EarlierItem;
}

/**
 * The last item that earlier runs over this connection got through for each subject. A subject is left out where it isn't
 * sure which was the last: something may have been carried out, or runs were under way at the same time.
 */
export async function earlierItems(
  ledger: Ledger,
  run: Run,
  subjects: ReadonlySet<string>,
): Promise<ReadonlyMap<string, EarlierItem>> {
  const found = new Map<string, Found>();
  const runs = subjects.size === 0 ? [] : await runsBefore(ledger, run);
  let read = 0;
  let left = ITEMS_READ;
  for (const of of runs) {
    // Of a pruned run it isn't known any more what it sent.
    if (of.prunedAt !== undefined || read >= RUNS_READ || left <= 0) break;
    const open = new Set([...subjects].filter((it) => endOf(of) >= (found.get(it)?.since ?? 0)));
    if (open.size > 0) left = await readRun(ledger, of, open, found, left);
    if (left > 0) read += 1;
  }
  const unread = runs[read];
  const sure = [...found].flatMap(([subject, { since, item }]) =>
    item && (!unread || endOf(unread) < since) ? [[subject, item] as const] : [],
  );
  return new Map(sure);
}

/** @returns how many items may still be read */
async function readRun(
  ledger: Ledger,
  run: Run,
  open: ReadonlySet<string>,
  found: Map<string, Found>,
  limit: number,
): Promise<number> {
  const operation = operationNamed(run.operation as OperationName);
  let left = limit;
  for await (const page of ledger.undoings.effects(run.id)) {
    left -= page.length;
    for (const effect of page) {
      const subject = subjectOf(operation, effect);
      if (subject === undefined || !open.has(subject)) continue;
      const before = found.get(subject);
      const since = Math.min(before?.since ?? run.startedAt, run.startedAt);
      const isSure = before === undefined && effect.outcome.status === 'succeeded';
      const { body, rows } = effect;
      const item = { run: run.id, row: rows[0]!, operation: operation.name, body };
      found.set(subject, { since, ...(isSure ? { item } : {}) });
    }
    if (left <= 0) break;
  }
  return left;
}

/** Runs that may have changed the same things, by their ends, the last one first. */
async function runsBefore(ledger: Ledger, run: Run): Promise<readonly Run[]> {
  const stating = STATING.find((it) => it.some((name) => name === run.operation)) ?? [];
  const all = await ledger.runs.list(RUNS_LISTED, 'steps too');
  return all
    .filter(
      (it) =>
        it.kind === 'run' &&
        it.id !== run.id &&
        it.items > 0 &&
        it.scope === run.scope &&
        stating.some((name) => name === it.operation),
    )
    .sort((a, b) => endOf(b) - endOf(a) || (a.id < b.id ? 1 : -1));
}

/** A run without an end may still send. */
function endOf({ endedAt = Number.POSITIVE_INFINITY }: Run): number {
  return endedAt;
}
