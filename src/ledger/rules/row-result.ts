import type { Code, Message } from '../../errors/message.js';
import type { ItemStatus, OutcomeReason } from '../../model/item.js';
import type { Fault } from '../../model/row.js';
import { type Status, statusOfRow } from '../../model/status.js';
import type { RowResult } from '../contract/report.js';
import { countsAs } from './item-state.js';

type RowMessage = RowResult['messages'][number];

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
  /** The item is still to be sent, and an attempt of its batch is open or may have taken effect. */
  readonly isUncertain: boolean;
}

/** A verdict on the row itself. */
export interface VerdictLine {
  readonly row: number;
  readonly status: Status;
  readonly faults: readonly Fault[];
  readonly message?: Message | string;
  /** The result of an earlier run, if the row is skipped because of it. */
  readonly licenseOrderId?: string;
  readonly columns?: Readonly<Record<string, string>>;
}

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
  const code = joined(items.map((it) => (it.isUncertain ? undefined : it.code)));
  return {
    row,
    status: statusOfRow(statuses) ?? pendingAs,
    ...(licenseOrderId === undefined ? {} : { licenseOrderId }),
    ...(code === undefined ? {} : { code }),
    messages: [
      ...verdicts.flatMap((it) => (it.message === undefined ? [] : [rowMessage(it.message)])),
      ...items.flatMap((it) => itemMessages(it, items.length > 1 ? textOf(it.item) : undefined)),
    ],
    faults: verdicts.flatMap((it) => it.faults),
    attempts: Math.max(0, ...items.map((it) => it.attempts ?? 0)),
    columns: columnsOf([...verdicts, ...items]),
  };
}

const NO_COLUMNS: RowResult['columns'] = Object.freeze(Object.create(null));

/** Fast path for a row with exactly one item, as nearly all rows are. */
function ofOneItem(row: number, line: ItemLine, pendingAs: 'valid' | 'not_sent'): RowResult {
  const code = line.isUncertain ? undefined : line.code;
  return {
    row,
    status: statusOf(line, pendingAs),
    ...(line.licenseOrderId === undefined ? {} : { licenseOrderId: line.licenseOrderId }),
    ...(code === undefined ? {} : { code }),
    messages: itemMessages(line, undefined),
    faults: [],
    attempts: line.attempts ?? 0,
    columns: line.columns === undefined ? NO_COLUMNS : columnsOf([line]),
  };
}

function statusOf({ status, isUncertain }: ItemLine, pendingAs: 'valid' | 'not_sent'): Status {
  return countsAs({ outcome: status, open: isUncertain, uncertain: false }, pendingAs);
}

function itemMessages(line: ItemLine, item: string | undefined): RowMessage[] {
  if (line.isUncertain) return [];
  if (line.message === undefined) {
    // With several items, one without a message is shown with its status, so that it doesn't seem missing.
    return item === undefined || line.status === undefined ? [] : [{ item, text: line.status }];
  }
  const message = rowMessage(line.message);
  return [item === undefined ? message : { item, ...message }];
}

function rowMessage(text: Message | string): RowMessage {
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
    for (const [name, value] of Object.entries(columns ?? {}))
      values.set(name, [...(values.get(name) ?? []), value]);
  }
  const columns: Record<string, string> = Object.create(null);
  for (const [name, found] of values) columns[name] = joined(found) ?? '';
  return columns;
}

type Repeat = Extract<OutcomeReason, { readonly run: string }>;

/** Messages about another item that has the key, found when the run was planned or when the key was claimed. */
const REPEATS: Readonly<Partial<Record<Code, Pick<Repeat, 'kind' | 'found'>>>> = {
  'run.held_unknown': { kind: 'held_unknown', found: 'planning' },
  'run.held_done': { kind: 'held_done', found: 'planning' },
  'ledger.held_unknown': { kind: 'held_unknown', found: 'sending' },
  'ledger.held_done': { kind: 'held_done', found: 'sending' },
  'ledger.held_changed': { kind: 'held_changed', found: 'sending' },
};

const BY_PERSON: ReadonlySet<Code> = new Set<Code>(['resolve.by_operator', 'resolve.by_operator_bare']);

/**
 * Why an item or row has its outcome, derived from the code of its message: the message is all that ledgers of any version
 * have of the reason.
 */
export function outcomeReason(text: Message | string): OutcomeReason | undefined {
  if (typeof text === 'string') return undefined;
  if (BY_PERSON.has(text.code)) return { kind: 'resolved_by_person' };
  const repeat = REPEATS[text.code];
  const { run, row } = text.params;
  return repeat && { ...repeat, run: String(run), row: Number(row) };
}
