import { setImmediate } from 'node:timers/promises';
import type { HeaderFooter, PageSetup, Style, Worksheet } from 'exceljs';
import { addLink, commitSheet, sheetNumber, sheetStream, writeRows } from '../../util/exceljs-private.js';
import { cellAddress, columnLetters } from '../../util/spreadsheet-text.js';
import { cutText } from '../../util/text.js';
import type { ResultTable } from '../result-line.js';
import type { Written } from './cell-value.js';
import { SheetNotes } from './notes.js';
import type { BookParts } from './parts.js';
import { RowXml } from './row-xml.js';
import type { MarkTone, Placing } from './styles.js';

const A4 = 9;
const MARGINS = { left: 0.4, right: 0.4, top: 0.65, bottom: 0.65, header: 0.3, footer: 0.3 };
/** Readable characters across a landscape A4 page, at about 55 per cent. */
const PAGE_CHARACTERS = 270;
/** Header and footer have at most 255 characters each, including codes. */
const NAME_BYTES = 100;

/** A landscape page with the columns fitted to its width, or to as many pages as keep them readable. */
function pageSetup(widths: readonly number[]): Partial<PageSetup> {
  const all = widths.reduce((sum, it) => sum + it, 0);
  return {
    paperSize: A4,
    orientation: 'landscape',
    fitToPage: true,
    fitToWidth: Math.max(1, Math.ceil(all / PAGE_CHARACTERS)),
    fitToHeight: 0,
    margins: MARGINS,
  };
}

/** Header: sheet, REHEARSAL or SANDBOX if applicable, date. Footer: job, run, page. */
function headerFooter({ sandbox, rehearsal, job, run }: ResultTable): Partial<HeaderFooter> {
  const mark = rehearsal ? 'REHEARSAL' : sandbox ? 'SANDBOX' : undefined;
  const banner = mark === undefined ? '' : `&C&"-,Bold"${mark}`;
  return {
    oddHeader: `&L&A${banner}&R&D`,
    oddFooter: `&L${plain(job)}&C${plain(run)}&R&P / &N`,
  };
}

/** Ampersands begin codes, so they are doubled. */
function plain(name: string): string {
  return cutText(name, NAME_BYTES).replaceAll('&', '&&');
}

/** The range that every printed page repeats: a row, and the first `columns` columns. */
export function printTitles(sheet: string, row: number, columns: number): string {
  const name = `'${sheet.replaceAll("'", "''")}'!`;
  const rows = `${name}$${row}:$${row}`;
  return columns === 0 ? rows : `${name}$A:$${columnLetters(columns)},${rows}`;
}

/** Rows of a worksheet, including the header. */
export const SHEET_ROWS = 1_048_576;
export const SHEET_COLUMNS = 16_384;
/**
 * Size of XML passed to the compressor at once. It works in another thread but gets its input from this one; with small
 * chunks it would be idle while rows are built.
 */
const PIECE_BYTES = 1 << 20;
/** XML that may wait for the compressor before more rows are built. */
const WAITING_BYTES = 2 * PIECE_BYTES;
/** XML of rows collected before it is passed to the library. */
const GATHERED_BYTES = 1 << 16;
const REHEARSAL_NOTE = 'REHEARSAL: executed in a sandbox; nothing of this took effect';
const LINE_POINTS = 15;
const LINE_PIXELS = 20;

interface SheetOptions {
  readonly name: string;
  readonly widths: readonly number[];
  /** Rows and columns that stay in view; the last of the rows is the header. */
  readonly frozen?: { readonly rows: number; readonly columns: number };
}

export interface SheetCell extends Written {
  readonly style?: Partial<Style>;
  /** Marks the cell as invalid, or by its tone, with this note. */
  readonly mark?: string;
  readonly tone?: MarkTone;
  readonly wrap?: boolean;
  /** Aligned left like text: for an identifying number, such as a row number. */
  readonly left?: boolean;
  /** Target of a link, such as `Results!D7`. */
  readonly link?: string;
}

export interface RowOptions {
  /** Row number, greater than all before it; the next one if absent. */
  readonly at?: number;
  readonly hidden?: boolean;
  /** Height of the row in lines of text; its cells are then aligned to the top. */
  readonly lines?: number;
}

const PLAIN_ROW: RowOptions = {};

function placing({ wrap, left }: SheetCell, isHigh: boolean): Placing {
  if (!isHigh) return left ? 'left' : 'plain';
  return wrap ? 'wrapped' : left ? 'topLeft' : 'top';
}

