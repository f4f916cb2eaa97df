import type { Cell } from '../model/cell.js';
import type { ResultTable, ResultValue } from './contract.js';
import { type Sink, write } from './sink.js';

/**
 * One JSON object per line, its members in column order, empty cells as null. A source column whose name is taken
 * already is called `name (2)`.
 */
export async function writeNdjson(sink: Sink, table: ResultTable): Promise<void> {
  const { columns, headers } = table;
  const names = distinct([...columns, ...headers.map(({ text }) => text)]);
  // Put together by hand: objects would move columns named `2024` to the front and lose `__proto__`.
  const keys = names.map((name) => `${JSON.stringify(name)}:`);
  for await (const page of table.lines) {
    let text = '';
    for (const { values, row } of page) {
      const members = keys.map((key, index) => {
        const header = headers[index - columns.length];
        return key + (header ? cellJson(row.cell(header.column)) : valueJson(values[index]));
      });
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
  return value === undefined ? 'null' : JSON.stringify(value);
}

/** Numbers only where JSON's readers get the very same digits back: `0012` and long numbers stay text. */
function cellJson(cell: Cell | undefined): string {
  if (!cell) return 'null';
  if (cell.kind === 'boolean') return cell.text === 'TRUE' ? 'true' : 'false';
  if (cell.kind === 'number' && String(Number(cell.text)) === cell.text) return cell.text;
  return JSON.stringify(cell.text);
}
