import { EFFECTS } from '../rules/item-state.js';

/*
 * The rules of ../rules/item-state.ts in SQL, for sets of a million items. test/ledger/rules-in-sql.test.ts compares both for
 * all possible states. Each rule reads `outcomes`, joined by LEFT JOIN, and gets the batch or item as an expression.
 */

/** A list of words without quotes in SQL: `'succeeded', 'accepted'`. */
export function sqlList(words: Iterable<string>): string {
  return [...words].map((it) => `'${it}'`).join(', ');
}

/** `isToBeSent` */
export const TO_BE_SENT = `coalesce(outcomes.status, 'not_sent') = 'not_sent'`;

/** Items of the batch of a row, for a lateral join: `id` and `item_key`. OFFSET 0 makes the planner use the indexes. */
export function itemsOf(row: string): string {
  return `SELECT items.id, items.item_key FROM batch_items JOIN items ON items.id = batch_items.item
    WHERE batch_items.batch = ${row}.batch OFFSET 0`;
}

/** An attempt of the batch is open, or may have taken effect. */
const OPEN_OR_UNCERTAIN = '(attempts.ended_at IS NULL OR attempts.doubtful = 1)';

const anyAttempt = (batch: string, condition: string): string =>
  `EXISTS (SELECT 1 FROM attempts WHERE attempts.batch = ${batch} AND ${condition})`;

const ofItem = (item: string): string => `(SELECT batch FROM batch_items AS own WHERE own.item = ${item})`;

/** `countsAs` returns `unknown` for an item that is still to be sent. */
export function countsAsUnknown(item: string): string {
  return `(${TO_BE_SENT} AND ${anyAttempt(ofItem(item), OPEN_OR_UNCERTAIN)})`;
}

/** `mayHaveHadEffect` */
export function mayHaveHadEffect(item: string): string {
  return `(outcomes.status IN (${sqlList(EFFECTS)}) OR ${countsAsUnknown(item)})`;
}

/** `isUnresolved`, of the items of a batch. */
export function isUnresolved(batch: string): string {
  return `(outcomes.status = 'unknown' OR (${TO_BE_SENT} AND ${anyAttempt(batch, 'attempts.doubtful = 1')}))`;
}
