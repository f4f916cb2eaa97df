import { extname } from 'node:path';
import { type Message, message, type Param, render, renderText } from '../../errors/message.js';
import type { MessageSurface } from '../../errors/message-surface.js';
import type { RowResult } from '../../ledger/contract/report.js';
import { STATUSES } from '../../model/status.js';
import { commonText, pattern } from '../../util/text.js';
import { faultText } from '../../workbook/cell-locations.js';

/** Messages about records, which only some results list. */
const ABOUT_RECORDS = new Set([
  'operation.numbers_differ',
  'operation.numbers_missing',
  'steps.numbers_differ',
]);

/**
 * The `message` column of a row: every error with its cell, then the messages of its items.
 * @param records where the returned records are listed
 */
export function resultMessage(result: RowResult, language: MessageSurface, records?: Message): string {
  // Fast path for nearly all rows.
  if (result.faults.length === 0 && result.messages.length === 0) return '';
  const faults = result.faults.map((fault) => faultText(fault, language));
  const itemTexts = result.messages.map(({ item, text }) => {
    const plain = renderText(text, language);
    const full =
      records && typeof text !== 'string' && ABOUT_RECORDS.has(text.code)
        ? `${plain}; ${render(records, language)}`
        : plain;
    return item === undefined ? full : `${item}: ${full}`;
  });
  return [...faults, ...itemTexts].join('; ');
}

/** Where the returned records of a run are listed: in a workbook result, otherwise in a result exported later. */
export function recordsLocation(output: string, run: string): Message {
  const isWorkbook = extname(output).toLowerCase() === '.xlsx';
  return isWorkbook ? message('run.in_records') : message('run.in_export', { run });
}

/** Parameters with free text. They distinguish kinds of messages; other values do not. */
const FREE_TEXT: ReadonlySet<string> = new Set(['text', 'cause', 'detail']);
const PLAIN_STATUSES: ReadonlySet<string> = new Set(STATUSES);

/** A key that messages share if only the values in them differ. */
export function messageKey(text: Message | string): string {
  if (typeof text === 'string') return pattern(text);
  const freeTexts = Object.entries(text.params).filter(([name]) => FREE_TEXT.has(name));
  return `${text.code} ${freeTexts.map(([, value]) => paramKey(value)).join(' ')}`;
}

function paramKey(value: Param): string {
  if (typeof value !== 'object') return pattern(String(value));
  return 'code' in value ? messageKey(value) : pattern(value.en);
}

/** The common part of two messages of one kind. Values that differ are omitted. */
export function commonMessage<T extends Message | string>(a: T, b: T): T;
export function commonMessage(a: Message | string, b: Message | string): Message | string {
  if (typeof a === 'string' || typeof b === 'string') return commonText(textOf(a), textOf(b));
  const params = Object.create(null) as Record<string, Param>;
  for (const [name, value] of Object.entries(b.params)) params[name] = commonParam(a.params[name], value);
  return { code: b.code, params };
}

function commonParam(a: Param | undefined, b: Param): Param {
  if (a === b) return b;
  if (typeof a === 'object' && typeof b === 'object') {
    if ('code' in a && 'code' in b && a.code === b.code) return commonMessage(a, b);
    if (!('code' in a) && !('code' in b)) return { en: commonText(a.en, b.en), zh: commonText(a.zh, b.zh) };
  }
  // Two numbers that differ have nothing in common.
  const [before = '', after = ''] = [a, b].map((it, n) => (typeof it === 'object' ? `${n}` : String(it)));
  return commonText(before, after);
}

function textOf(text: Message | string): string {
  return typeof text === 'string' ? text : text.code;
}

/** True for a message that contains only the status of an item that needs nothing. */
export function isBareStatus({ item, text }: RowResult['messages'][number]): boolean {
  return item !== undefined && typeof text === 'string' && PLAIN_STATUSES.has(text);
}
