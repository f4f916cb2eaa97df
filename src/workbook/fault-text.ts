import type { Wording } from '../errors/at-page.js';
import { render } from '../errors/message.js';
import type { Fault } from '../model/fault.js';
import { cellAddress } from '../util/address.js';

/** A fault as the result shows it: `Orders!D7 licenseType: …` (contract section 6). */
export function faultText(fault: Fault, language: Wording): string {
  const place = fault.column === undefined ? `row ${fault.row}` : cellAddress(fault.column, fault.row);
  const field = fault.field === undefined ? '' : ` ${fault.field.split('.').at(-1)}`;
  return `${fault.sheet}!${place}${field}: ${render(fault.message, language)}`;
}
