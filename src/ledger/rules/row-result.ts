import type { Message } from '../../errors/message.js';
import type { Fault } from '../../model/fault.js';
import type { ItemStatus } from '../../model/outcome.js';
import { type Status, worst } from '../../model/status.js';
import type { RowResult } from '../contract/report.js';
import { countsAs } from './item-standing.js';
import { outcomeReason } from './outcome-reason.js';

type Saying = RowResult['messages'][number];

/** What the tables say of a row through one of its items. */
export interface ItemLine {
  readonly row: number;
  readonly item: number;
  /** null: no outcome yet. */
  readonly status: string | null;
  readonly attempts: number | null;
  readonly license_order_id: string | null;
  readonly code: string | null;
  readonly message_json: string | null;
  readonly columns_json: string | null;
  /** 1 while the item waits to be sent and an attempt of its batch is open, or may have had its effect. */
  readonly in_doubt: number;
}

/** What the tables say of a row by itself. */
export interface VerdictLine {
  readonly row: number;
  readonly status: string;
  readonly faults_json: string | null;
  readonly message_json: string | null;
  /** What an earlier run got, where that is why the row is skipped. */
  readonly license_order_id: string | null;
  readonly columns_json: string | null;
}

/** What a row came to, from its own verdicts and from its items. */
export function rowResult(
  row: number,
  verdicts: readonly VerdictLine[],
  items: readonly ItemLine[],
  pendingAs: 'valid' | 'not_sent',
  textOf: (item: number) => string | undefined,
): RowResult {
  const [only] = items;
  if (only && items.length === 1 && verdicts.length === 0) return ofOneItem(row, only, pendingAs);
  const statuses = [
    ...verdicts.map((it) => it.status as Status),
    ...items.map((it) => statusOf(it, pendingAs)),
  ];
  const licenseOrderId = joined([...verdicts, ...items].map((it) => it.license_order_id));
  const code = joined(items.map((it) => (it.in_doubt ? null : it.code)));
  return {
    row,
    status: worst(statuses) ?? pendingAs,
    ...(licenseOrderId === undefined ? {} : { licenseOrderId }),
    ...(code === undefined ? {} : { code }),
    messages: [
      ...verdicts.flatMap((it) => (it.message_json ? [kept(it.message_json)] : [])),
      ...items.flatMap((it) => itemSaying(it, items.length > 1 ? textOf(it.item) : undefined)),
    ],
    faults: verdicts.flatMap((it) => (it.faults_json ? (JSON.parse(it.faults_json) as Fault[]) : [])),
    attempts: Math.max(0, ...items.map((it) => it.attempts ?? 0)),
    columns: columnsOf([...verdicts, ...items]),
  };
}

const NO_COLUMNS: RowResult['columns'] = Object.freeze(Object.create(null));

/** The same for a row that is one item and no more, as nearly all are. */
function ofOneItem(row: number, it: ItemLine, pendingAs: 'valid' | 'not_sent'): RowResult {
  const code = it.in_doubt ? null : it.code;
  return {
    row,
    status: statusOf(it, pendingAs),
    ...(it.license_order_id === null ? {} : { licenseOrderId: it.license_order_id }),
    ...(code === null ? {} : { code }),
    messages: itemSaying(it, undefined),
    faults: [],
    attempts: it.attempts ?? 0,
    columns: it.columns_json === null ? NO_COLUMNS : columnsOf([it]),
  };
}

function statusOf(it: ItemLine, pendingAs: 'valid' | 'not_sent'): Status {
  const outcome = (it.status as ItemStatus | null) ?? undefined;
  return countsAs({ outcome, open: it.in_doubt === 1, doubtful: false }, pendingAs);
}

function itemSaying(it: ItemLine, item: string | undefined): Saying[] {
  if (it.in_doubt) return [];
  if (it.message_json === null) {
    // Among several, one that went well is told too: else it would seem forgotten.
    return item === undefined || it.status === null ? [] : [{ item, text: it.status }];
  }
  const message = kept(it.message_json);
  return [item === undefined ? message : { item, ...message }];
}

function kept(json: string): Saying {
  const text = JSON.parse(json) as Message | string;
  const reason = outcomeReason(text);
  return reason ? { text, reason } : { text };
}

/** Distinct values in order; undefined when there are none. */
function joined(values: readonly (string | null)[]): string | undefined {
  const distinct = new Set(values.filter((it) => it !== null));
  return distinct.size === 0 ? undefined : [...distinct].join(', ');
}

function columnsOf(lines: readonly Pick<ItemLine, 'columns_json'>[]): Record<string, string> {
  const values = new Map<string, string[]>();
  for (const { columns_json } of lines) {
    if (columns_json === null) continue;
    for (const [name, value] of Object.entries(JSON.parse(columns_json) as Record<string, string>)) {
      values.set(name, [...(values.get(name) ?? []), value]);
    }
  }
  const columns: Record<string, string> = Object.create(null);
  for (const [name, found] of values) columns[name] = joined(found) ?? '';
  return columns;
}
