import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import { columnLetters } from '../../util/address.js';
import type { ResultLine, ResultTable } from '../contract.js';
import { writtenCell, writtenValue } from './cell-value.js';
import { escaped } from './escape.js';
import { HEADER, statusColours } from './look.js';
import { marked, NOTES } from './marked.js';
import type { BookParts } from './parts.js';
import { SHEET_ROWS, type SheetCell, SheetStream } from './sheet.js';
import { columnWidths } from './widths.js';

const MEASURED_LINES = 200;

/** Sheet `Results`: result columns, then the source's own. */
export async function writeResults({ book, sink, looks, table, file }: BookParts): Promise<void> {
  const pages = table.lines[Symbol.asyncIterator]();
  let open = true;
  try {
    // Widths stand before the rows in the file, so the first lines are looked at before any is written.
    const first: ResultLine[] = [];
    while (first.length < MEASURED_LINES) {
      const page = await pages.next();
      if (page.done) {
        open = false;
        break;
      }
      first.push(...page.value);
    }
    const titles = [...table.columns, ...table.headers.map(({ text }) => text)];
    const widths = columnWidths([
      // Room for the filter's button.
      titles.map((title) => `${title}  `),
      ...first.slice(0, MEASURED_LINES).map((line) => shownTexts(line, table)),
    ]);
    const sheet = new SheetStream(book, sink, looks, {
      name: 'Results',
      widths,
      frozen: true,
      sandbox: table.sandbox,
    });
    sheet.add(titles.map((title) => ({ value: escaped(title), style: HEADER })));
    let notes = 0;
    const addAll = (lines: readonly ResultLine[]): void => {
      for (const line of lines) {
        if (sheet.last === SHEET_ROWS) {
          throw new ProductError('input', message('workbook.too_many_rows', { file, limit: SHEET_ROWS }));
        }
        // A row that the job left out because it is hidden stays so, else the result would send it.
        notes += line.marks.size;
        sheet.add(
          lineCells(line, table, notes <= NOTES),
          undefined,
          line.row.hidden && line.status === 'skipped',
        );
      }
    };
    addAll(first);
    await sheet.settle();
    while (open) {
      const page = await pages.next();
      if (page.done) break;
      addAll(page.value);
      await sheet.settle();
    }
    open = false;
    sheet.sheet.autoFilter = { from: { row: 1, column: 1 }, to: { row: sheet.last, column: titles.length } };
    const status = table.columns.indexOf('status') + 1;
    if (status > 0) sheet.sheet.addConditionalFormatting(statusColours(columnLetters(status), sheet.last));
    sheet.end();
  } finally {
    if (open) await pages.return?.();
  }
}

function lineCells(
  { values, row, marks }: ResultLine,
  table: ResultTable,
  withNotes: boolean,
): (SheetCell | undefined)[] {
  const cells: (SheetCell | undefined)[] = values.map(writtenValue);
  for (const { column } of table.headers) {
    const cell = row.cell(column);
    const note = marks.get(column);
    const written = cell && writtenCell(cell);
    cells.push(note === undefined ? written : marked(written, withNotes ? note : ''));
  }
  return cells;
}

function shownTexts({ values, row }: ResultLine, { headers }: ResultTable): string[] {
  return [
    ...values.map((value) => (value === undefined ? '' : String(value))),
    ...headers.map(({ column }) => row.cell(column)?.text ?? ''),
  ];
}
