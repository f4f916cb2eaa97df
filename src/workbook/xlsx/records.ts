import { columnWidths } from '../../util/text-width.js';
import type { ResultTable } from '../contract.js';
import { writtenValue } from './cell-value.js';
import type { BookParts } from './parts.js';
import { SHEET_ROWS, SheetStream } from './sheet.js';
import { HEADER } from './styles.js';

/** Sheet `Records`: one line per record; goes on in `Records (2)` when a sheet is full. */
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
