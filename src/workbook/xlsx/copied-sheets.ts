import { mergeRanges } from '../../util/exceljs-private.js';
import { columnWidths } from '../../util/text-width.js';
import { writtenCell } from './cell-value.js';
import { MAX_NOTES, markedCell } from './marked-cell.js';
import type { BookParts } from './parts.js';
import { SHEET_ROWS, type SheetCell, SheetStream } from './sheet.js';

/** Copies the other sheets that the job reads, each cell at its address, so that the result is valid input. */
export async function writeCopiedSheets(parts: BookParts, names: readonly string[]): Promise<void> {
  for (const [index, copied] of parts.table.copied.entries()) {
    const { rows, marks, headerRow = 1, corrected, merges = [], visibility = 'visible' } = copied;
    const faulty = marks();
    let notes = 0;
    let sheet: SheetStream | undefined;
    const begin = (sample: readonly (readonly string[])[]): SheetStream =>
      new SheetStream(parts, {
        name: names[index]!,
        widths: columnWidths(sample),
        frozen: { rows: headerRow, columns: 0 },
      });
    for await (const page of rows()) {
      sheet ??= begin(
        page.slice(0, 200).map((row) => {
          const texts: string[] = [];
          for (const { column, text } of row.cells()) texts[column - 1] = text;
          return Array.from(texts, (text) => text ?? '');
        }),
      );
      for (const row of page) {
        const cells: (SheetCell | undefined)[] = [];
        for (const cell of row.cells()) cells[cell.column - 1] = writtenCell(cell);
        for (const [column, note] of corrected?.(row.number) ?? []) {
          notes += 1;
          const text = notes <= MAX_NOTES ? note : '';
          cells[column - 1] = markedCell(cells[column - 1], text, 'corrected');
        }
        for (const [column, note] of faulty.get(row.number) ?? []) {
          notes += 1;
          cells[column - 1] = markedCell(cells[column - 1], notes <= MAX_NOTES ? note : '');
        }
        if (row.number <= SHEET_ROWS) sheet.add(cells, { at: row.number, hidden: row.hidden });
      }
      await sheet.drain();
    }
    const whole = sheet ?? begin([]);
    if (visibility !== 'visible') whole.sheet.state = visibility === 'hidden' ? 'hidden' : 'veryHidden';
    mergeRanges(whole.sheet, merges);
    whole.end();
  }
}
