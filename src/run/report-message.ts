import { type Language, type Message, render } from '../errors/message.js';
import type { RowResult } from '../ledger/contract.js';
import type { Fault } from '../model/fault.js';
import { cellAddress } from '../util/address.js';

/** A fault as the result says it: `Orders!D7 licenseType: …` (contract section 6). */
export function faultText(fault: Fault, language: Language): string {
  const place = fault.column === undefined ? `row ${fault.row}` : cellAddress(fault.column, fault.row);
  const field = fault.field === undefined ? '' : ` ${fault.field.split('.').at(-1)}`;
  return `${fault.sheet}!${place}${field}: ${render(fault.message, language)}`;
}

export function sayingText(saying: Message | string, language: Language): string {
  return typeof saying === 'string' ? saying : render(saying, language);
}

/** The `message` column of a row: every fault with its cell, then what was said of its items. */
export function resultMessage(result: RowResult, language: Language): string {
  const faults = result.faults.map((fault) => faultText(fault, language));
  const said = result.messages.map(({ item, text }) => {
    const words = sayingText(text, language);
    return item === undefined ? words : `${item}: ${words}`;
  });
  return [...faults, ...said].join('; ');
}
