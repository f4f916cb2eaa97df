import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { Cell, CellMarks, Row } from '../../model/row.js';
import {
  CellRows,
  errorCell,
  hasLostText,
  hasStruckRun,
  numericCell,
  rkNumber,
  usesSubtotal,
} from '../binary-cells.js';
import { MergedRanges } from '../merged-ranges.js';
import type { SheetInfo, Source } from '../source.js';
import type { PlainRow } from '../stored-row.js';
import type { NumberFormat } from '../xlsx/number-format.js';
import { BOF, EOF, Records, TextReader, type XlsText } from './xls-records.js';
import { byteText, readGlobals, WORKSHEET, type XlsGlobals, type XlsSheet } from './xls-workbook.js';

/** Rows in one page. */
const PAGE = 256;

/**
 * Opens the workbook stream of an .xls file of Excel 5 to 2003.
 * @param file name for messages
 * @throws ProductError input if it is encrypted, damaged or of another kind, or has no worksheet
 */
export function openXls(stream: Buffer, file: string): Source {
  const book = readGlobals(stream, file);
  if (book.sheets.length === 0) throw new ProductError('input', message('source.xlsx_no_sheets', { file }));
  // A truncated file is rejected as a whole, whatever sheet is requested.
  for (const sheet of book.sheets) checkSheet(stream, file, sheet);
  return new XlsSource(stream, file, book);
}

class XlsSource implements Source {
  readonly isWorkbook = true;
  readonly warnings = [];
  readonly sheets: readonly SheetInfo[];
  readonly #stream: Buffer;
  readonly #file: string;
  readonly #book: XlsGlobals;
  /** The sheet that was read last. */
  #content: { readonly position: number; readonly content: XlsContent } | undefined;

  constructor(stream: Buffer, file: string, book: XlsGlobals) {
    this.#stream = stream;
    this.#file = file;
    this.#book = book;
    this.sheets = book.sheets.map((it) => it.info);
  }

  async *rows(sheet: SheetInfo): AsyncGenerator<readonly Row[]> {
    const { rows } = this.#read(sheet);
    for (let at = 0; at < rows.length; at += PAGE) yield rows.slice(at, at + PAGE);
  }

  async merges(sheet: SheetInfo): Promise<MergedRanges> {
    return MergedRanges.of(this.#read(sheet).merges);
  }

  async close(): Promise<void> {}

  #read({ position }: SheetInfo): XlsContent {
    if (this.#content?.position !== position) {
      const sheet = this.#book.sheets.find((it) => it.info.position === position);
      if (!sheet) throw new Error(`no sheet at position ${position}`);
      this.#content = { position, content: readSheet(this.#stream, this.#file, sheet, this.#book) };
    }
    return this.#content.content;
  }
}

const ROW = 0x208;
const DEFAULT_ROW_HEIGHT = 0x225;
const NUMBER = 0x203;
const RK = 0x27e;
const MULTIPLE_RK = 0xbd;
const LABEL = 0x204;
const RICH_LABEL = 0xd6;
const SHARED_LABEL = 0xfd;
const BOOLEAN_OR_ERROR = 0x205;
const FORMULA = 0x06;
const FORMULA_RESULT = 0x207;
const MERGED_CELLS = 0xe5;
/** The sheet's formulas were not calculated when it was saved ([MS-XLS] 2.4.332). */
const NOT_CALCULATED = 0x5e;

/** Flag of a formula: it must be calculated on opening. */
const CALCULATE_ON_LOAD = 0x02;

/** Hidden flags: a row with zero height, and all rows without a record. */
const ZERO_HEIGHT = 0x20;
const ZERO_DEFAULT_HEIGHT = 0x02;
/** Marks a formula's number field whose result is of another kind. */
const NO_NUMBER = 0xffff;
const EMPTY_TEXT = 3;

export interface XlsContent {
  readonly rows: readonly PlainRow[];
  /** Top, left, bottom and right of each merged range. */
  readonly merges: readonly number[];
}

/**
 * Skips a sheet's records to its end.
 * @throws ProductError input if the sheet does not begin at the stated position, or has no end
 */
export function checkSheet(stream: Buffer, file: string, { at }: XlsSheet): void {
  const records = sheetRecords(stream, file, at);
  for (const _ of withinSheet(records)) void _;
}

