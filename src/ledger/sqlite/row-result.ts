import type { Message } from '../../errors/message.js';
import type { Fault } from '../../model/fault.js';
import { type Status, worst } from '../../model/status.js';
import type { RowResult } from '../contract/report.js';
import { outcomeReason } from '../rules/outcome-reason.js';
import { unpackId } from './ids.js';
import type { ItemLine, VerdictLine } from './row-lines.js';

type Saying = RowResult['messages'][number];

/** What a row came to, from its own verdicts and from its items. */
export function rowResult(
  row: number,
  verdicts: readonly VerdictLine[],
  items: readonly ItemLine[],
  pendingAs: 'valid' | 'not_sent',
  textOf: (item: number) => string | undefined,
): RowResult {
  const [only] = items;
  if (only && items.length === 1 && verdicts.length === 0) return ofOneItem(only, pendingAs);
  const statuses = [
    ...verdicts.map((it) => it.status as Status),
    ...items.map((it) => statusOf(it, pendingAs)),
  ];
  const licenseOrderId = joined([...verdicts, ...items].map((it) => it.license_order_id));
  const code = joined(items.map((it) => (it.open ? null : it.code)));
  return {
    row: unpackId(row),
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
function ofOneItem(it: ItemLine, pendingAs: 'valid' | 'not_sent'): RowResult {
  const code = it.open ? null : it.code;
  return {
    row: unpackId(it.row),
    status: statusOf(it, pendingAs),
    ...(it.license_order_id === null ? {} : { licenseOrderId: it.license_order_id }),
    ...(code === null ? {} : { code }),
    messages: itemSaying(it, undefined),
    faults: [],
    attempts: it.attempts ?? 0,
    columns: it.columns_json === null ? NO_COLUMNS : columnsOf([it]),
  };
}

/** An open attempt may have had its effect, whatever an earlier one came to. */
function statusOf(it: ItemLine, pendingAs: 'valid' | 'not_sent'): Status {
  if (it.open) return 'unknown';
  return (it.status as Status | null) ?? pendingAs;
}

function itemSaying(it: ItemLine, item: string | undefined): Saying[] {
  if (it.open) return [];
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
