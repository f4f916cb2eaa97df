import type { Message } from '../../errors/message.js';
import type { Fault } from '../../model/fault.js';
import type { ItemStatus } from '../../model/outcome.js';
import type { Status } from '../../model/status.js';
import { exactStringify } from '../../util/exact-json.js';
import type { RowVerdict } from '../contract/plan.js';
import type { RowResult } from '../contract/report.js';
import { type ItemLine, rowResult, type VerdictLine } from '../rules/row-result.js';
import { idRange, unpackId, unpackRows } from './ids.js';
import { type Lines, pagesOf } from './pages.js';

export interface ItemRecord {
  readonly row: number;
  readonly item: number;
  readonly status: ItemStatus | null;
  readonly attempts: number | null;
  readonly license_order_id: string | null;
  readonly code: string | null;
  readonly message_json: string | null;
  readonly columns_json: string | null;
  readonly in_doubt: number;
}

export interface VerdictRecord {
  readonly row: number;
  readonly status: Status;
  readonly faults_json: string | null;
  readonly message_json: string | null;
  readonly license_order_id: string | null;
  readonly columns_json: string | null;
}

/** What is kept of a verdict: status, faults, message, order, columns and records, in this order. */
export function verdictValues(it: RowVerdict): (string | null)[] {
  return [
    it.status,
    it.faults ? JSON.stringify(it.faults) : null,
    it.message ? JSON.stringify(it.message) : null,
    it.got?.licenseOrderId ?? null,
    it.got?.columns ? JSON.stringify(it.got.columns) : null,
    it.got?.records ? exactStringify(it.got.records) : null,
  ];
}

export function itemLine(it: ItemRecord): ItemLine {
  return {
    row: it.row,
    item: it.item,
    status: it.status ?? undefined,
    attempts: it.attempts ?? undefined,
    licenseOrderId: it.license_order_id ?? undefined,
    code: it.code ?? undefined,
    message: parsed<Message | string>(it.message_json),
    columns: parsed<Record<string, string>>(it.columns_json),
    inDoubt: it.in_doubt === 1,
  };
}

export function verdictLine(it: VerdictRecord): VerdictLine {
  return {
    row: it.row,
    status: it.status,
    faults: parsed<Fault[]>(it.faults_json) ?? [],
    message: parsed<Message | string>(it.message_json),
    licenseOrderId: it.license_order_id ?? undefined,
    columns: parsed<Record<string, string>>(it.columns_json),
  };
}

function parsed<T>(json: string | null): T | undefined {
  return json === null ? undefined : (JSON.parse(json) as T);
}

/** Lines of some rows, each list by ascending row. */
export interface RowLines {
  readonly items: readonly ItemLine[];
  readonly verdicts: readonly VerdictLine[];
}

/** What the rows came to that the lines tell of, by ascending row. */
export function rowResults(
  { items, verdicts }: RowLines,
  pendingAs: 'valid' | 'not_sent',
  textOf: (item: number) => string | undefined,
): RowResult[] {
  const results: RowResult[] = [];
  let item = 0;
  let verdict = 0;
  while (item < items.length || verdict < verdicts.length) {
    const row = Math.min(items[item]?.row ?? Infinity, verdicts[verdict]?.row ?? Infinity);
    const nextItem = endOf(items, item, row);
    const nextVerdict = endOf(verdicts, verdict, row);
    const own = verdicts.slice(verdict, nextVerdict);
    results.push(rowResult(unpackId(row), own, items.slice(item, nextItem), pendingAs, textOf));
    item = nextItem;
    verdict = nextVerdict;
  }
  return results;
}

/** Index after the lines of a row, which begin at `from` if there are any. */
function endOf(lines: readonly { readonly row: number }[], from: number, row: number): number {
  let end = from;
  while (lines[end]?.row === row) end += 1;
  return end;
}

/** The body of an item that is text, such as a lock number. */
export function textOfBody(json: string | undefined): string | undefined {
  return json?.startsWith('"') ? (JSON.parse(json) as string) : undefined;
}

/** An item with the ids of its rows. */
export interface SharedLine {
  readonly item: number;
  readonly rows_json: string;
}

/**
 * Rows of items of a run, by item.
 * @param read a page after an item and before the id `end`
 */
export async function* rowsByItem(
  run: number,
  read: (after: number, end: number) => Lines<SharedLine>,
): AsyncGenerator<readonly number[]> {
  const { first, end } = idRange(run);
  for await (const lines of pagesOf(
    first,
    (after) => read(after, end),
    (it) => it.item,
  )) {
    for (const it of lines) yield unpackRows(it.rows_json);
  }
}
