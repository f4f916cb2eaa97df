import type { RepeatedKey } from '../contract/plan.js';
import { unpackId } from './ids.js';

/** A row of an item whose key or subject stands on others too; `first`: the first of these items. */
export interface RepeatLine {
  readonly first: number;
  readonly item: number;
  readonly row: number;
}

/** Lines by first item, item and row. */
export function* groups(lines: readonly RepeatLine[]): Generator<RepeatedKey> {
  const byFirst = new Map<number, Map<number, number[]>>();
  for (const { first, item, row } of lines) {
    const items = byFirst.get(first) ?? new Map<number, number[]>();
    byFirst.set(first, items);
    const rows = items.get(item);
    if (rows) rows.push(unpackId(row));
    else items.set(item, [unpackId(row)]);
  }
  for (const items of byFirst.values()) {
    yield { items: [...items].map(([item, rows]) => ({ item: unpackId(item), rows })) };
  }
}

export interface InvalidItem {
  readonly item: number;
  readonly rows: readonly number[];
  /** Those of the rows that are invalid. */
  readonly invalid: readonly number[];
}

export interface RowOfItem {
  readonly row: number;
  readonly invalid: number;
}

export function toInvalidItem(item: number, rows: readonly RowOfItem[]): InvalidItem {
  return {
    item: unpackId(item),
    rows: rows.map((it) => unpackId(it.row)),
    invalid: rows.filter((it) => it.invalid === 1).map((it) => unpackId(it.row)),
  };
}
