import { type Language, type Message, render } from '../../errors/message.js';
import type { RowResult } from '../../ledger/contract/report.js';
import { faultText } from '../../workbook/fault-text.js';

export function messageText(saying: Message | string, language: Language): string {
  return typeof saying === 'string' ? saying : render(saying, language);
}

/** The `message` column of a row: every fault with its cell, then what was said of its items. */
export function resultMessage(result: RowResult, language: Language): string {
  // Nearly all rows of nearly all runs.
  if (result.faults.length === 0 && result.messages.length === 0) return '';
  const faults = result.faults.map((fault) => faultText(fault, language));
  const said = result.messages.map(({ item, text }) => {
    const words = messageText(text, language);
    return item === undefined ? words : `${item}: ${words}`;
  });
  return [...faults, ...said].join('; ');
}
