import type { JsonObject } from '../../model/json.js';
import { exactParse } from '../../util/exact-json.js';
import type { HeldItem, KeyHolder } from '../contract/key-holder.js';
import { effectOf } from '../rules/item-standing.js';
import { unpackId, unpackRows } from './ids.js';

/** What is known of an item that holds a key, from `item_keys`, joined as below. */
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
}

/** What is left of a holder once its run is pruned. */
interface Kept {
  readonly row: number;
  readonly content: string;
  readonly status: string | null;
  readonly licenseOrderId: string | null;
  /** Absent in ledgers of 0.1. */
  readonly columns?: Readonly<Record<string, string>> | null;
  /** JSON of a list, digit for digit: of step runs only, as later steps take their values from it. */
  readonly records?: string | null;
}

/** Of an item that holds a key, as `holders`, and of its outcome, as `ends`. */
export const HOLDER_JOINS = `LEFT JOIN items AS holders ON holders.id = item_keys.item
LEFT JOIN outcomes AS ends ON ends.item = item_keys.item`;

/**
 * The holder that a line tells of.
 * @param run the id of its run, which may be pruned
 */
export function toHolder(it: HolderLine, run: string): KeyHolder {
  const kept: Kept = it.kept_json
    ? (JSON.parse(it.kept_json) as Kept)
    : {
        row: unpackId(it.first_row ?? 0),
        content: it.content ?? '',
        status: it.status,
        licenseOrderId: it.license_order_id,
        columns: it.columns_json === null ? null : (JSON.parse(it.columns_json) as Kept['columns']),
      };
  const records = it.records_json ?? kept.records ?? undefined;
  return {
    run,
    row: kept.row,
    status: effectOf(kept.status),
    content: kept.content,
    got: {
      ...(kept.licenseOrderId === null ? {} : { licenseOrderId: kept.licenseOrderId }),
      ...(kept.columns ? { columns: kept.columns } : {}),
      ...(records === undefined ? {} : { records: exactParse(records) as readonly JsonObject[] }),
    },
  };
}

/** What is known of an item that holds a key, before its run is pruned. */
export type ToKeepLine = Pick<HolderLine, 'status' | 'license_order_id' | 'columns_json'> & {
  readonly first_row: number;
  readonly content: string;
  readonly records_json?: string | null;
};

/**
 * What is kept of it, for `kept_json`. Ids are kept, the name isn't, unless `all` is wanted: of a step, as what it returned
 * goes into the requests of later ones, which would be other requests without it.
 */
export function keptJson(it: ToKeepLine, what: 'ids' | 'all'): string {
  const columns = it.columns_json === null ? null : (JSON.parse(it.columns_json) as Record<string, string>);
  if (columns && what === 'ids') delete columns.enterpriseName;
  const kept: Kept = {
    row: unpackId(it.first_row),
    content: it.content,
    status: it.status,
    licenseOrderId: it.license_order_id,
    columns,
    ...(what === 'all' && it.records_json ? { records: it.records_json } : {}),
  };
  return JSON.stringify(kept);
}

export type HeldLine = HolderLine & {
  readonly id: number;
  readonly own_content: string;
  readonly rows_json: string;
};

/** @param run of the item that holds the key */
export function toHeld(it: HeldLine, run: string): HeldItem {
  const { id, rows_json: rows, own_content: content } = it;
  return { item: unpackId(id), rows: unpackRows(rows), content, holder: toHolder(it, run) };
}

/** No key belongs to it. */
export const NO_SCOPE = 0;
