import type { Ledger } from '../../ledger/contract/ledger.js';
import type { Run } from '../../ledger/contract/runs.js';
import { isObject, type Json, member } from '../../model/json.js';
import type { Operation, OperationName } from '../../model/operation.js';
import { operationNamed } from '../../platform/operations/catalogue.js';

/** An item that an earlier run sent for the same customer or lock, and the platform confirmed. */
export interface EarlierItem {
  readonly run: string;
  readonly row: number;
  readonly operation: OperationName;
  readonly body: Json;
}

/** Operations that set the same fields of the same subject. */
const STATING: readonly (readonly OperationName[])[] = [
  ['enterprise.update', 'enterprise.create'],
  ['asset.lock', 'asset.unlock'],
];

/** Limits of the search, newest first. Older items are not reported. */
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
  /** Start of the run that sent it. Other runs that ended later may have sent something after it. */
  readonly since: number;
  /** Absent if it is uncertain what was sent last. */
  readonly item?: EarlierItem;
}

/**
 * The last successful item of earlier runs on this connection, by subject. A subject is omitted if it is uncertain
 * which item was the last: something may have been executed, or runs overlapped.
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
  for (const earlier of runs) {
    // The content of a pruned run is unknown.
    if (earlier.prunedAt !== undefined || read >= RUNS_READ || left <= 0) break;
    const open = new Set([...subjects].filter((it) => endOf(earlier) >= (found.get(it)?.since ?? 0)));
    if (open.size > 0) left = await readRun(ledger, earlier, open, found, left);
    if (left > 0) read += 1;
  }
  const unread = runs[read];
  const certain = [...found].flatMap(([subject, { since, item }]) =>
    item && (!unread || endOf(unread) < since) ? [[subject, item] as const] : [],
  );
  return new Map(certain);
}

/** @returns how many more items may be read */
async function readRun(
  ledger: Ledger,
  run: Run,
  open: ReadonlySet<string>,
  found: Map<string, Found>,
  limit: number,
): Promise<number> {
  const operation = operationNamed(run.operation as OperationName);
  let left = limit;
  for await (const page of ledger.reversals.effects(run.id)) {
    left -= page.length;
    for (const effect of page) {
      const subject = subjectOf(operation, effect);
      if (subject === undefined || !open.has(subject)) continue;
      const before = found.get(subject);
      const since = Math.min(before?.since ?? run.startedAt, run.startedAt);
      const isCertain = before === undefined && effect.outcome.status === 'succeeded';
      const { body, rows } = effect;
      const item = { run: run.id, row: rows[0]!, operation: operation.name, body };
      found.set(subject, { since, item: isCertain ? item : undefined });
    }
    if (left <= 0) break;
  }
  return left;
}

/** Runs that may have changed the same subjects, by their ends, the latest first. */
async function runsBefore(ledger: Ledger, run: Run): Promise<readonly Run[]> {
  const operations = STATING.find((group) => group.some((name) => name === run.operation)) ?? [];
  const all = await ledger.runs.list(RUNS_LISTED, 'steps too');
  return all
    .filter(
      (earlier) =>
        earlier.kind === 'run' &&
        earlier.id !== run.id &&
        earlier.items > 0 &&
        earlier.scope === run.scope &&
        operations.some((name) => name === earlier.operation),
    )
    .sort((a, b) => endOf(b) - endOf(a) || (a.id < b.id ? 1 : -1));
}

/** A run without an end may still send. */
function endOf({ endedAt = Number.POSITIVE_INFINITY }: Run): number {
  return endedAt;
}
