import type { Wording } from '../../errors/at-page.js';
import { renderText } from '../../errors/message.js';
import type { RowResult } from '../../ledger/contract/report.js';
import { faultText } from '../../workbook/fault-text.js';

/** The `message` column of a row: every fault with its cell, then the messages of its items. */
export function resultMessage(result: RowResult, language: Wording): string {
  // Nearly all rows of nearly all runs.
  if (result.faults.length === 0 && result.messages.length === 0) return '';
  const faults = result.faults.map((fault) => faultText(fault, language));
  const said = result.messages.map(({ item, text }) => {
    const words = renderText(text, language);
    return item === undefined ? words : `${item}: ${words}`;
  });
  return [...faults, ...said].join('; ');
}
