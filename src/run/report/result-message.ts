import { extname } from 'node:path';
import type { Wording } from '../../errors/at-page.js';
import { type Message, message, render, renderText } from '../../errors/message.js';
import type { RowResult } from '../../ledger/contract/report.js';
import { faultText } from '../../workbook/fault-text.js';

/** Messages about records, which only some results list. */
const ABOUT_RECORDS = new Set([
  'operation.numbers_differ',
  'operation.numbers_missing',
  'steps.numbers_differ',
]);

/**
 * The `message` column of a row: every fault with its cell, then the messages of its items.
 * @param records where the returned records are listed
 */
export function resultMessage(result: RowResult, language: Wording, records?: Message): string {
  // Nearly all rows of nearly all runs.
  if (result.faults.length === 0 && result.messages.length === 0) return '';
  const faults = result.faults.map((fault) => faultText(fault, language));
  const said = result.messages.map(({ item, text }) => {
    const plain = renderText(text, language);
    const words =
      records && typeof text !== 'string' && ABOUT_RECORDS.has(text.code)
        ? `${plain}; ${render(records, language)}`
        : plain;
    return item === undefined ? words : `${item}: ${words}`;
  });
  return [...faults, ...said].join('; ');
}

/** Where the returned records of a run are listed: in its result if that is a workbook, otherwise in one exported from the ledger. */
export function whereRecordsAre(output: string, run: string): Message {
  const isWorkbook = extname(output).toLowerCase() === '.xlsx';
  return isWorkbook ? message('run.in_records') : message('run.in_export', { run });
}
