import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { Cell } from '../../model/row.js';
import { cellAddress } from '../../util/spreadsheet-text.js';
import type { SheetInfo } from '../source.js';
import { PlainRow } from '../stored-row.js';
import { MAX_COLUMN, MAX_ROW } from '../xlsx/row-blocks.js';
import { MAX_CELL_LENGTH } from '../xlsx/shared-strings.js';
import { CellText, odsCell } from './ods-cell.js';
import type { Attributes, OdsVisitor } from './ods-scan.js';
import type { OdsStyles } from './ods-styles.js';

const BODY = '/document-content/body';
export const SPREADSHEET = `${BODY}/spreadsheet`;
export const TABLE = `${SPREADSHEET}/table`;
const ROW = `${TABLE}/table-row`;
const CELL = `${ROW}/table-cell`;
/** Under a merged range; it may have a value anyway. */
const COVERED = `${ROW}/covered-table-cell`;
const PARAGRAPH =
  /^\/document-content\/body\/spreadsheet\/table\/table-row\/(?:covered-)?table-cell\/p(\/.*)?$/;
/** Elements within a paragraph that are not part of the cell's text. */
const ASIDE = /\/(?:annotation|ruby-text|note)(?:\/|$)/;

/** The content of a sheet. Repeated rows are given once, with the number of the first. */
export interface SheetHandler {
  row(row: PlainRow, times: number): void;
  merge(top: number, left: number, bottom: number, right: number): void;
}

/** Adjacent equal cells of a row. */
interface Run {
  readonly column: number;
  readonly times: number;
  readonly cell: (column: number) => Cell | undefined;
}

export class TableVisitor implements OdsVisitor {
  readonly #file: string;
  readonly #sheet: SheetInfo;
  readonly #styles: OdsStyles;
  readonly #date1904: boolean;
  readonly #handler: SheetHandler;
  /** The styles of columns, each with the last column that has it. */
  #columns: { readonly last: number; readonly style: string | undefined }[] = [];
  #column = 0;
  #row = 0;
  #rowTimes = 1;
  #hidden = false;
  #rowStyle: string | undefined;
  #runs: Run[] = [];
  #attributes: Attributes = new Map();
  readonly #text = new CellText();
  /** Path of the open element whose characters are struck out; and whether the cell has such characters. */
  #struckSpan: string | undefined;
  #struckText = false;

  constructor(file: string, sheet: SheetInfo, styles: OdsStyles, date1904: boolean, handler: SheetHandler) {
    this.#file = file;
    this.#sheet = sheet;
    this.#styles = styles;
    this.#date1904 = date1904;
    this.#handler = handler;
  }

