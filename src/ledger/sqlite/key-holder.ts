import type { HolderLine } from '../shared/key-holder.js';

export interface ClaimLine extends HolderLine {
  /** 1 where the key is claimed for an item of which nothing was sent yet. */
  readonly only_claimed: number;
}

/**
 * True of a key (of `item_keys`, joined as below) whose item a process is about to send, and of which nothing has left:
 * else an intent or an outcome would stand in the tables.
 */
export const ONLY_CLAIMED = `(item_keys.kept_json IS NULL AND ends.status IS NULL AND NOT EXISTS (
  SELECT 1 FROM batch_items AS carrying WHERE carrying.item = item_keys.item
    AND (EXISTS (SELECT 1 FROM attempts WHERE attempts.batch = carrying.batch)
      OR EXISTS (SELECT 1 FROM attempts_begun WHERE attempts_begun.batch = carrying.batch))))`;

/** Records of an item, put together as they stand; null where there are none. */
const recordsOf = (
  item: string,
): string => `(SELECT nullif(json_group_array(json(records.json) ORDER BY records.n), '[]')
  FROM records WHERE records.item = ${item})`;

/** Reads a `ClaimLine` from `item_keys` with `HOLDER_JOINS`. */
export const HOLDER_COLUMNS = `item_keys.item, item_keys.kept_json, holders.first_row, holders.content, ends.status,
  ends.license_order_id, ends.columns_json, ${recordsOf('item_keys.item')} AS records_json, ${ONLY_CLAIMED} AS only_claimed`;

const kept = (columns: string, more = ''): string =>
  `json_object('row', items.first_row & 4294967295, 'content', items.content,
  'status', outcomes.status, 'licenseOrderId', outcomes.license_order_id, 'columns', ${columns}${more})`;

/** JSON of a holder for `kept_json`, from columns of `items` and `outcomes`: as `keptJson` makes it. */
export const KEPT_JSON = {
  ids: kept(`json_remove(outcomes.columns_json, '$.enterpriseName')`),
  // As text: digit for digit.
  all: kept('json(outcomes.columns_json)', `, 'records', ${recordsOf('items.id')} || ''`),
};
