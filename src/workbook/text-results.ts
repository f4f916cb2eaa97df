import { type Cell, dayShown } from '../model/row.js';
import { neutralise } from '../util/spreadsheet-text.js';
import { type Sink, write } from '../util/streams.js';
import { placesOf, sourcePlaces } from './cell-locations.js';
import type { ResultTable, ResultValue } from './result-line.js';

/** Fields with any delimiter that the program's own reader knows are quoted, so that they are not split. */
const QUOTED = /[",;\t|\r\n]|^\s|\s$/;

/** For values without a text form: a missing result, a rounded number. Read again, it is an error of its cell. */
const NO_VALUE = '#N/A';

/**
 * UTF-8 with a byte order mark (without it Excel garbles Chinese), commas, CRLF. Text that a spreadsheet would read
 * as a formula is neutralised; `unneutralise` restores it.
 */
export async function writeCsv(sink: Sink, table: ResultTable): Promise<void> {
  const { columns, headers } = table;
  const places = sourcePlaces(table);
  const empty = new Array<string>(columns.length + headers.length).fill('');
  await write(sink, `\ufeff${csvLine([...columns, ...headers.map(({ text }) => text)])}`);
  for await (const page of table.lines) {
    let text = '';
    for (const { values, row, wrongKind } of page) {
      const fields = empty.slice();
      values.forEach((value, index) => {
        fields[index] = valueField(value);
      });
      const rowPlaces = placesOf(row, places, table);
      for (const cell of row.cells()) {
        const place = rowPlaces[cell.column];
        if (place === undefined) continue;
        fields[place] = cellField(cell, wrongKind?.has(cell.column), table.exactNumbers?.get(cell.column));
      }
      text += line(fields);
    }
    await write(sink, text);
  }
}

/** A line of texts. Those that a spreadsheet would read as formulas are neutralised. */
export function csvLine(texts: readonly string[]): string {
  return line(texts.map(textField));
}

function line(fields: readonly string[]): string {
  return `${fields.join(',')}\r\n`;
}

function valueField(value: ResultValue): string {
  if (value === undefined) return '';
  return typeof value === 'number' ? String(value) : textField(value);
}

function cellField(cell: Cell, isInvalid = false, numberText?: 'digits' | 'text'): string {
  // An empty cell would mean that the field is absent.
  if (cell.kind === 'no_result' || cell.kind === 'merged') return NO_VALUE;
  // The message has the value; here it would be sent unchanged when the result is run.
  if (isInvalid && cell.kind !== 'text') return NO_VALUE;
  // A number is not a formula, even if it is negative.
  if (cell.kind !== 'number') return textField(dayShown(cell) ?? cell.text);
  if (numberText === undefined) return numberField(cell);
  return numberText === 'digits' ? (cell.identifier ?? cell.text) : cell.text;
}

/**
 * A number as it is shown, unless the format hides digits: text fields use `1.10`, and `1.1` would be different content
 * when the result is run.
 */
function numberField({ text, shown = text }: Cell): string {
  return Number(shown) === Number(text) ? shown : text;
}

function textField(text: string): string {
  const safe = neutralise(text);
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/**
 * One JSON object per line, its members in column order, empty cells as null. A source column with a name that exists
 * already becomes `name (2)`.
 */
export async function writeNdjson(sink: Sink, table: ResultTable): Promise<void> {
  const { columns, headers } = table;
  const names = distinct([...columns, ...headers.map(({ text }) => text)]);
  // Joined as text, because an object would move columns named `2024` to the front and lose `__proto__`.
  const keys = names.map((name) => `${JSON.stringify(name)}:`);
  const empty = keys.map((key) => `${key}null`);
  const places = sourcePlaces(table);
  for await (const page of table.lines) {
    let text = '';
    for (const { values, row } of page) {
      const members = empty.slice();
      values.forEach((value, index) => {
        members[index] = keys[index]! + valueJson(value);
      });
      for (const cell of row.cells()) {
        const place = places[cell.column];
        if (place !== undefined) members[place] = keys[place]! + cellJson(cell);
      }
      text += `{${members.join(',')}}\n`;
    }
    if (text !== '') await write(sink, text);
  }
}

function distinct(names: readonly string[]): string[] {
  const used = new Set<string>();
  return names.map((name) => {
    let unique = name;
    for (let number = 2; used.has(unique); number += 1) unique = `${name} (${number})`;
    used.add(unique);
    return unique;
  });
}

function valueJson(value: ResultValue): string {
  if (value === undefined) return 'null';
  return typeof value === 'number' ? JSON.stringify(value) : textJson(value);
}

/** A number only if it is read back with the same digits: `0012` and long numbers stay text. */
function cellJson(cell: Cell): string {
  if (cell.kind === 'boolean') return cell.text === 'TRUE' ? 'true' : 'false';
  if (cell.kind === 'number' && String(Number(cell.text)) === cell.text) return cell.text;
  return textJson(dayShown(cell) ?? cell.text);
}

/** Characters that need no escape. */
const PLAIN = /^[ !#-[\]-\ud7ff\ue000-\uffff]*$/;

function textJson(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}
