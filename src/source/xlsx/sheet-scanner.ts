import {
  FORMULA_CELL,
  MAX_ROW,
  NUMBER,
  type RowBlock,
  RowBuilder,
  SHARED,
  STRUCK_CELL,
  TEXT_CELL,
} from './row-blocks.js';
import { MAX_CELL_BYTES } from './shared-strings.js';
import type { TextOffsets } from './shared-text-index.js';
import { columnNumber, FormulaCells, fastCells, isZeroText, kindOf, styleNumber } from './sheet-cells.js';
import { isStruck } from './xlsx-styles.js';
import { attributes, name } from './xml-part.js';
import { CDATA, DONE, END, NEED, START, TEXT, XmlScanner } from './xml-scan.js';
import { ascii, isBlankRange, matches, type PartPlace } from './xml-text.js';

const [WORKSHEET, SHEET_DATA, ROW, C, V, F, IS, T, R, RUN_STYLE, STRIKE, ALTERNATE, CHOICE] = [
  'worksheet',
  'sheetData',
  'row',
  'c',
  'v',
  'f',
  'is',
  't',
  'r',
  'rPr',
  'strike',
  'AlternateContent',
  'Choice',
].map(name) as Uint8Array[];

const HIDDEN = name('hidden');

type Inside =
  | 'sheet'
  | 'data'
  | 'row'
  | 'cell'
  | 'value'
  | 'formula'
  | 'inline'
  | 'inline text'
  | 'run style';

/** Text of a cell, as a range of the row's bytes (in the builder, from the row's base). */
interface TextSpan {
  start: number;
  end: number;
  flags: number;
  seen: boolean;
}

/**
 * Reads a worksheet's XML as it arrives: `worksheet > sheetData > row > c`, and in a cell `v`, `f`, or `is` with its
 * texts and runs. Of alternative contents the first choice is read. Everything else is skipped.
 */
export class SheetScanner {
  readonly #scanner: XmlScanner;
  readonly #rows: RowBuilder;
  #inside: Inside = 'sheet';
  /** Depth of the element that is skipped with its content; 0 if none is. */
  #skipped = 0;
  #kind = NUMBER;
  #style = 0;
  #formula = false;
  readonly #formulas = new FormulaCells();
  /** The run of the inline text that is being read is struck out. */
  #struckRun = false;
  /** Start of the cell's bytes, from the row's base. */
  #begin = 0;
  readonly #value: TextSpan = { start: 0, end: 0, flags: 0, seen: false };
  readonly #inline: TextSpan = { start: 0, end: 0, flags: 0, seen: false };
  /** Start (from the row's base) and flags of the inline text that is being read. */
  #pieceStart = 0;
  #pieceFlags = 0;

  readonly #pending: boolean;

  /**
   * @param sheet its name, for messages
   * @param pending the workbook requires a calculation of its formulas on opening: 0 and an empty text are not results
   */
  constructor(sheet: string, texts: TextOffsets, place: PartPlace, pending: boolean) {
    this.#pending = pending;
    this.#scanner = new XmlScanner(place);
    this.#rows = new RowBuilder(place.file, sheet, texts);
  }

  /**
   * Adds bytes of the part, in UTF-8, and returns the rows that are complete now; undefined if there are none.
   * @throws ProductError input: see `XmlScanner` and `RowBuilder`.
   */
  push(chunk: Buffer): RowBlock | undefined {
    this.#scanner.feed(chunk);
    this.#drain();
    return this.#rows.take();
  }

  /** Call at the end of the part. @throws ProductError input if its XML is incomplete. */
  finish(): RowBlock | undefined {
    this.#scanner.finish();
    this.#drain();
    return this.#rows.take();
  }

