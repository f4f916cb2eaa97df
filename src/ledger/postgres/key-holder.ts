/** Records of an item, put together as they stand, digit for digit; null where there are none. */
export const recordsOf = (
  item: string,
): string => `(SELECT '[' || string_agg(records.json, ',' ORDER BY records.n) || ']'
  FROM records WHERE records.item = ${item})`;

/** Reads a `HolderLine` from `item_keys` with `HOLDER_JOINS`. */
export const HOLDER_COLUMNS = `item_keys.item, item_keys.kept_json, holders.first_row, holders.content, ends.status,
  ends.license_order_id, ends.columns_json,
  ${recordsOf('item_keys.item')} AS records_json`;
