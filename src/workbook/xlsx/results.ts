import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import { cellAddress, columnLetters } from '../../util/spreadsheet-text.js';
import { columnWidths, WIDEST, wrappedLines } from '../../util/text-width.js';
import { placesOf, sourcePlaces } from '../cell-locations.js';
import type { ResultLine, ResultTable } from '../result-line.js';
import { writtenCell, writtenValue } from './cell-value.js';
import { MAX_NOTES, markedCell } from './copied-sheets.js';
import type { StatusCounts } from './headline.js';
import type { BookParts } from './parts.js';
import type { ResultProblem } from './problem-list.js';
import { type RowOptions, SHEET_ROWS, type SheetCell, SheetStream } from './sheet.js';
import { HEADER, statusColours } from './styles.js';

const RESULTS = 'Results';
const MEASURED_LINES = 200;
/** Columns of sentences, also of a step (`order.message`). They are wide if further lines were not measured. */
const SENTENCES = /^(?:.+\.)?message$|^differences$/;
/** Columns of statuses, also of a step. */
const STATUS = /^(?:.+\.)?status$/;
const SENTENCE_WIDTH = 40;
/** Lines of text that a row is high at most. */
const HIGHEST = 6;
/** Columns that stay in view: `row` and `status`. */
const FROZEN_COLUMNS = 2;

/** Sheet `Results`: result columns, then the source's own. */
export async function writeResults(parts: BookParts, statuses: StatusCounts, name = RESULTS): Promise<void> {
  const { table, file, problems } = parts;
  const pages = table.lines[Symbol.asyncIterator]();
  let open = true;
  try {
    // The file has the widths before the rows, so the first lines are measured before any is written.
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
      // Space for the filter's button.
      titles.map((title) => `${title}  `),
      ...first.slice(0, MEASURED_LINES).map((line) => shownTexts(line, table)),
    ]).map((width, index) =>
      open && SENTENCES.test(table.columns[index] ?? '') ? Math.max(width, SENTENCE_WIDTH) : width,
    );
    const sheet = new SheetStream(parts, {
      name,
      widths,
      frozen: { rows: 1, columns: Math.min(FROZEN_COLUMNS, titles.length) },
    });
    sheet.add(headerCells(titles), headerLook(titles, widths));
    const places = sourcePlaces(table);
    let notes = 0;
    const addAll = (lines: readonly ResultLine[]): void => {
      for (const line of lines) {
        if (sheet.last === SHEET_ROWS) {
          throw new ProductError('input', message('workbook.too_many_rows', { file, limit: SHEET_ROWS }));
        }
        notes += line.marks.size + (line.corrected?.size ?? 0);
        const cells = lineCells(line, places, table, notes <= MAX_NOTES);
        sheet.add(cells, rowLook(line, cells, widths));
        statuses.set(line.status, (statuses.get(line.status) ?? 0) + 1);
        if (line.problem !== undefined) problems.add(problemOf(line, line.problem, table, sheet.last));
      }
    };
    addAll(first);
    await sheet.drain();
    while (open) {
      const page = await pages.next();
      if (page.done) break;
      addAll(page.value);
      await sheet.drain();
    }
    open = false;
    sheet.sheet.autoFilter = { from: { row: 1, column: 1 }, to: { row: sheet.last, column: titles.length } };
    const statusColumns = table.columns.flatMap((name, index) => (STATUS.test(name) ? [index + 1] : []));
    statusColumns.forEach((column, nth) => {
      sheet.sheet.addConditionalFormatting(statusColours(columnLetters(column), sheet.last, nth));
    });
    sheet.end();
  } finally {
    if (open) await pages.return?.();
  }
}

function headerCells(titles: readonly string[]): SheetCell[] {
  return titles.map((title) => ({ value: title, style: HEADER }));
}

function headerLook(titles: readonly string[], widths: readonly number[]): RowOptions {
  const lines = Math.max(1, ...titles.map((title, index) => wrappedLines(title, widths[index]!)));
  return lines === 1 ? {} : { lines: Math.min(lines, HIGHEST) };
}

/** Wraps the text of a problem if its column is too narrow; the row becomes higher, up to a limit. */
function rowLook(
  { values, row, status, problem }: ResultLine,
  cells: (SheetCell | undefined)[],
  widths: readonly number[],
): RowOptions {
  // A row skipped because it is hidden stays hidden; otherwise running the result would send it.
  const hidden = row.hidden && status === 'skipped';
  if (problem === undefined) return hidden ? { hidden } : {};
  let lines = 1;
  values.forEach((value, index) => {
    if (typeof value !== 'string' || value.length * 2 <= WIDEST) return;
    const height = wrappedLines(value, widths[index]!);
    if (height === 1) return;
    cells[index] = { ...cells[index]!, wrap: true };
    lines = Math.max(lines, height);
  });
  return { hidden, ...(lines === 1 ? {} : { lines: Math.min(lines, HIGHEST) }) };
}

/** The problem with a link to the first invalid cell, or to the status if there is none. */
function problemOf(
  line: ResultLine,
  text: string,
  { columns, headers }: ResultTable,
  at: number,
): ResultProblem {
  const invalidIndex = headers.findIndex(({ column }) => line.marks.has(column));
  const column =
    invalidIndex === -1 ? Math.max(1, columns.indexOf('status') + 1) : columns.length + invalidIndex + 1;
  return {
    status: line.status,
    row: line.values[columns.indexOf('row')],
    cell: `${RESULTS}!${cellAddress(column, at)}`,
    message: text,
  };
}

function lineCells(
  { values, row, marks, corrected = NONE }: ResultLine,
  places: readonly (number | undefined)[],
  table: ResultTable,
  withNotes: boolean,
): (SheetCell | undefined)[] {
  const cells: (SheetCell | undefined)[] = values.map((value) =>
    typeof value === 'number' ? { value, left: true } : writtenValue(value),
  );
  const rowPlaces = placesOf(row, places, table);
  for (const cell of row.cells()) {
    const place = rowPlaces[cell.column];
    if (place !== undefined) cells[place] = writtenCell(cell);
  }
  for (const [column, note] of corrected) {
    const place = rowPlaces[column];
    if (place !== undefined) cells[place] = markedCell(cells[place], withNotes ? note : '', 'corrected');
  }
  for (const [column, fault] of marks) {
    const place = rowPlaces[column];
    const correction = corrected.get(column);
    const note = correction === undefined ? fault : `${fault}\n${correction}`;
    if (place !== undefined) cells[place] = markedCell(cells[place], withNotes ? note : '');
  }
  return cells;
}

const NONE: NonNullable<ResultLine['corrected']> = new Map();

function shownTexts({ values, row }: ResultLine, { headers }: ResultTable): string[] {
  return [
    ...values.map((value) => (value === undefined ? '' : String(value))),
    ...headers.map(({ column }) => row.cell(column)?.text ?? ''),
  ];
}
