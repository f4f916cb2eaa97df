import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { CellMarks, Row } from '../../model/row.js';
import { CellRows, errorCell, hasSubtotalToken, numericCell, rkNumber } from '../binary-cells.js';
import { MergedRanges } from '../merged-ranges.js';
import type { SheetInfo, Source } from '../source.js';
import type { PlainRow } from '../stored-row.js';
import { MAX_COLUMN, MAX_ROW } from '../xlsx/row-blocks.js';
import type { PackagePart, ZipPackage } from '../xlsx/zip.js';
import {
  type BinaryRecord,
  hasStruckRuns,
  partRecords,
  readBook,
  type XlsbBook,
  type XlsbSheet,
} from './xlsb-workbook.js';

const ROW = 0;
const BLANK = 1;
const RK = 2;
const ERROR = 3;
const BOOLEAN = 4;
const NUMBER = 5;
const TEXT = 6;
const SHARED = 7;
const FORMULA_TEXT = 8;
const FORMULA_NUMBER = 9;
const FORMULA_BOOLEAN = 10;
const FORMULA_ERROR = 11;
/** The same as 1 to 7, in the next column. */
const SHORT_BLANK = 12;
const SHORT_SHARED = 18;
const SHORT_TO_FULL = SHORT_BLANK - BLANK;
const RICH_TEXT = 62;
const END_SHEET = 130;
const BEGIN_DATA = 145;
const END_DATA = 146;
const MERGED_CELL = 176;

/** In a row's second byte of flags. */
const ZERO_HEIGHT = 0x10;
const STYLE_BITS = 0xffffff;
/** Rows in one page. */
const PAGE = 256;

/**
 * The rows of a worksheet, in order.
 * @throws ProductError input if the sheet is damaged, a row follows a later one, or a cell occurs twice
 */
async function* sheetRows(
  zip: ZipPackage,
  { info, part }: XlsbSheet,
  book: XlsbBook,
): AsyncGenerator<readonly PlainRow[]> {
  const reader = new RowReader(zip.file, info.name, book);
  let page: PlainRow[] = [];
  let within = false;
  for await (const record of partRecords(zip, part, END_SHEET)) {
    if (record.type === BEGIN_DATA) within = true;
    else if (record.type === END_DATA) within = false;
    else if (within && record.type === ROW) {
      page.push(...reader.take());
      reader.begin(record);
      if (page.length < PAGE) continue;
      yield page;
      page = [];
    } else if (within) reader.see(record);
  }
  page.push(...reader.take());
  if (page.length > 0) yield page;
}

/** Top, left, bottom and right of each merged range; they follow the rows. */
async function sheetMerges(zip: ZipPackage, { part }: XlsbSheet): Promise<readonly number[]> {
  const numbers: number[] = [];
  for await (const record of partRecords(zip, part, END_SHEET)) {
    if (record.type !== MERGED_CELL) continue;
    const [top, bottom, left, right] = [0, 4, 8, 12].map((at) => record.u32(at) + 1);
    if (top! > bottom! || left! > right! || bottom! > MAX_ROW || right! > MAX_COLUMN) throw record.broken();
    if (top !== bottom || left !== right) numbers.push(top!, left!, bottom!, right!);
  }
  return numbers;
}

class RowReader {
  readonly #book: XlsbBook;
  readonly #cells: CellRows;
  readonly #place: { readonly file: string; readonly sheet: string };
  #row = 0;
  #column = 0;
  #hidden = false;

  constructor(file: string, sheet: string, book: XlsbBook) {
    this.#book = book;
    this.#cells = new CellRows(file, sheet);
    this.#place = { file, sheet };
  }

