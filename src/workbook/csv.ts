import { type Cell, dayShown } from '../model/cell.js';
import { neutralise } from '../util/csv-guard.js';
import { type Sink, write } from '../util/sink.js';
import type { ResultTable, ResultValue } from './contract.js';
import { placesOf, sourcePlaces } from './source-places.js';

/** Fields with any delimiter that the program's own reader knows are quoted, so that it can't be mistaken. */
const QUOTED = /[",;\t|\r\n]|^\s|\s$/;

/** Error value for what text can't tell: a missing result, a rounded number. Read again, it is a fault of its cell. */
const NO_VALUE = '#N/A';

/**
 * UTF-8 with a byte order mark (without it Excel garbles Chinese), commas, CRLF. Text that a spreadsheet would take
 * for a formula is neutralised; `unneutralise` undoes it.
 */
export async function writeCsv(sink: Sink, table: ResultTable): Promise<void> {
  const { columns, headers } = table;
  const places = sourcePlaces(table);
  const empty = new Array<string>(columns.length + headers.length).fill('');
  await write(sink, `\ufeff${line([...columns, ...headers.map(({ text }) => text)].map(textField))}`);
  for await (const page of table.lines) {
    let text = '';
    for (const { values, row, unfit } of page) {
      const fields = empty.slice();
      values.forEach((value, index) => {
        fields[index] = valueField(value);
      });
      const own = placesOf(row, places, table);
      for (const cell of row.cells()) {
        const place = own[cell.column];
        if (place !== undefined) fields[place] = cellField(cell, unfit?.has(cell.column));
      }
      text += line(fields);
    }
    await write(sink, text);
  }
}

function line(fields: readonly string[]): string {
  return `${fields.join(',')}\r\n`;
}

function valueField(value: ResultValue): string {
  if (value === undefined) return '';
  return typeof value === 'number' ? String(value) : textField(value);
}

function cellField(cell: Cell, isUnfit = false): string {
  // An empty cell would mean that the field is left out.
  if (cell.kind === 'no_result' || cell.kind === 'merged') return NO_VALUE;
  // The message has the value; here it would be sent as it is when the result is run.
  if (isUnfit && cell.kind !== 'text') return NO_VALUE;
  // A number is no formula, be it negative.
  return cell.kind === 'number' ? numberField(cell) : textField(dayShown(cell) ?? cell.text);
}

/**
 * A number as it is shown, unless that hides some of it: text fields take `1.10`, and would take `1.1` for another content when
 * the result is run.
 */
function numberField({ text, shown = text }: Cell): string {
  return Number(shown) === Number(text) ? shown : text;
}

function textField(text: string): string {
  const safe = neutralise(text);
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