/** A worksheet written row by row; rows do not stay in memory. */
export class SheetStream {
  readonly #parts: BookParts;
  readonly #sheet: Worksheet;
  readonly #notes: SheetNotes;
  readonly #options: SheetOptions;
  readonly #rows = new RowXml();
  #last = 0;
  /** The sheet needs no more REHEARSAL note. */
  #isMarked: boolean;
  #drawing = '';

  constructor(parts: BookParts, look: SheetOptions) {
    this.#parts = parts;
    this.#options = look;
    this.#isMarked = parts.table.rehearsal !== true;
    const { book, table, printTitles: titles } = parts;
    const { name, widths, frozen } = look;
    this.#sheet = book.addWorksheet(name, {
      views: frozen ? [{ state: 'frozen', xSplit: frozen.columns, ySplit: frozen.rows }] : [],
      pageSetup: pageSetup(widths),
      headerFooter: headerFooter(table),
      properties: table.sandbox || table.rehearsal ? { tabColor: { argb: 'FFC00000' } } : {},
    });
    sheetStream(this.#sheet).bufSize = PIECE_BYTES;
    if (widths.length > 0) this.#sheet.columns = widths.map((width) => ({ width }));
    this.#notes = new SheetNotes(book, this.#sheet, widths);
    if (frozen) {
      const ranges = [printTitles(name, frozen.rows, frozen.columns)];
      titles.push({ name: '_xlnm.Print_Titles', ranges, localSheetId: sheetNumber(this.#sheet) - 1 });
    }
  }

  /** The library's sheet, for settings that are written once. */
  get sheet(): Worksheet {
    return this.#sheet;
  }

  get name(): string {
    return this.#options.name;
  }

  /** Number of the last row added. */
  get last(): number {
    return this.#last;
  }

  add(cells: readonly (SheetCell | undefined)[], look: RowOptions = PLAIN_ROW): void {
    const { at = this.#last + 1, hidden = false, lines } = look;
    this.#last = at;
    const first = cells.findIndex((it) => it !== undefined);
    if (first === -1) return;
    const last = cells.findLastIndex((it) => it !== undefined);
    const { styles } = this.#parts;
    const rows = this.#rows;
    const isHigh = lines !== undefined;
    rows.open(at, first + 1, last + 1, hidden, isHigh ? lines * LINE_POINTS : undefined);
    for (let index = first; index <= last; index += 1) {
      const cell = cells[index];
      if (!cell) continue;
      const { style, mark, link } = cell;
      const number = style
        ? styles.fixed(style)
        : styles.of(
            cell.format,
            mark === undefined ? 'none' : (cell.tone ?? 'invalid'),
            placing(cell, isHigh),
          );
      rows.cell(index + 1, number, cell.value, cell.isSpaced === true);
      const note = this.#isMarked ? mark : this.#rehearsalNote(mark);
      if (note) this.#notes.add(at, index + 1, note, (lines ?? 1) * LINE_PIXELS);
      if (link !== undefined) addLink(this.#sheet, cellAddress(index + 1, at), link);
    }
    rows.close();
    if (rows.length >= GATHERED_BYTES) this.#writeGathered();
  }

  /** Waits while the compressor or the disk is slow. */
  async drain(): Promise<void> {
    const { sink } = this.#parts;
    // Compressed chunks arrive through the event loop.
    await setImmediate();
    const pipe = sheetStream(this.#sheet).pipes[0];
    while (pipe && pipe._writableState.length > WAITING_BYTES) {
      if (sink.errored) throw sink.errored;
      if (sink.destroyed) return;
      await new Promise<void>((resolve) => {
        const done = (): void => {
          pipe.off('drain', done);
          sink.off('close', done);
          resolve();
        };
        pipe.once('drain', done);
        sink.once('close', done);
      });
    }
  }

  /** Puts a drawing on the sheet; `relation` is its id within the sheet. */
  draw(relation: string): void {
    this.#drawing = `<drawing r:id="${relation}"/>`;
  }

  end(): void {
    this.#writeGathered();
    commitSheet(this.#sheet, () => this.#drawing + this.#notes.end());
  }

  /** The note of the sheet's first cell: the printed header is not visible on the screen. */
  #rehearsalNote(mark: string | undefined): string {
    this.#isMarked = true;
    return mark ? `${REHEARSAL_NOTE}\n${mark}` : REHEARSAL_NOTE;
  }

  #writeGathered(): void {
    if (this.#rows.length > 0) writeRows(this.#sheet, this.#rows.take());
  }
}