  #drain(): void {
    const scanner = this.#scanner;
    for (;;) {
      if (
        this.#inside === 'row' &&
        this.#skipped === 0 &&
        !scanner.selfClosing &&
        !this.#formulas.hasArrays
      ) {
        fastCells(scanner, this.#rows);
      }
      const token = scanner.next();
      if (token === NEED || token === DONE) return;
      if (this.#skipped > 0) {
        if (token === END && scanner.depth < this.#skipped) this.#skipped = 0;
      } else if (token === START) this.#open(scanner);
      else if (token === END) this.#close(scanner);
      else if (token === TEXT || token === CDATA) this.#text(scanner, token === CDATA);
    }
  }

  #open(scanner: XmlScanner): void {
    switch (this.#inside) {
      case 'sheet':
        if (scanner.depth === 1 && !scanner.named(WORKSHEET!)) throw scanner.broken();
        if (scanner.depth > 1) this.#enter(scanner, SHEET_DATA!, 'data');
        break;
      case 'data':
        if (this.#enter(scanner, ROW!, 'row')) this.#openRow(scanner);
        break;
      case 'row':
        if (this.#enter(scanner, C!, 'cell')) this.#openCell(scanner);
        break;
      case 'cell':
        if (scanner.named(V!)) this.#gather(this.#value, 'value');
        else if (scanner.named(IS!)) this.#gather(this.#inline, 'inline');
        else if (scanner.named(F!)) this.#openFormula(scanner);
        else this.#skip(scanner);
        break;
      case 'inline':
        if (scanner.named(RUN_STYLE!)) this.#inside = 'run style';
        else if (scanner.named(T!)) {
          this.#inside = 'inline text';
          this.#pieceStart = this.#rows.text.length - this.#rows.base;
          this.#pieceFlags = 0;
        } else if (scanner.named(R!)) this.#struckRun = false;
        else this.#skip(scanner);
        break;
      case 'run style':
        if (scanner.named(STRIKE!)) this.#struckRun = isStruck(attributes(scanner));
        this.#skip(scanner);
        break;
      default:
        this.#skip(scanner);
    }
  }

  #close(scanner: XmlScanner): void {
    switch (this.#inside) {
      case 'inline text':
        this.#inside = 'inline';
        this.#endPiece();
        break;
      case 'inline':
        if (scanner.named(IS!)) this.#inside = 'cell';
        break;
      case 'run style':
        if (scanner.named(RUN_STYLE!)) this.#inside = 'inline';
        break;
      case 'formula':
      case 'value':
        this.#inside = 'cell';
        break;
      case 'cell':
        if (!scanner.named(C!)) break;
        this.#closeCell(scanner);
        this.#inside = 'row';
        break;
      case 'row':
        if (!scanner.named(ROW!)) break;
        this.#rows.closeRow();
        this.#inside = 'data';
        break;
      case 'data':
        if (scanner.named(SHEET_DATA!)) this.#inside = 'sheet';
    }
  }

  /** Enters the element if it has this name, and skips it otherwise. */
  #enter(scanner: XmlScanner, name: Uint8Array, inside: Inside): boolean {
    if (!scanner.named(name)) {
      this.#skip(scanner);
      return false;
    }
    this.#inside = inside;
    return true;
  }

