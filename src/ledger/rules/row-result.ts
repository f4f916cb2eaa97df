import type { Message } from '../../errors/message.js';
import type { Fault } from '../../model/fault.js';
import type { ItemStatus } from '../../model/outcome.js';
import { type Status, statusOfRow } from '../../model/status.js';
import type { RowResult } from '../contract/report.js';
import { countsAs } from './item-standing.js';
import { outcomeReason } from './outcome-reason.js';

type Saying = RowResult['messages'][number];

/** What the ledger says of a row through one of its items. */
export interface ItemLine {
  readonly row: number;
  readonly item: number;
  /** Absent: no outcome yet. */
  readonly status?: ItemStatus;
  readonly attempts?: number;
  readonly licenseOrderId?: string;
  readonly code?: string;
  readonly message?: Message | string;
  readonly columns?: Readonly<Record<string, string>>;
  /** The item waits to be sent, and an attempt of its batch is open or may have had its effect. */
  readonly inDoubt: boolean;
}

/** What the ledger says of a row by itself. */
export interface VerdictLine {
  readonly row: number;
  readonly status: Status;
  readonly faults: readonly Fault[];
  readonly message?: Message | string;
  /** What an earlier run got, where that is why the row is skipped. */
  readonly licenseOrderId?: string;
  readonly columns?: Readonly<Record<string, string>>;
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
  const statuses = [...verdicts.map((it) => it.status), ...items.map((it) => statusOf(it, pendingAs))];
  const licenseOrderId = joined([...verdicts, ...items].map((it) => it.licenseOrderId));
  const code = joined(items.map((it) => (it.inDoubt ? undefined : it.code)));
  return {
    row,
    status: statusOfRow(statuses) ?? pendingAs,
    ...(licenseOrderId === undefined ? {} : { licenseOrderId }),
    ...(code === undefined ? {} : { code }),
    messages: [
      ...verdicts.flatMap((it) => (it.message === undefined ? [] : [saying(it.message)])),
      ...items.flatMap((it) => itemSaying(it, items.length > 1 ? textOf(it.item) : undefined)),
    ],
    faults: verdicts.flatMap((it) => it.faults),
    attempts: Math.max(0, ...items.map((it) => it.attempts ?? 0)),
    columns: columnsOf([...verdicts, ...items]),
  };
}

const NO_COLUMNS: RowResult['columns'] = Object.freeze(Object.create(null));

/** The same for a row that is one item and no more, as nearly all are. */
function ofOneItem(row: number, it: ItemLine, pendingAs: 'valid' | 'not_sent'): RowResult {
  const code = it.inDoubt ? undefined : it.code;
  return {
    row,
    status: statusOf(it, pendingAs),
    ...(it.licenseOrderId === undefined ? {} : { licenseOrderId: it.licenseOrderId }),
    ...(code === undefined ? {} : { code }),
    messages: itemSaying(it, undefined),
    faults: [],
    attempts: it.attempts ?? 0,
    columns: it.columns === undefined ? NO_COLUMNS : columnsOf([it]),
  };
}

function statusOf(it: ItemLine, pendingAs: 'valid' | 'not_sent'): Status {
  return countsAs({ outcome: it.status, open: it.inDoubt, doubtful: false }, pendingAs);
}

function itemSaying(it: ItemLine, item: string | undefined): Saying[] {
  if (it.inDoubt) return [];
  if (it.message === undefined) {
    // Among several, one that went well is told too: else it would seem forgotten.
    return item === undefined || it.status === undefined ? [] : [{ item, text: it.status }];
  }
  const message = saying(it.message);
  return [item === undefined ? message : { item, ...message }];
}

function saying(text: Message | string): Saying {
  const reason = outcomeReason(text);
  return reason ? { text, reason } : { text };
}

/** Distinct values in order; undefined when there are none. */
function joined(values: readonly (string | undefined)[]): string | undefined {
  const distinct = new Set(values.filter((it) => it !== undefined));
  return distinct.size === 0 ? undefined : [...distinct].join(', ');
}

function columnsOf(lines: readonly Pick<ItemLine, 'columns'>[]): Record<string, string> {
  const values = new Map<string, string[]>();
  for (const { columns } of lines) {
    for (const [name, value] of Object.entries(columns ?? {})) {
      values.set(name, [...(values.get(name) ?? []), value]);
    }
  }
  const columns: Record<string, string> = Object.create(null);
  for (const [name, found] of values) columns[name] = joined(found) ?? '';
  return columns;
}