function sheetRecords(stream: Buffer, file: string, at: number): Records {
  const records = new Records(stream, at, file);
  records.next();
  records.need(4);
  if (records.type !== BOF || records.data.readUInt16LE(2) !== WORKSHEET) throw records.broken();
  return records;
}

/** The types of the sheet's own records; embedded charts and similar have their own records. */
function* withinSheet(records: Records): Generator<number> {
  for (let depth = 1; depth > 0; ) {
    records.next();
    if (records.type === BOF) depth += 1;
    else if (records.type === EOF) depth -= 1;
    else if (depth === 1) yield records.type;
  }
}

/**
 * Reads a worksheet. Cells may be in any order, so all are read before the first row.
 * @throws ProductError input if the sheet is damaged, or a cell occurs twice
 */
export function readSheet(stream: Buffer, file: string, sheet: XlsSheet, book: XlsGlobals): XlsContent {
  return new SheetReader(stream, file, sheet, book).content();
}

class SheetReader {
  readonly #records: Records;
  readonly #book: XlsGlobals;
  readonly #rows: CellRows;
  readonly #merges: number[] = [];
  readonly #hidden = new Map<number, boolean>();
  #allHidden = false;
  #pending: boolean;
  /** The cell whose formula has a text as its result, which is in a separate record. */
  #awaiting:
    | {
        readonly row: number;
        readonly column: number;
        readonly format: NumberFormat | undefined;
        readonly marks: CellMarks;
      }
    | undefined;

  constructor(stream: Buffer, file: string, sheet: XlsSheet, book: XlsGlobals) {
    this.#records = sheetRecords(stream, file, sheet.at);
    this.#book = book;
    this.#pending = book.pending;
    this.#rows = new CellRows(file, sheet.info.name);
  }

  content(): XlsContent {
    for (const type of withinSheet(this.#records)) this.#see(type);
    this.#noResult();
    const rows = this.#rows.sorted((row) => this.#hidden.get(row) ?? this.#allHidden);
    return { rows, merges: this.#merges };
  }

  #see(type: number): void {
    const records = this.#records;
    switch (type) {
      case ROW:
        records.need(16);
        this.#hidden.set(records.data.readUInt16LE(0) + 1, (records.data[12]! & ZERO_HEIGHT) !== 0);
        return;
      case DEFAULT_ROW_HEIGHT:
        records.need(2);
        this.#allHidden = (records.data[0]! & ZERO_DEFAULT_HEIGHT) !== 0;
        return;
      case NUMBER:
        records.need(14);
        this.#number(
          records.data.readUInt16LE(2),
          records.data.readUInt16LE(4),
          records.data.readDoubleLE(6),
        );
        return;
      case RK:
        records.need(10);
        this.#number(records.data.readUInt16LE(2), records.data.readUInt16LE(4), rkNumber(records.data, 6));
        return;
      case MULTIPLE_RK:
        this.#numbers();
        return;
      case LABEL:
      case RICH_LABEL: {
        records.need(8);
        const { data } = records;
        const { text, runs } = this.#richText(6);
        const style = data.readUInt16LE(4);
        const struck = hasStruckRun(text, runs, this.#book.struckFonts);
        const marks = this.#struck(style, struck);
        this.#rows.text(this.#row(data), data.readUInt16LE(2) + 1, text, this.#book.styles[style], marks);
        return;
      }
      case SHARED_LABEL: {
        records.need(10);
        const { data } = records;
        const index = data.readUInt32LE(6);
        const { texts, styles, struckTexts } = this.#book;
        const style = data.readUInt16LE(4);
        const marks = this.#struck(style, struckTexts.has(index));
        this.#rows.shared(this.#row(data), data.readUInt16LE(2) + 1, texts, index, styles[style], marks);
        return;
      }
      case BOOLEAN_OR_ERROR:
        records.need(8);
        this.#truth(records.data[6]!, records.data[7] !== 0);
        return;
      case FORMULA:
        records.need(14);
        this.#formula();
        return;
      case FORMULA_RESULT:
        this.#result();
        return;
      case MERGED_CELLS:
        this.#mergedCells();
        return;
      case NOT_CALCULATED:
        this.#pending = true;
    }
  }

  #row(data: Buffer): number {
    return data.readUInt16LE(0) + 1;
  }

  #richText(at: number): XlsText {
    if (!this.#book.old) return new TextReader(this.#records, at).richText();
    return { text: byteText(this.#records, at, this.#book.codePage, true), runs: [] };
  }

  #number(column: number, style: number, value: number, marks: CellMarks = this.#struck(style)): void {
    this.#put(numericCell(column + 1, value, this.#book.styles[style], this.#book.date1904), marks);
  }

  #put(cell: Cell, marks: CellMarks = {}): void {
    this.#rows.put(this.#row(this.#records.data), { ...cell, ...marks });
  }

  #struck(style: number, hasStruckRuns = false): CellMarks {
    if (this.#book.struck.has(style)) return { struck: 'whole' };
    return hasStruckRuns ? { struck: 'part' } : {};
  }

  #numbers(): void {
    const { data } = this.#records;
    this.#records.need(6);
    const first = data.readUInt16LE(2);
    const count = (data.length - 6) / 6;
    if (!Number.isInteger(count)) throw this.#records.broken();
    for (let i = 0; i < count; i += 1) {
      const at = 4 + 6 * i;
      this.#number(first + i, data.readUInt16LE(at), rkNumber(data, at + 2));
    }
  }

