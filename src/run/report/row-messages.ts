import type { Message, Param } from '../../errors/message.js';
import type { RowResult } from '../../ledger/contract/report.js';
import { STATUSES } from '../../model/status.js';
import { commonText, pattern } from '../../util/common-text.js';

/** Parameters that are somebody's own words. They tell kinds of messages apart; other values don't. */
const SAID: ReadonlySet<string> = new Set(['text', 'cause', 'detail']);
const PLAIN_STATUSES: ReadonlySet<string> = new Set(STATUSES);

/** A key that messages share if only the values in them differ. */
export function messageKey(it: Message | string): string {
  if (typeof it === 'string') return pattern(it);
  const told = Object.entries(it.params).filter(([name]) => SAID.has(name));
  return `${it.code} ${told.map(([, value]) => pattern(String(value))).join(' ')}`;
}

/** What two messages of one kind have in common. Where their values differ, neither value is named. */
export function commonMessage<T extends Message | string>(a: T, b: T): T;
export function commonMessage(a: Message | string, b: Message | string): Message | string {
  if (typeof a === 'string' || typeof b === 'string') return commonText(textOf(a), textOf(b));
  const params = Object.create(null) as Record<string, Param>;
  for (const [name, value] of Object.entries(b.params)) {
    const before = a.params[name];
    params[name] = before === value ? value : commonText(String(before), String(value));
  }
  return { code: b.code, params };
}

function textOf(it: Message | string): string {
  return typeof it === 'string' ? it : it.code;
}

/** Beside others an item that went well is named too, with nothing to say but its status. */
export function isBareStatus({ item, text }: RowResult['messages'][number]): boolean {
  return item !== undefined && typeof text === 'string' && PLAIN_STATUSES.has(text);
}