  #skip(scanner: XmlScanner): void {
    if (!scanner.named(ALTERNATE!) && !scanner.named(CHOICE!)) this.#skipped = scanner.depth;
  }

  #openRow(scanner: XmlScanner): void {
    let number: number | undefined;
    let hidden = false;
    while (scanner.nextAttribute()) {
      const { bytes, attributeStart, attributeEnd, valueStart, valueEnd } = scanner;
      if (scanner.attributeHasPrefix) continue;
      if (attributeEnd - attributeStart === 1 && bytes[attributeStart] === 0x72) {
        number = this.#rowNumber(bytes, valueStart, valueEnd) ?? number;
      } else if (
        attributeEnd - attributeStart === 6 &&
        matches(bytes, attributeStart, attributeEnd, HIDDEN)
      ) {
        const value = ascii(bytes, valueStart, valueEnd).trim();
        hidden = value === '1' || value === 'true' || value === 'on';
      }
    }
    this.#rows.openRow(number, hidden);
    this.#formulas.openRow(this.#rows.number);
  }

  /** The row's number from its attribute; undefined if that is empty. */
  #rowNumber(bytes: Buffer, start: number, end: number): number | undefined {
    let number = 0;
    let p = start;
    for (; p < end && bytes[p]! >= 0x30 && bytes[p]! <= 0x39 && number <= MAX_ROW; p += 1) {
      number = number * 10 + bytes[p]! - 0x30;
    }
    if (p === end && number >= 1 && number <= MAX_ROW) return number;
    const value = ascii(bytes, start, end).trim();
    if (value === '') return undefined;
    number = /^\d{1,9}$/.test(value) ? Number(value) : 0;
    if (number < 1 || number > MAX_ROW) throw this.#rows.badRowNumber(value.slice(0, 40));
    return number;
  }

  #openCell(scanner: XmlScanner): void {
    this.#kind = NUMBER;
    this.#style = 0;
    this.#formula = false;
    this.#value.seen = false;
    this.#inline.seen = false;
    this.#struckRun = false;
    this.#begin = this.#rows.text.length - this.#rows.base;
    let placed = false;
    while (scanner.nextAttribute()) {
      const { bytes, attributeStart, valueStart, valueEnd } = scanner;
      if (scanner.attributeHasPrefix || scanner.attributeEnd - attributeStart !== 1) continue;
      const attribute = bytes[attributeStart];
      if (attribute === 0x72) placed = this.#refer(ascii(bytes, valueStart, valueEnd).trim()) || placed;
      else if (attribute === 0x73) this.#style = styleNumber(ascii(bytes, valueStart, valueEnd));
      else if (attribute === 0x74) this.#kind = kindOf(ascii(bytes, valueStart, valueEnd));
    }
    if (!placed && !this.#rows.nextCell()) throw this.#rows.badReference('XFE');
  }

  /** Puts the cell at its reference; false if the reference is empty. */
  #refer(reference: string): boolean {
    if (reference === '') return false;
    const parts = /^([A-Za-z]{1,3})(\d{1,7})$/.exec(reference);
    const column = parts ? columnNumber(parts[1]!.toUpperCase()) : 0;
    if (parts && this.#rows.cellAt(column, Number(parts[2]))) return true;
    throw this.#rows.badReference(reference.slice(0, 40));
  }

  #gather(into: TextSpan, inside: Inside): void {
    this.#inside = inside;
    into.start = this.#rows.text.length - this.#rows.base;
    into.end = into.start;
    into.flags = 0;
    into.seen = true;
  }

  #openFormula(scanner: XmlScanner): void {
    this.#inside = 'formula';
    this.#formula = true;
    this.#rows.marks |= this.#formulas.open(attributes(scanner));
  }

  #text(scanner: XmlScanner, cdata: boolean): void {
    if (this.#inside === 'formula') this.#rows.marks |= this.#formulas.text(scanner);
    if (this.#inside !== 'value' && this.#inside !== 'inline text') return;
    const into = this.#inside === 'value' ? this.#value : this.#inline;
    const { text } = this.#rows;
    const { textStart, textEnd } = scanner;
    if (scanner.partial || textEnd - textStart + into.end - into.start > 4 * MAX_CELL_BYTES) {
      throw this.#rows.tooLong();
    }
    const flags = text.append(scanner.bytes, textStart, textEnd, cdata, scanner.place, scanner.offset);
    if (this.#inside === 'value') into.flags |= flags;
    else {
      this.#pieceFlags |= flags;
      if (this.#struckRun && !isBlankRange(scanner.bytes, textStart, textEnd))
        this.#rows.marks |= STRUCK_CELL;
    }
    into.end = text.length - this.#rows.base;
    this.#rows.checkSize();
  }

  /** Ends one element of an inline text. Escapes never span two elements. */
  #endPiece(): void {
    const { text, base } = this.#rows;
    this.#inline.flags |= text.unescape(base + this.#pieceStart, this.#pieceFlags);
    this.#inline.end = text.length - base;
  }

  #closeCell(scanner: XmlScanner): void {
    this.#putCell(scanner);
    this.#rows.marks = 0;
  }

  #putCell(scanner: XmlScanner): void {
    const rows = this.#rows;
    if (!this.#formula && this.#formulas.isInArray(rows.column)) {
      this.#formula = true;
      rows.marks |= FORMULA_CELL;
    }
    const inline = this.#inline.seen && (!this.#value.seen || this.#kind === TEXT_CELL);
    const found = inline ? this.#inline : this.#value;
    const kind = inline ? TEXT_CELL : this.#kind;
    if (!found.seen) {
      if (this.#formula) rows.putNoResult(false);
      return;
    }
    let start = rows.base + found.start;
    let end = rows.base + found.end;
    const { bytes } = rows.text;
    if (kind !== TEXT_CELL) {
      while (start < end && bytes[start]! <= 0x20) start += 1;
      while (start < end && bytes[end - 1]! <= 0x20) end -= 1;
    }
    if (this.#formula && this.#pending && (kind === NUMBER || kind === TEXT_CELL)) {
      const isZero = isZeroText(bytes, start, end);
      if (isZero || start === end) {
        rows.text.length = rows.base + this.#begin;
        rows.putNoResult(isZero);
        return;
      }
    }
    if (start < end && kind !== SHARED) {
      rows.putBytes(kind, this.#style, found.flags, start, end);
      return;
    }
    const digits = ascii(bytes, start, Math.min(end, start + 16));
    rows.text.length = rows.base + this.#begin;
    if (digits === '') {
      // An empty text is a formula's result. An empty number or boolean comes from a program that does not calculate.
      if (this.#formula && kind !== TEXT_CELL) rows.putNoResult(false);
      return;
    }
    if (!/^\d{1,9}$/.test(digits)) throw scanner.broken();
    rows.putShared(Number(digits), this.#style);
  }
}
