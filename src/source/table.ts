import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { Cell, Header, Row } from '../model/row.js';
import { fold } from '../util/text.js';
import { CsvRow, LineShape, remainsShifted } from './csv/csv-row.js';
import { findHeaderRow, findSheet, firstRows } from './header-row.js';
import { MergedRanges } from './merged-ranges.js';
import {
  type AddedColumns,
  beginsLikeResult,
  isPulledHeader,
  resultColumnCount,
  resultRows,
} from './result-file.js';
import { ShapedRow } from './row-shape.js';
import type { FileSource, SheetInfo } from './source.js';

const RESULTS = 'Results';

/** A sheet read as a table: a header row and the data rows after it. */
export interface Table {
  readonly sheet: SheetInfo;
  /** Header cells that are not empty, without the result columns. A name may occur twice. */
  readonly headers: readonly Header[];
  /** Row number as Excel shows it. */
  readonly headerRow: number;
  /** The sheet is the `Results` of an earlier run. */
  readonly fromResult: boolean;
  /** The result columns, if the sheet is a result. */
  readonly resultColumns: readonly Header[];
  /** A text file: its lines may have fewer fields than the header. */
  readonly isText: boolean;
  /** The sheet's merged ranges; its rows have only each cell's own value. */
  readonly merges: MergedRanges;
  /**
   * The rows below the header in chunks, exactly as in the file; may be called again. `TableReader` interprets
   * them.
   * @throws ProductError input if the file cannot be read to its end.
   */
  rows(): AsyncIterable<readonly Row[]>;
}

interface TableRequest extends AddedColumns {
  readonly sheet?: string | number;
  readonly headerRow: number;
  /** Read a result file of this program like any other file: its result columns are columns of the table. */
  readonly asAnyOther?: boolean;
}

/**
 * Opens the job's table. A result file of this program is recognised by its first headers; its sheet `Results` is then
 * the table, whatever sheet and header row the job names.
 * @throws ProductError input if the sheet or the header row is missing
 */
export async function openTable(source: FileSource, request: TableRequest): Promise<Table> {
  const { asAnyOther = false } = request;
  // Stored rows name their header row. They may begin with result columns, which are then the source's own.
  if (source.headerRow !== undefined) return tableAt(source, source.sheets[0]!, source.headerRow);
  const results = source.isWorkbook ? source.sheets.find(({ name }) => name === RESULTS) : source.sheets[0];
  if (results) {
    const head = await readRow(source, results, 1);
    const count = head ? resultColumnCount(textsOf(head), request) : 0;
    if (head && count > 0 && !asAnyOther) return tableOf(source, results, head, { resultCount: count });
    // A text result is guarded against formulas, also if its result columns are read as ordinary ones.
    const isGuarded = head && (count > 0 || isPulledHeader(textsOf(head)));
    if (isGuarded && !source.isWorkbook) return tableOf(source, results, head, { guarded: true });
  }
  // A text file is one sheet, whatever sheet the job names for its workbooks (`--input` may be either).
  const named = source.isWorkbook ? request.sheet : undefined;
  const sheet = findSheet(source.file, source.sheets, named);
  return tableAt(source, sheet, request.headerRow);
}

/**
 * Opens another sheet of the same workbook, by name. Its headers are in row 1.
 * @throws ProductError input if there is no such sheet
 */
export async function openJoined(source: FileSource, table: Table, name: string): Promise<Table> {
  const isResults = table.fromResult && fold(name) === fold(RESULTS);
  // A result that copies a source sheet called `Results` names the copy `Results (2)`.
  return tableAt(source, findSheet(source.file, source.sheets, isResults ? `${RESULTS} (2)` : name), 1);
}

async function tableAt(source: FileSource, sheet: SheetInfo, headerRow: number): Promise<Table> {
  const merges = (await source.merges?.(sheet)) ?? MergedRanges.NONE;
  const head = await readRow(source, sheet, headerRow);
  if (!head) throw await headerMissing(source, sheet, headerRow);
  return tableOf(source, sheet, await withMergedHeaders(source, sheet, head, merges), { merges });
}

