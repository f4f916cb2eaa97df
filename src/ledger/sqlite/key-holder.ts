import type { JsonObject } from '../../model/json.js';
import { exactParse } from '../../util/exact-json.js';
import type { KeyHolder } from '../contract/key-holder.js';
import { effectOf } from '../rules/item-standing.js';
import { runOf, unpackId } from './ids.js';
import type { RunNumbers } from './run-numbers.js';

/** What is known of an item that holds a key; column names of HOLDER_COLUMNS. */
export interface HolderLine {
  readonly item: number;
  readonly kept_json: string | null;
  readonly first_row: number | null;
  readonly content: string | null;
  readonly status: string | null;
  readonly license_order_id: string | null;
  readonly columns_json: string | null;
  /** null where there are none. */
  readonly records_json: string | null;
  /** 1 where the key is claimed for an item of which nothing was sent yet. */
  readonly only_claimed: number;
}

/** What is left of a holder once its run is pruned. */
interface Kept {
  readonly row: number;
  readonly content: string;
  readonly status: string | null;
  readonly licenseOrderId: string | null;
  /** Absent in ledgers of 0.1. */
  readonly columns?: Readonly<Record<string, string>> | null;
}

/**
 * True of a key (of `item_keys`, joined as below) whose item a process is about to send, and of which nothing has left:
 * else an intent or an outcome would stand in the tables.
 */
export const ONLY_CLAIMED = `(item_keys.kept_json IS NULL AND ends.status IS NULL AND NOT EXISTS (
  SELECT 1 FROM batch_items AS carrying WHERE carrying.item = item_keys.item
    AND (EXISTS (SELECT 1 FROM attempts WHERE attempts.batch = carrying.batch)
      OR EXISTS (SELECT 1 FROM attempts_begun WHERE attempts_begun.batch = carrying.batch))))`;

/** Reads a holder's line from `item_keys`, joined as `holders` (items) and `ends` (outcomes). */
export const HOLDER_COLUMNS = `item_keys.item, item_keys.kept_json, holders.first_row, holders.content, ends.status,
  ends.license_order_id, ends.columns_json, (SELECT nullif(json_group_array(json(records.json) ORDER BY records.n), '[]')
  FROM records WHERE records.item = item_keys.item) AS records_json, ${ONLY_CLAIMED} AS only_claimed`;
export const HOLDER_JOINS = `LEFT JOIN items AS holders ON holders.id = item_keys.item
LEFT JOIN outcomes AS ends ON ends.item = item_keys.item`;

/** The holder that a line tells of; its run may be pruned. */
export function toHolder(it: HolderLine, numbers: RunNumbers): KeyHolder {
  const kept: Kept = it.kept_json
    ? (JSON.parse(it.kept_json) as Kept)
    : {
        row: unpackId(it.first_row ?? 0),
        content: it.content ?? '',
        status: it.status,
        licenseOrderId: it.license_order_id,
        columns: it.columns_json === null ? null : (JSON.parse(it.columns_json) as Kept['columns']),
      };
  return {
    run: numbers.name(runOf(it.item)),
    row: kept.row,
    status: effectOf(kept.status),
    content: kept.content,
    got: {
      ...(kept.licenseOrderId === null ? {} : { licenseOrderId: kept.licenseOrderId }),
      ...(kept.columns ? { columns: kept.columns } : {}),
      ...(it.records_json === null ? {} : { records: exactParse(it.records_json) as readonly JsonObject[] }),
    },
  };
}

/** JSON of a holder for `kept_json`, from columns of `items` and `outcomes`. Ids are kept, the name isn't. */
export const KEPT_JSON = `json_object('row', items.first_row & 4294967295, 'content', items.content,
  'status', outcomes.status, 'licenseOrderId', outcomes.license_order_id,
  'columns', json_remove(outcomes.columns_json, '$.enterpriseName'))`;
