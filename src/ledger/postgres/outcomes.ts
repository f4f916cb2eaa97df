import type { ItemOutcome } from '../../model/item.js';
import { exactStringify } from '../../util/exact-json.js';
import { TO_BE_SENT } from '../store/item-state.js';
import type { Queryable } from './transaction.js';

/** The outcome of an item, for a statement that writes many. */
export interface OutcomeLine {
  /** Number of the closed attempt, from 1. */
  readonly n: number;
  readonly item: number;
  readonly attempts: number;
  readonly outcome: ItemOutcome;
}

/**
 * Parts of a statement: write outcomes and records of the attempts in its part `closed`, by `n`. An item with an outcome keeps
 * it and its records. `not_sent` is not an outcome: such an item is still to be sent, and only the report shows why it was not
 * sent yet. The part `written` contains what was written.
 * @param at number of the first of its eleven parameters (`outcomeArrays`)
 */
export const WRITE_OUTCOMES = (at: number): string => `
entries AS MATERIALIZED (
  SELECT * FROM unnest($${at}::int[], $${at + 1}::bigint[], $${at + 2}::text[], $${at + 3}::int[], $${at + 4}::text[],
    $${at + 5}::text[], $${at + 6}::text[], $${at + 7}::text[])
    AS entries (n, item, status, attempts, license_order_id, code, message_json, columns_json)
), written AS (
  INSERT INTO outcomes (item, status, attempts, license_order_id, code, message_json, columns_json)
  SELECT entries.item, entries.status, entries.attempts, entries.license_order_id, entries.code, entries.message_json,
    entries.columns_json
  FROM entries JOIN closed USING (n) ORDER BY entries.item
  ON CONFLICT (item) DO UPDATE SET status = excluded.status, attempts = excluded.attempts,
    license_order_id = excluded.license_order_id, code = excluded.code, message_json = excluded.message_json,
    columns_json = excluded.columns_json
  WHERE outcomes.status = 'not_sent'
  RETURNING item, status
), recorded AS (
  INSERT INTO records (item, n, json)
  SELECT line.item, line.n, line.json
  FROM unnest($${at + 8}::bigint[], $${at + 9}::int[], $${at + 10}::text[]) AS line (item, n, json)
  JOIN written ON written.item = line.item
  ON CONFLICT (item, n) DO UPDATE SET json = excluded.json
)`;

/** The parameters of `WRITE_OUTCOMES`. If an item occurs twice, the first entry is used. */
export function outcomeArrays(lines: readonly OutcomeLine[]): unknown[] {
  const entries = [...new Map([...lines].reverse().map((it) => [it.item, it])).values()].reverse();
  const records = entries.flatMap(({ item, outcome }) =>
    (outcome.records ?? []).map((record, at) => ({ item, n: at + 1, json: exactStringify(record) })),
  );
  return [
    entries.map((it) => it.n),
    entries.map((it) => it.item),
    entries.map((it) => it.outcome.status),
    entries.map((it) => it.attempts),
    entries.map((it) => it.outcome.licenseOrderId ?? null),
    entries.map((it) => it.outcome.code ?? null),
    entries.map(({ outcome }) => (outcome.message === undefined ? null : JSON.stringify(outcome.message))),
    entries.map(({ outcome }) => columnsJson(outcome)),
    records.map((it) => it.item),
    records.map((it) => it.n),
    records.map((it) => it.json),
  ];
}

function columnsJson({ columns }: ItemOutcome): string | null {
  return columns && Object.keys(columns).length > 0 ? JSON.stringify(columns) : null;
}

const WRITE = `WITH closed AS (SELECT 1 AS n), ${WRITE_OUTCOMES(1)} SELECT item FROM written`;

/** Marks batches as done if no item is still to be sent. */
const FINISH = `
UPDATE batches SET done = 1 WHERE id = ANY ($1::bigint[]) AND NOT EXISTS (
  SELECT 1 FROM batch_items LEFT JOIN outcomes ON outcomes.item = batch_items.item
  WHERE batch_items.batch = batches.id AND ${TO_BE_SENT})`;

/** Writes outcomes of items; returns the items that had none before. Runs inside a transaction. */
export async function writeOutcomes(
  tx: Queryable,
  outcomes: readonly Omit<OutcomeLine, 'n'>[],
): Promise<ReadonlySet<number>> {
  if (outcomes.length === 0) return new Set();
  const lines = await tx.all<{ item: number }>(WRITE, outcomeArrays(outcomes.map((it) => ({ ...it, n: 1 }))));
  return new Set(lines.map((it) => it.item));
}

export async function finishBatches(tx: Queryable, batches: readonly number[]): Promise<void> {
  await tx.run(FINISH, [batches]);
}
