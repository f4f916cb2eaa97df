import type {
  AttemptClosed,
  AttemptEnd,
  Cleared,
  PendingBatch,
} from '../../src/ledger/contract/execution.js';
import type { Ledger } from '../../src/ledger/contract/ledger.js';
import type { RowResult } from '../../src/ledger/contract/report.js';
import type { RunStart } from '../../src/ledger/contract/runs.js';
import type { ItemOutcome, PlannedItem, PlannedItems } from '../../src/model/item.js';
import type { Json, JsonObject } from '../../src/model/json.js';
import { exactStringify } from '../../src/util/exact-json.js';

export const SUCCEEDED: ItemOutcome = { status: 'succeeded', licenseOrderId: 'LO-1', code: '0' };

export function runStart(id: string, change: Partial<RunStart> = {}): RunStart {
  return {
    id,
    kind: 'run',
    job: 'new-buy',
    jobFile: '/jobs/new-buy.yaml',
    jobSha256: 'a'.repeat(64),
    operation: 'order.new_buy',
    connection: 'sandbox',
    scope: 'sandbox',
    inputFile: '/data/orders.xlsx',
    inputSha256: 'b'.repeat(64),
    settings: { flags: ['x'], big: 12345678901234567890n },
    startedAt: 1_764_000_000_000,
    ...change,
  };
}

export const ENVELOPE: JsonObject = { channelCode: 'C1', syncMode: 'sync' };

interface Change extends Partial<Omit<PlannedItem, 'envelopeJson' | 'bodyJson'>> {
  readonly envelope?: JsonObject;
  readonly body?: Json;
}

/** An order made of one row. */
export function order(row: number, { envelope, body, ...change }: Change = {}): PlannedItem {
  return {
    rows: [row],
    envelopeJson: exactStringify(envelope ?? ENVELOPE),
    bodyJson: exactStringify(body ?? { adminAccount: `${row}`, customerName: `客户 ${row}` }),
    content: `content-${row}`,
    ...change,
  };
}

/** Items as the ledger takes them. */
export function columnsOf(items: readonly PlannedItem[]): PlannedItems {
  return {
    rows: items.map((it) => it.rows),
    envelopeJson: items.map((it) => it.envelopeJson),
    bodyJson: items.map((it) => it.bodyJson),
    key: items.map((it) => it.key),
    content: items.map((it) => it.content),
    subject: items.map((it) => it.subject),
    touches: items.map((it) => it.touches),
    things: items.map((it) => it.things),
  };
}

/** Creates a run and plans it. */
export async function planRun(
  ledger: Ledger,
  id: string,
  items: readonly PlannedItem[],
  { size = 1, ...change }: Partial<RunStart> & { size?: number } = {},
): Promise<void> {
  await ledger.runs.create(runStart(id, change));
  await ledger.plan.addItems(id, columnsOf(items));
  await ledger.plan.formBatches(id, size);
  await ledger.plan.finish(id, new Set(items.flatMap((it) => it.rows)).size);
}

let nonces = 0;

export async function openBatch(
  ledger: Ledger,
  run: string,
  batch: number,
  attempt = 1,
  claim = true,
): Promise<Cleared> {
  nonces += 1;
  const nonce = `nonce-${process.pid}-${nonces}`;
  return ledger.execution.open({ run, batch, attempt, nonce, startedAt: 1000 * attempt }, { claim });
}

export async function closeBatch(
  ledger: Ledger,
  run: string,
  batch: number,
  outcomes: Readonly<Record<number, ItemOutcome>>,
  change: Partial<AttemptEnd> = {},
): Promise<AttemptClosed> {
  return ledger.execution.close({
    run,
    batch,
    attempt: 1,
    endedAt: 2000,
    httpStatus: 200,
    event: 'reply',
    sent: true,
    outcomes: Object.entries(outcomes).map(([item, outcome]) => ({ item: Number(item), outcome })),
    ...change,
  });
}

/** One attempt at a batch, opened and closed. */
export async function carry(
  ledger: Ledger,
  run: string,
  batch: number,
  outcomes: Readonly<Record<number, ItemOutcome>>,
  change: Partial<AttemptEnd> = {},
): Promise<void> {
  await openBatch(ledger, run, batch, change.attempt);
  await closeBatch(ledger, run, batch, outcomes, change);
}

export async function allPending(ledger: Ledger, run: string): Promise<readonly PendingBatch[]> {
  return ledger.execution.pending(run, 0, 1000);
}

export async function allRows(
  ledger: Ledger,
  run: string,
  pendingAs: 'valid' | 'not_sent' = 'not_sent',
): Promise<RowResult[]> {
  const rows: RowResult[] = [];
  for await (const page of ledger.report.rows(run, pendingAs)) rows.push(...page);
  return rows;
}

/** `2 succeeded, 3 rejected`: row numbers and statuses in order. */
export async function statuses(ledger: Ledger, run: string): Promise<string> {
  return (await allRows(ledger, run)).map((it) => `${it.row} ${it.status}`).join(', ');
}

export async function collect<T>(things: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const it of things) found.push(it);
  return found;
}
