import type { KeyHolder } from '../contract.js';
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
}

/** What is left of a holder once its run is pruned. */
interface Kept {
  readonly row: number;
  readonly content: string;
  readonly status: string | null;
  readonly licenseOrderId: string | null;
}

/** Reads a holder's line from `item_keys`, joined as `holders` (items) and `ends` (outcomes). */
export const HOLDER_COLUMNS = `item_keys.item, item_keys.kept_json, holders.first_row, holders.content, ends.status,
  ends.license_order_id`;
export const HOLDER_JOINS = `LEFT JOIN items AS holders ON holders.id = item_keys.item
LEFT JOIN outcomes AS ends ON ends.item = item_keys.item`;

/** A holder whose fate is open may already have had its effect: it counts as unknown. */
export function toHolder(it: HolderLine, numbers: RunNumbers): KeyHolder {
  const kept: Kept = it.kept_json
    ? (JSON.parse(it.kept_json) as Kept)
    : {
        row: unpackId(it.first_row ?? 0),
        content: it.content ?? '',
        status: it.status,
        licenseOrderId: it.license_order_id,
      };
  const settled = kept.status === 'succeeded' || kept.status === 'accepted';
  return {
    run: numbers.name(runOf(it.item)),
    row: kept.row,
    status: settled ? (kept.status as KeyHolder['status']) : 'unknown',
    content: kept.content,
    ...(kept.licenseOrderId === null ? {} : { licenseOrderId: kept.licenseOrderId }),
  };
}

/** JSON of a holder for `kept_json`, from columns of `items` and `outcomes`. */
export const KEPT_JSON = `json_object('row', items.first_row & 4294967295, 'content', items.content,
  'status', outcomes.status, 'licenseOrderId', outcomes.license_order_id)`;
