import path from 'node:path';
import excel from 'exceljs';
import type { Table } from './blocks.js';

/** Headers of a table that says what a user types into cells of workbooks; the test types it. */
const HEADERS = ['file', 'cell', 'type in'];

export function isEdits(table: Table): boolean {
  return table.headers.join() === HEADERS.join();
}

/** Does what the table says and saves the workbooks. A value is in backticks; `a copy of` names cells instead. */
export async function applyEdits(table: Table, folder: string): Promise<void> {
  const books = new Map<string, excel.Workbook>();
  for (const [file, place, what] of table.rows.map((row) => row.map((it) => it.replaceAll('`', '')))) {
    const name = path.resolve(folder, file!);
    const book = books.get(name) ?? (await new excel.Workbook().xlsx.readFile(name));
    books.set(name, book);
    const [, sheetName = '', from = '', to = from] = /^(.+)!([A-Z]+\d+)(?::([A-Z]+\d+))?$/.exec(place!) ?? [];
    const sheet = book.getWorksheet(sheetName);
    if (!sheet) throw new Error(`line ${table.line}: ${file} has no sheet ${sheetName}`);
    const copied = /^a copy of ([A-Z]+)(\d+)/.exec(what!);
    for (const target of cellsBetween(sheet, from, to)) {
      const source = copied && sheet.getCell(Number(copied[2]), target.col);
      target.value = source ? source.value : typed(what!);
      if (source) target.style = source.style;
    }
  }
  for (const [name, book] of books) await book.xlsx.writeFile(name);
}

/** Always text, as a cell is that is formatted as text. */
function typed(what: string): string | null {
  return what.startsWith('nothing') ? null : what;
}

function cellsBetween(sheet: excel.Worksheet, from: string, to: string): excel.Cell[] {
  const first = sheet.getCell(from);
  const last = sheet.getCell(to);
  const cells: excel.Cell[] = [];
  for (let row = Number(first.row); row <= Number(last.row); row += 1) {
    for (let col = Number(first.col); col <= Number(last.col); col += 1) cells.push(sheet.getCell(row, col));
  }
  return cells;
}