  begin(record: BinaryRecord): void {
    const row = record.u32(0) + 1;
    if (row > MAX_ROW) throw record.broken();
    if (row <= this.#row) {
      const params = { ...this.#place, row, previous: this.#row };
      throw new ProductError('input', message('source.xlsx_row_order', params));
    }
    record.need(12);
    this.#row = row;
    this.#column = 0;
    this.#hidden = (record.data[11]! & ZERO_HEIGHT) !== 0;
  }

  /** The row that was read last, if it has cells. */
  take(): readonly PlainRow[] {
    return this.#cells.sorted(() => this.#hidden);
  }

  see(record: BinaryRecord): void {
    const { type } = record;
    if (type >= SHORT_BLANK && type <= SHORT_SHARED) {
      this.#column += 1;
      this.#value(record, type - SHORT_TO_FULL, record.u32(0) & STYLE_BITS, 4);
    } else if ((type >= BLANK && type <= FORMULA_ERROR) || type === RICH_TEXT) {
      this.#column = record.u32(0) + 1;
      this.#value(record, type, record.u32(4) & STYLE_BITS, 8);
    }
  }

  /** @param at start of the value in the record */
  #value(record: BinaryRecord, type: number, style: number, at: number): void {
    const row = this.#row;
    const column = this.#column;
    if (row === 0 || column > MAX_COLUMN) throw record.broken();
    const cells = this.#cells;
    const { styles, texts, struckTexts, struckFonts, pending } = this.#book;
    const marks = this.#marks(record, type, style, at);
    if (pending && isEmptyResult(record, type, at)) {
      const raw = type === FORMULA_TEXT && record.text(at) === '' ? '' : '0';
      cells.put(row, { column, kind: 'no_result', text: '', raw, ...marks });
      return;
    }
    switch (type) {
      case RK:
        record.need(at + 4);
        this.#number(rkNumber(record.data, at), style, marks);
        return;
      case NUMBER:
      case FORMULA_NUMBER:
        record.need(at + 8);
        this.#number(record.data.readDoubleLE(at), style, marks);
        return;
      case BOOLEAN:
      case FORMULA_BOOLEAN: {
        record.need(at + 1);
        const value = record.data[at] !== 0;
        cells.put(row, {
          column,
          kind: 'boolean',
          text: value ? 'TRUE' : 'FALSE',
          raw: value ? '1' : '0',
          ...marks,
        });
        return;
      }
      case ERROR:
      case FORMULA_ERROR:
        record.need(at + 1);
        cells.put(row, { ...errorCell(column, record.data[at]!), ...marks });
        return;
      case TEXT:
      case FORMULA_TEXT:
        cells.text(row, column, record.text(at), styles[style], marks);
        return;
      case RICH_TEXT: {
        const part: CellMarks = hasStruckRuns(record, at, struckFonts) ? { struck: 'part' } : {};
        cells.text(row, column, record.text(at + 1), styles[style], { ...part, ...marks });
        return;
      }
      case SHARED: {
        const part: CellMarks = struckTexts.has(record.u32(at)) ? { struck: 'part' } : {};
        cells.shared(row, column, texts, record.u32(at), styles[style], { ...part, ...marks });
      }
    }
  }

  #number(value: number, style: number, marks: CellMarks): void {
    const { styles, date1904 } = this.#book;
    const cell = numericCell(this.#column, value, styles[style], date1904);
    this.#cells.put(this.#row, { ...cell, ...marks });
  }

  #marks(record: BinaryRecord, type: number, style: number, at: number): CellMarks {
    const { struck, pending } = this.#book;
    return {
      ...(type >= FORMULA_TEXT && type <= FORMULA_ERROR
        ? { formula: pending ? ('pending' as const) : ('calculated' as const) }
        : {}),
      ...(usesSubtotal(record, type, at) ? { subtotal: true as const } : {}),
      ...(struck.has(style) ? { struck: 'whole' as const } : {}),
    };
  }
}

/** Whether a formula's result is 0 or an empty text. */
function isEmptyResult(record: BinaryRecord, type: number, at: number): boolean {
  if (type === FORMULA_NUMBER) return record.data.length >= at + 8 && record.data.readDoubleLE(at) === 0;
  return type === FORMULA_TEXT && Number(record.text(at)) === 0;
}

/** The formula's tokens follow its result, two bytes of flags and their length ([MS-XLSB] 2.5.97.15). */
function usesSubtotal(record: BinaryRecord, type: number, at: number): boolean {
  if (type < FORMULA_TEXT || type > FORMULA_ERROR) return false;
  const end = type === FORMULA_TEXT ? record.textEnd(at) : at + (type === FORMULA_NUMBER ? 8 : 1);
  if (record.data.length < end + 6) return false;
  return hasSubtotalToken(record.data.subarray(end + 6, end + 6 + record.u32(end + 2)));
}

/**
 * Opens a binary workbook, whose sheets are streamed.
 * @param part the workbook part
 * @throws ProductError input if it is damaged, or a sheet that it names is missing
 */
export async function openXlsb(zip: ZipPackage, part: PackagePart): Promise<Source> {
  return new XlsbSource(zip, await readBook(zip, part));
}

class XlsbSource implements Source {
  readonly isWorkbook = true;
  readonly warnings = [];
  readonly sheets: readonly SheetInfo[];
  readonly #zip: ZipPackage;
  readonly #book: XlsbBook;

  constructor(zip: ZipPackage, book: XlsbBook) {
    this.#zip = zip;
    this.#book = book;
    this.sheets = book.sheets.map((it) => it.info);
  }

  rows(sheet: SheetInfo): AsyncGenerator<readonly Row[]> {
    return sheetRows(this.#zip, this.#sheet(sheet), this.#book);
  }

  async merges(sheet: SheetInfo): Promise<MergedRanges> {
    return MergedRanges.of(await sheetMerges(this.#zip, this.#sheet(sheet)));
  }

  async close(): Promise<void> {
    this.#zip.close();
  }

  #sheet({ position }: SheetInfo): XlsbSheet {
    const found = this.#book.sheets.find((it) => it.info.position === position);
    if (!found) throw new Error(`no sheet at position ${position}`);
    return found;
  }
}