  open(path: string, given: () => Attributes): void {
    if (path === CELL || path === COVERED) {
      this.#attributes = given();
      this.#text.clear();
      this.#struckSpan = undefined;
      this.#struckText = false;
    } else if (path === ROW) {
      const attributes = given();
      this.#rowTimes = repeated(attributes.get('table:number-rows-repeated'));
      const visibility = attributes.get('table:visibility');
      this.#hidden = visibility === 'collapse' || visibility === 'filter';
      this.#rowStyle = attributes.get('table:default-cell-style-name');
      this.#column = 0;
      this.#runs = [];
    } else if (path === `${TABLE}/table-column`) {
      const attributes = given();
      const last =
        (this.#columns.at(-1)?.last ?? 0) + repeated(attributes.get('table:number-columns-repeated'));
      this.#columns.push({ last, style: attributes.get('table:default-cell-style-name') });
    } else this.#inText(path, given);
  }

  text(path: string, text: string): void {
    if (PARAGRAPH.test(path) && !ASIDE.test(path)) {
      this.#text.add(text);
      if (this.#struckSpan !== undefined && text.trim() !== '') this.#struckText = true;
    }
    if (this.#text.length > 4 * MAX_CELL_LENGTH) throw this.#tooLong();
  }

  close(path: string): void {
    if (path === this.#struckSpan) this.#struckSpan = undefined;
    if (path === CELL || path === COVERED) this.#endCell();
    else if (path === ROW) this.#endRow();
    else if (path === `${CELL}/p` || path === `${COVERED}/p`) this.#text.end();
  }

  #inText(path: string, given: () => Attributes): void {
    const inside = PARAGRAPH.exec(path)?.[1];
    if (inside === undefined) {
      if (path === `${CELL}/p` || path === `${COVERED}/p`) this.#text.begin();
      return;
    }
    if (ASIDE.test(path)) return;
    if (inside.endsWith('/s')) {
      const count = repeated(given().get('text:c'));
      this.#text.hard(' '.repeat(Math.min(count, 4 * MAX_CELL_LENGTH)));
    } else if (inside.endsWith('/span')) {
      if (this.#styles.isStruckText(given().get('text:style-name'))) this.#struckSpan ??= path;
    } else if (inside.endsWith('/tab')) this.#text.hard('\t');
    else if (inside.endsWith('/line-break')) this.#text.hard('\n');
  }

  #endCell(): void {
    const attributes = this.#attributes;
    const column = this.#column + 1;
    const times = repeated(attributes.get('table:number-columns-repeated'));
    this.#column += times;
    this.#merged(attributes, column, times);
    const text = this.#text.whole;
    const hasContent = attributes.has('office:value-type') || attributes.has('table:formula') || text;
    if (!hasContent) return;
    if (
      (text?.length ?? 0) > MAX_CELL_LENGTH ||
      (attributes.get('office:string-value')?.length ?? 0) > MAX_CELL_LENGTH
    ) {
      throw this.#tooLong();
    }
    if (this.#column > MAX_COLUMN || this.#row + this.#rowTimes > MAX_ROW) throw this.#outside();
    const struckText = this.#struckText ? ('part' as const) : undefined;
    const style = attributes.get('table:style-name') ?? this.#rowStyle;
    const cell = (at: number): Cell | undefined => {
      const named = style ?? this.#columnStyle(at);
      const format = this.#styles.format(named);
      const struck = this.#styles.isStruck(named) ? 'whole' : struckText;
      return odsCell(at, { attributes, text, format, struck }, this.#date1904);
    };
    if (cell(column)) this.#runs.push({ column, times, cell });
  }

  #endRow(): void {
    const first = this.#row + 1;
    this.#row += this.#rowTimes;
    if (this.#runs.length === 0) return;
    const cells: Cell[] = [];
    for (const { column, times, cell } of this.#runs) {
      for (let i = 0; i < times; i += 1) {
        const found = cell(column + i);
        if (found) cells.push(found);
      }
    }
    const row = { sheet: this.#sheet.name, number: first, hidden: this.#hidden };
    this.#handler.row(new PlainRow(row, cells), this.#rowTimes);
  }

  /** A range that exceeds the sheet ends at the sheet's end. */
  #merged(attributes: Attributes, column: number, times: number): void {
    const wide = repeated(attributes.get('table:number-columns-spanned'));
    const high = repeated(attributes.get('table:number-rows-spanned'));
    if (wide === 1 && high === 1) return;
    const rows = Math.min(this.#rowTimes, MAX_ROW - this.#row);
    for (let r = 0; r < rows; r += 1) {
      const top = this.#row + 1 + r;
      for (let c = 0; c < times && column + c <= MAX_COLUMN; c += 1) {
        const bottom = Math.min(MAX_ROW, top + high - 1);
        this.#handler.merge(top, column + c, bottom, Math.min(MAX_COLUMN, column + c + wide - 1));
      }
    }
  }

  #columnStyle(column: number): string | undefined {
    return this.#columns.find(({ last }) => column <= last)?.style;
  }

  #tooLong(): ProductError {
    const cell = cellAddress(Math.min(MAX_COLUMN, this.#column + 1), this.#row + 1);
    const params = { file: this.#file, sheet: this.#sheet.name, cell, limit: MAX_CELL_LENGTH };
    return new ProductError('input', message('source.xlsx_cell_too_long', params));
  }

  #outside(): ProductError {
    const params = { file: this.#file, sheet: this.#sheet.name, row: this.#row + 1 };
    return new ProductError('input', message('source.ods_outside', params));
  }
}

/** The number of repetitions; default 1. */
function repeated(count: string | undefined): number {
  const number = Number(count ?? 1);
  return Number.isSafeInteger(number) && number >= 1 ? number : 1;
}

export class TablesVisitor implements OdsVisitor {
  readonly #tables: { readonly name: string; readonly style: string | undefined; external: boolean }[] = [];
  #nullDate = '';
  isSpreadsheet = false;

  open(path: string, given: () => Attributes): void {
    if (path === SPREADSHEET) this.isSpreadsheet = true;
    else if (path === TABLE) {
      const attributes = given();
      const name = attributes.get('table:name') ?? '';
      this.#tables.push({ name, style: attributes.get('table:style-name'), external: false });
    } else if (path === `${TABLE}/table-source`) {
      // Cached data of another file, for formulas.
      this.#tables.at(-1)!.external = true;
    } else if (path === `${SPREADSHEET}/calculation-settings/null-date`) {
      this.#nullDate = given().get('table:date-value') ?? '';
    }
  }

  text(): void {}

  close(): void {}

  get date1904(): boolean {
    return this.#nullDate === '1904-01-01';
  }

  /** The tables, with the index of each among all tables of the document. */
  sheets(styles: OdsStyles): readonly { readonly info: SheetInfo; readonly index: number }[] {
    const found = this.#tables.flatMap((it, index) => (it.external ? [] : [{ ...it, index }]));
    return found.map(({ name, style, index }, place) => {
      const visibility = styles.isHiddenTable(style) ? 'hidden' : 'visible';
      return { info: { name, position: place + 1, visibility }, index };
    });
  }
}