/** The header row with headers from above that are in a merged range ending in it. */
async function withMergedHeaders(
  source: FileSource,
  sheet: SheetInfo,
  head: Row,
  merges: MergedRanges,
): Promise<Row> {
  const above = new Map<number, number[]>();
  for (let range = 0; range < merges.count && merges.top(range) < head.number; range += 1) {
    if (merges.bottom(range) < head.number) continue;
    const top = merges.top(range);
    above.set(top, [...(above.get(top) ?? []), merges.left(range)]);
  }
  if (above.size === 0) return head;
  const replaced = new Map<number, Cell>();
  for await (const page of source.rows(sheet)) {
    for (const row of page) {
      for (const column of above.get(row.number) ?? []) {
        const cell = row.cell(column);
        if (cell && !head.cell(column)) replaced.set(column, cell);
      }
    }
    if (page.at(-1)!.number >= head.number) break;
  }
  return new ShapedRow(head, { replaced });
}

async function headerMissing(source: FileSource, sheet: SheetInfo, row: number): Promise<ProductError> {
  const params = { file: source.file, sheet: sheet.name, row };
  const rows = await firstRows(source, sheet);
  if (rows.every((it) => it.cells().length === 0)) {
    return new ProductError('input', message('source.sheet_empty', params));
  }
  const found = findHeaderRow(rows, () => false)?.number;
  const detail =
    found === undefined
      ? message('source.header_missing', params)
      : message('source.header_missing_elsewhere', { ...params, found });
  return new ProductError('input', detail);
}

interface TableOptions {
  /** Result columns before the source's own. */
  readonly resultCount?: number;
  /** Apostrophes that guard against formulas are removed. */
  readonly guarded?: boolean;
  readonly merges?: MergedRanges;
}

function tableOf(
  source: FileSource,
  sheet: SheetInfo,
  head: Row,
  { resultCount = 0, guarded = resultCount > 0, merges = MergedRanges.NONE }: TableOptions,
): Table {
  const { file } = source;
  const all = headersOf(head instanceof CsvRow && guarded ? head.unguarded() : head);
  const headers = all.filter(({ column }) => column > resultCount);
  if (headers.length === 0) {
    throw new ProductError(
      'input',
      message('source.header_missing', { file, sheet: sheet.name, row: head.number }),
    );
  }
  const shape = head instanceof CsvRow ? lineShape(file, head, all) : undefined;
  // Stored rows have been converted before.
  const asInSource =
    source.headerRow === undefined && beginsLikeResult(textsOf(head)) ? resultRows(all) : undefined;
  const shaped = (row: Row): Row => {
    if (!shape) return resultCount > 0 ? remainsShifted(row, all, head.number) : row;
    const checked = shape.check(row as CsvRow);
    return guarded ? checked.unguarded() : checked;
  };
  return {
    sheet,
    headers,
    headerRow: head.number,
    fromResult: resultCount > 0,
    resultColumns: all.filter(({ column }) => column <= resultCount),
    isText: shape !== undefined,
    merges,
    async *rows() {
      for await (const page of source.rows(sheet)) {
        if (page.at(-1)!.number <= head.number) continue;
        const data = page[0]!.number > head.number ? page : page.filter((row) => row.number > head.number);
        if (asInSource) yield data.map((row) => asInSource(shaped(row)));
        else yield shape ? data.map(shaped) : data;
      }
    },
  };
}

function lineShape(file: string, head: CsvRow, headers: readonly Header[]): LineShape {
  if (!head.faults) return new LineShape(head, headers);
  const detail = message('source.csv_header_fault', { file, row: head.number });
  throw new ProductError('input', detail, { others: head.faults.map((it) => it.message) });
}

async function readRow(source: FileSource, sheet: SheetInfo, number: number): Promise<Row | undefined> {
  for await (const page of source.rows(sheet)) {
    for (const row of page) {
      if (row.number === number) return row;
      if (row.number > number) return undefined;
    }
  }
  return undefined;
}

/** In a text file a header such as `=SUM(A1)` is its text: a header has no result that could be missing. */
function headersOf(row: Row): Header[] {
  const isText = row instanceof CsvRow;
  return row
    .cells()
    .map(({ column, kind, text, raw }) => ({ column, text: isText && kind === 'no_result' ? raw : text }))
    .map(({ column, text }) => ({ column, text, folded: fold(text) }))
    .filter(({ folded }) => folded !== '');
}

function textsOf(row: Row): string[] {
  const texts: string[] = [];
  for (const { column, text } of row.cells()) {
    while (texts.length < column - 1) texts.push('');
    texts.push(text);
  }
  return texts;
}