  #truth(
    value: number,
    isError: boolean,
    marks: CellMarks = this.#struck(this.#records.data.readUInt16LE(4)),
  ): void {
    const column = this.#records.data.readUInt16LE(2) + 1;
    if (isError) this.#put(errorCell(column, value), marks);
    else
      this.#put({ column, kind: 'boolean', text: value ? 'TRUE' : 'FALSE', raw: value ? '1' : '0' }, marks);
  }

  #formula(): void {
    const { data } = this.#records;
    this.#noResult();
    const column = data.readUInt16LE(2);
    const style = data.readUInt16LE(4);
    const isPending = this.#pending || (data.length > 14 && (data[14]! & CALCULATE_ON_LOAD) !== 0);
    const marks: CellMarks = {
      formula: isPending ? 'pending' : 'calculated',
      ...(usesSubtotal(data) ? { subtotal: true } : {}),
      ...this.#struck(style),
    };
    const isNumber = data.readUInt16LE(12) !== NO_NUMBER;
    const isZero = isNumber && data.readDoubleLE(6) === 0;
    const kind = isNumber ? undefined : data[6];
    if (hasLostText(data) || (isPending && (isZero || kind === EMPTY_TEXT))) {
      const raw = isPending && isZero ? '0' : '';
      this.#put({ column: column + 1, kind: 'no_result', text: '', raw }, marks);
    } else if (isNumber) this.#number(column, style, data.readDoubleLE(6), marks);
    else if (kind === 0)
      this.#awaiting = { row: this.#row(data), column: column + 1, format: this.#book.styles[style], marks };
    else if (kind === 1 || kind === 2) this.#truth(data[8]!, kind === 2, marks);
    else if (kind !== EMPTY_TEXT) throw this.#records.broken();
  }

  #result(): void {
    const { text } = this.#richText(0);
    const cell = this.#awaiting;
    this.#awaiting = undefined;
    if (!cell) return;
    const { row, column, format, marks } = cell;
    const isZero = text.trim() !== '' && Number(text) === 0;
    if (marks.formula === 'pending' && (isZero || text === ''))
      this.#rows.put(row, { column, kind: 'no_result', text: '', raw: isZero ? '0' : '', ...marks });
    else this.#rows.text(row, column, text, format, marks);
  }

  /** A formula without a result is an error of its cell. */
  #noResult(): void {
    const cell = this.#awaiting;
    this.#awaiting = undefined;
    if (cell) this.#rows.put(cell.row, { column: cell.column, kind: 'no_result', text: '', raw: '' });
  }

  #mergedCells(): void {
    const { data } = this.#records;
    this.#records.need(2);
    const count = data.readUInt16LE(0);
    this.#records.need(2 + 8 * count);
    for (let i = 0; i < count; i += 1) {
      const [top, bottom, left, right] = [0, 2, 4, 6].map((it) => data.readUInt16LE(2 + 8 * i + it) + 1);
      if (top! > bottom! || left! > right!) throw this.#records.broken();
      if (top !== bottom || left !== right) this.#merges.push(top!, left!, bottom!, right!);
    }
  }
}
