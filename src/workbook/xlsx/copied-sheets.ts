import { mergeRanges } from '../../util/exceljs-private.js';
import { showable } from '../../util/spreadsheet-text.js';
import { columnWidths } from '../../util/text-width.js';
import type { ResultTable } from '../result-line.js';
import { type Written, writtenCell, writtenValue } from './cell-value.js';
import type { BookParts } from './parts.js';
import { SHEET_ROWS, type SheetCell, SheetStream } from './sheet.js';
import { HEADER } from './styles.js';

/** A note is shown in a small box; the message column has the whole text. */
const NOTE_CHARACTERS = 1000;
/** Notes stay in memory until the sheet is complete, and more make Excel slow; further cells are only coloured. */
export const MAX_NOTES = 50_000;

/** A marked cell with its note. It may be empty, as that may be its error. */
export function markedCell(
  written: Written | undefined,
  note: string,
  tone: NonNullable<SheetCell['tone']> = 'invalid',
): SheetCell {
  return { value: null, ...written, mark: showable(note).slice(0, NOTE_CHARACTERS), tone };
}

/** Copies the other sheets that the job reads, each cell at its address, so that the result is valid input. */
export async function writeCopiedSheets(parts: BookParts, names: readonly string[]): Promise<void> {
  for (const [index, copied] of parts.table.copied.entries()) {
    const { rows, marks, headerRow = 1, corrected, merges = [], visibility = 'visible' } = copied;
    const invalid = marks();
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
        for (const [column, note] of invalid.get(row.number) ?? []) {
          notes += 1;
          cells[column - 1] = markedCell(cells[column - 1], notes <= MAX_NOTES ? note : '');
        }
        if (row.number <= SHEET_ROWS) sheet.add(cells, { at: row.number, hidden: row.hidden });
      }
      await sheet.drain();
    }
    const written = sheet ?? begin([]);
    if (visibility !== 'visible') written.sheet.state = visibility === 'hidden' ? 'hidden' : 'veryHidden';
    mergeRanges(written.sheet, merges);
    written.end();
  }
}

/** Sheet `Records`: one line per record; continues in `Records (2)` when a sheet is full. */
export async function writeRecords(
  parts: BookParts,
  records: NonNullable<ResultTable['records']>,
  name: string,
): Promise<void> {
  const begin = (number: number, sample: readonly (readonly string[])[]): SheetStream => {
    const sheet = new SheetStream(parts, {
      name: number === 1 ? name : `${name} (${number})`,
      widths: columnWidths([records.columns.map((it) => `${it}  `), ...sample]),
      frozen: { rows: 1, columns: 1 },
    });
    sheet.add(records.columns.map((it) => ({ value: it, style: HEADER })));
    return sheet;
  };
  const end = (sheet: SheetStream): void => {
    const to = { row: sheet.last, column: records.columns.length };
    sheet.sheet.autoFilter = { from: { row: 1, column: 1 }, to };
    sheet.end();
  };
  let sheet: SheetStream | undefined;
  let count = 0;
  for await (const page of records.lines) {
    const sample = page.slice(0, 200).map((line) => line.map((value) => String(value ?? '')));
    sheet ??= begin(++count, sample);
    for (const line of page) {
      if (sheet.last === SHEET_ROWS) {
        end(sheet);
        sheet = begin(++count, sample);
      }
      sheet.add(line.map(writtenValue));
    }
    await sheet.drain();
  }
  end(sheet ?? begin(1, []));
}
