import ExcelJS from 'exceljs';
import { serial } from '../days.js';
import type { Draft, Laid } from '../sheet.js';
import { numberedLines, pagesOf } from './rows.js';

const ALWAYS = new Date(Date.UTC(2026, 0, 5));

/** The workbook as a much used library writes it. */
export async function writeWithExcelJs(draft: Draft): Promise<Buffer> {
  const book = new ExcelJS.Workbook();
  book.created = ALWAYS;
  book.modified = ALWAYS;
  book.properties.date1904 = draft.book.date1904;
  if (draft.book.pending) book.calcProperties.fullCalcOnLoad = true;
  for (const page of pagesOf(draft)) {
    const sheet = book.addWorksheet(page.name, { state: page.hidden ? 'hidden' : 'visible' });
    for (const line of numberedLines(page)) {
      const row = sheet.getRow(line.row!);
      line.cells.forEach((cell, at) => {
        if (cell) put(row.getCell(at + 1), cell, draft.book.date1904);
      });
      if (line.hidden) row.hidden = true;
    }
    for (const { from, to, first, last } of page.merges)
      sheet.mergeCells(from.row!, first + 1, to.row!, last + 1);
    if (page.filter) {
      const rows = { from: { row: page.header.row!, column: 1 } };
      sheet.autoFilter = { ...rows, to: { row: page.lines.at(-1)!.row!, column: page.columns.length } };
    }
  }
  return withoutTimes(Buffer.from(await book.xlsx.writeBuffer()));
}

function put(at: ExcelJS.Cell, cell: Laid, date1904: boolean): void {
  switch (cell.kind) {
    case 'text':
      at.value = cell.runs
        ? { richText: cell.runs.map((it, index) => run(it, index, cell.struck)) }
        : cell.text;
      if (cell.struck === 'whole') at.font = { strike: true };
      return;
    case 'number':
      at.value = cell.number;
      if (cell.format) at.numFmt = cell.format;
      return;
    case 'date':
      at.value = serial(cell.moment, date1904);
      at.numFmt = cell.format;
      return;
    case 'boolean':
      at.value = cell.boolean;
      return;
    case 'error':
      at.value = { error: cell.text as '#N/A' };
      return;
    case 'formula': {
      const { formula, result } = cell;
      if (result?.kind === 'error') at.value = { formula, result: { error: result.text as '#N/A' } };
      else if (result?.kind === 'number') at.value = { formula, result: result.number };
      else at.value = result?.kind === 'text' ? { formula, result: result.text } : { formula };
    }
  }
}

const run = (text: string, index: number, struck: 'whole' | 'part' | undefined): ExcelJS.RichText =>
  index % 2 === 0 ? { text } : { text, font: struck === 'part' ? { strike: true } : { bold: true } };

/** The packages state when their entries were made; a seed's file must not report when it was. */
function withoutTimes(zip: Buffer): Buffer {
  let at = zip.readUInt32LE(zip.length - 22 + 16);
  while (zip.readUInt32LE(at) === 0x02014b50) {
    zip.writeUInt32LE(0, at + 12);
    zip.writeUInt32LE(0, zip.readUInt32LE(at + 42) + 10);
    at += 46 + zip.readUInt16LE(at + 28) + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return zip;
}
