import type { JsonObject } from '../../model/json.js';
import { exactParse } from '../../util/exact-json.js';
import type { RowGain, RowResult } from '../contract/report.js';
import { unpackId } from './ids.js';
import type { RowLines } from './row-lines.js';

/** Records of rows, each item's at all of its rows; by row. */
export const itemRecordsSql = (after: string, last: string): string => `
SELECT item_rows."row" AS "row", records.json FROM item_rows JOIN records ON records.item = item_rows.item
WHERE item_rows."row" > ${after} AND item_rows."row" <= ${last}
ORDER BY item_rows."row", records.item, records.n`;

/** What an earlier run had got for rows. */
export const verdictRecordsSql = (after: string, last: string): string => `
SELECT "row" AS "row", records_json AS json FROM verdicts
WHERE "row" > ${after} AND "row" <= ${last} AND records_json IS NOT NULL ORDER BY "row", n`;

export interface GainLine {
  readonly row: number;
  readonly json: string;
}

/** The results with their rows' items and records. */
export function rowGains(
  results: readonly RowResult[],
  lines: RowLines,
  items: readonly GainLine[],
  verdicts: readonly GainLine[],
): RowGain[] {
  const byRow = new Map<number, JsonObject[]>();
  // The rows of one item share its records: they are read once.
  const read = new Map<string, JsonObject>();
  const add = (row: number, records: readonly JsonObject[]): void => {
    const there = byRow.get(row);
    if (there) there.push(...records);
    else byRow.set(row, [...records]);
  };
  for (const { row, json } of items) {
    const record = read.get(json) ?? (exactParse(json) as JsonObject);
    read.set(json, record);
    add(unpackId(row), [record]);
  }
  for (const { row, json } of verdicts)
    add(unpackId(row), exactParse(json) as unknown as readonly JsonObject[]);
  const itemsOf = new Map<number, number[]>();
  for (const { row, item } of lines.items) {
    const number = unpackId(row);
    itemsOf.set(number, [...(itemsOf.get(number) ?? []), unpackId(item)]);
  }
  const several = textsOfSeveral(lines);
  return results.map((it) => {
    const texts = several.get(it.row);
    return {
      ...it,
      items: itemsOf.get(it.row) ?? NONE,
      records: byRow.get(it.row) ?? NONE,
      ...(texts ? { several: texts } : {}),
    };
  });
}

type Several = NonNullable<RowGain['several']>;

/** Rows of several items that got different texts under one name. Shown side by side these would pass for one text. */
function textsOfSeveral({ items, verdicts }: RowLines): ReadonlyMap<number, Several> {
  const byRow = new Map<number, Map<string, Set<string>>>();
  for (const { row, columns, licenseOrderId = '' } of [...verdicts, ...items]) {
    const number = unpackId(row);
    const texts = byRow.get(number) ?? new Map<string, Set<string>>();
    byRow.set(number, texts);
    for (const [name, text] of [
      ...Object.entries(columns ?? {}),
      ['licenseOrderId', licenseOrderId] as const,
    ])
      if (text !== '') texts.set(name, (texts.get(name) ?? new Set()).add(text));
  }
  const several = new Map<number, Several>();
  for (const [row, texts] of byRow) {
    const differing = [...texts]
      .filter(([, it]) => it.size > 1)
      .map(([name, it]) => [name, [...it]] as const);
    if (differing.length > 0) several.set(row, new Map(differing));
  }
  return several;
}

const NONE: readonly never[] = [];
