import { type Cell, dayShown } from '../model/cell.js';
import { type Sink, write } from '../util/sink.js';
import type { ResultTable, ResultValue } from './contract.js';
import { sourcePlaces } from './source-places.js';

/**
 * One JSON object per line, its members in column order, empty cells as null. A source column whose name is taken
 * already is called `name (2)`.
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
  const taken = new Set<string>();
  return names.map((name) => {
    let unique = name;
    for (let number = 2; taken.has(unique); number += 1) unique = `${name} (${number})`;
    taken.add(unique);
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
