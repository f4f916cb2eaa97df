import type { JsonObject } from '../../model/json.js';
import { exactParse } from '../../util/exact-json.js';
import type { HeldItem, KeyHolder } from '../contract/plan.js';
import { effectOf } from '../rules/item-state.js';
import type { Dialect } from './dialect.js';
import { type KnownRuns, runOf, unpackId, unpackRows } from './ids.js';
import { queryOne, type Store } from './statement.js';

/** An item that has a key, from `item_keys` with `HOLDER_JOINS`. */
export interface HolderLine {
  readonly item: number;
  readonly kept_json: string | null;
  readonly first_row: number | null;
  readonly content: string | null;
  readonly status: string | null;
  readonly license_order_id: string | null;
  readonly columns_json: string | null;
  /** null if there are none. */
  readonly records_json: string | null;
}

/** Data of a holder that is kept after its run is pruned. */
interface Kept {
  readonly row: number;
  readonly content: string;
  readonly status: string | null;
  readonly licenseOrderId: string | null;
  /** Absent in ledgers of 0.1. */
  readonly columns?: Readonly<Record<string, string>> | null;
  /** JSON of a list, exactly as stored; of step runs only, because later steps use its values. */
  readonly records?: string | null;
}

/** Joins the item that has a key as `holders`, and its outcome as `ends`. */
export const HOLDER_JOINS = `LEFT JOIN items AS holders ON holders.id = item_keys.item
LEFT JOIN outcomes AS ends ON ends.item = item_keys.item`;

/** Records of an item as a JSON list, exactly as stored; null if there are none. */
export const recordsOf = (item: string): string =>
  `(SELECT '[' || string_agg(records.json, ',' ORDER BY records.n) || ']' FROM records WHERE records.item = ${item})`;

/** Reads a `HolderLine` from `item_keys` with `HOLDER_JOINS`. */
export const HOLDER_COLUMNS = `item_keys.item, item_keys.kept_json, holders.first_row, holders.content, ends.status,
  ends.license_order_id, ends.columns_json, ${recordsOf('item_keys.item')} AS records_json`;

const OTHER_HOLDER = ({ onlyClaimed }: Dialect) => `
SELECT ${HOLDER_COLUMNS} FROM item_keys ${HOLDER_JOINS}
WHERE item_keys.scope = $1 AND item_keys.item_key = $2 AND item_keys.item <> $3 AND NOT ${onlyClaimed}`;

/** The holder of a key if it is another item. An item that has only claimed the key ahead is ignored. */
export function* otherHolder(
  runs: KnownRuns,
  { scope, key, item }: { readonly scope: number; readonly key: string; readonly item: number },
): Store<KeyHolder | undefined> {
  const held = yield* queryOne<HolderLine>(OTHER_HOLDER, scope, key, item);
  return held && toHolder(held, yield* runs.name(runOf(held.item)));
}

/** @param run the id of its run, which may be pruned */
export function toHolder(line: HolderLine, run: string): KeyHolder {
  const kept: Kept = line.kept_json
    ? (JSON.parse(line.kept_json) as Kept)
    : {
        row: unpackId(line.first_row ?? 0),
        content: line.content ?? '',
        status: line.status,
        licenseOrderId: line.license_order_id,
        columns: line.columns_json === null ? null : (JSON.parse(line.columns_json) as Kept['columns']),
      };
  const records = line.records_json ?? kept.records ?? undefined;
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

/** An item that has a key, read before its run is pruned. */
export type ToKeepLine = Pick<HolderLine, 'status' | 'license_order_id' | 'columns_json'> & {
  readonly first_row: number;
  readonly content: string;
  readonly records_json?: string | null;
};

/**
 * The value of `kept_json`. `ids` removes the enterprise's name. `all` is for step runs: requests of later steps contain their
 * results, and would differ without them.
 */
export function keptJson(line: ToKeepLine, what: 'ids' | 'all'): string {
  const columns =
    line.columns_json === null ? null : (JSON.parse(line.columns_json) as Record<string, string>);
  if (columns && what === 'ids') delete columns.enterpriseName;
  const kept: Kept = {
    row: unpackId(line.first_row),
    content: line.content,
    status: line.status,
    licenseOrderId: line.license_order_id,
    columns,
    ...(what === 'all' && line.records_json ? { records: line.records_json } : {}),
  };
  return JSON.stringify(kept);
}

export type HeldLine = HolderLine & {
  readonly id: number;
  readonly own_content: string;
  readonly rows_json: string;
};

/** @param run of the holder */
export function toHeld(line: HeldLine, run: string): HeldItem {
  const { id, rows_json: rows, own_content: content } = line;
  return { item: unpackId(id), rows: unpackRows(rows), content, holder: toHolder(line, run) };
}

/** A scope without keys. */
export const NO_SCOPE = 0;
