import { createHash } from 'node:crypto';
import type { Row } from '../../model/row.js';
import type { SheetInfo, Source } from '../contract.js';
import { readBytes } from '../csv/bytes.js';
import { damaged, type RowsHead, readEnd, readHead } from './format.js';
import { type Line, linesOf } from './lines.js';
import { StoredColumns, type StoredRow, unpackRow } from './stored-row.js';

/**
 * Opens a file of stored rows. Only its last line shows that it is complete, so a caller that stops early hasn't checked
 * that; one that reads to the end has.
 * @throws ProductError input when it is no such file, of a later version, or has no header
 */
export async function openRows(file: string): Promise<Source> {
  const head = await firstLine(file);
  const sheet: SheetInfo = { name: head.sheet, position: 1, visibility: 'visible' };
  return {
    isWorkbook: false,
    sheets: [sheet],
    headerRow: head.headerRow,
    warnings: [],
    rows: () => rows(file, head),
    close: async () => {},
  };
}

async function firstLine(file: string): Promise<RowsHead> {
  for await (const [line] of linesOf(file, readBytes(file))) {
    if (line) return readHead(file, line.text);
  }
  return readHead(file, '');
}

async function* rows(file: string, head: RowsHead): AsyncGenerator<readonly Row[]> {
  const hash = createHash('sha256');
  let columns: StoredColumns | undefined;
  let number = 0;
  let last = 0;
  let count = 0;
  let whole = false;
  for await (const lines of linesOf(file, readBytes(file))) {
    const page: Row[] = [];
    for (const line of lines) {
      number += 1;
      if (whole) throw damaged(file, number);
      const end = number > 1 ? readEnd(line.text) : undefined;
      if (end) {
        if (end.end !== count || end.sha256 !== hash.digest('hex')) throw damaged(file, number);
        whole = true;
        continue;
      }
      hash.update(line.bytes).update('\n');
      if (number === 1) continue;
      columns ??= new StoredColumns(columnsOf(file, line));
      const row = rowOf(file, number, columns, line.text);
      if (row.number <= last || (count === 0 && row.number !== head.headerRow)) throw damaged(file, number);
      last = row.number;
      count += 1;
      page.push(row);
    }
    if (page.length > 0) yield page;
  }
  if (!whole) throw damaged(file, number + 1);
}

/** The columns of the header, which is the first row. */
function columnsOf(file: string, { text }: Line): readonly number[] {
  try {
    const [, , , cells] = JSON.parse(text) as [string, number, boolean, [number][]];
    return cells.map(([column]) => column);
  } catch {
    throw damaged(file, 2);
  }
}

function rowOf(file: string, line: number, columns: StoredColumns, text: string): StoredRow {
  try {
    return unpackRow(columns, text);
  } catch {
    throw damaged(file, line);
  }
}
