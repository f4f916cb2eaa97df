import type { Cell } from '../../model/row.js';
import { isErrorText, SUBTOTAL } from '../cell-texts.js';
import { numberCell } from '../xlsx/number-cell.js';
import { NumberFormat } from '../xlsx/number-format.js';
import { isoCell, textCell } from '../xlsx/xlsx-row.js';
import type { Attributes } from './ods-scan.js';

const DAY_SECONDS = 86_400;
const TIME = new NumberFormat('hh:mm:ss');
const ELAPSED = new NumberFormat('[h]:mm:ss');
const DURATION = /^(-)?P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;

export interface OdsCell {
  readonly attributes: Attributes;
  /** Its paragraphs: the displayed text, and the value of a text cell; undefined if it has none. */
  readonly text: string | undefined;
  readonly format: NumberFormat | undefined;
  readonly struck?: Cell['struck'];
}

/**
 * A cell by its value and its format. The displayed text is used only without a value: it depends on the width of the
 * column, and on the language of the program that saved the file.
 * @param date1904 days of a number in a date's format are counted from 1904
 * @returns undefined for an empty cell
 */
export function odsCell(column: number, given: OdsCell, date1904: boolean): Cell | undefined {
  const cell = valueCell(column, given, date1904);
  const formula = given.attributes.get('table:formula');
  if (!cell || (formula === undefined && given.struck === undefined)) return cell;
  return {
    ...cell,
    // OpenDocument has no mark for formulas that are still to be calculated.
    ...(formula === undefined ? {} : { formula: 'calculated' }),
    ...(formula !== undefined && SUBTOTAL.test(formula) ? { subtotal: true } : {}),
    ...(given.struck === undefined ? {} : { struck: given.struck }),
  };
}

function valueCell(
  column: number,
  { attributes, text, format }: OdsCell,
  date1904: boolean,
): Cell | undefined {
  const type = attributes.get('office:value-type');
  const isFormula = attributes.has('table:formula');
  // LibreOffice marks errors by its own attribute; older programs save an error as the number 0 or as a text.
  if (attributes.get('calcext:value-type') === 'error' || (isFormula && isErrorText(text ?? ''))) {
    const error = text || '#VALUE!';
    return { column, kind: 'error', text: error, raw: error };
  }
  switch (type) {
    case 'float':
    case 'percentage':
    case 'currency':
      return valued(column, attributes.get('office:value'), (it) =>
        isFormula && format === undefined && isTruth(it, text)
          ? booleanCell(column, it === '1' ? 'true' : 'false')
          : numberCell(column, it, format, date1904),
      );
    case 'date':
      return valued(column, attributes.get('office:date-value'), (it) => dateCell(column, it, format));
    case 'time':
      return valued(column, attributes.get('office:time-value'), (it) => timeCell(column, it, format));
    case 'boolean':
      return valued(column, attributes.get('office:boolean-value'), (it) => booleanCell(column, it));
    default: {
      const value = attributes.get('office:string-value') ?? text;
      if (value) return textCell(column, value, format);
      // LibreOffice saves an empty text result of a formula as an empty paragraph without a type.
      return isFormula && type === undefined && value === undefined ? noResult(column) : undefined;
    }
  }
}

/**
 * The boolean result of a formula, `=TRUE()`, has no format, and LibreOffice saves it as 0 or 1. A number without a
 * format would be shown as that.
 */
function isTruth(value: string, shown: string | undefined): boolean {
  return (value === '0' || value === '1') && shown !== undefined && shown !== '' && shown !== value;
}

function valued(column: number, value: string | undefined, read: (value: string) => Cell): Cell {
  return value === undefined || value.trim() === '' ? noResult(column) : read(value.trim());
}

/** A missing value is an error of its cell, as for a formula. */
function noResult(column: number): Cell {
  return { column, kind: 'no_result', text: '', raw: '' };
}

function booleanCell(column: number, raw: string): Cell {
  if (raw !== 'true' && raw !== 'false') return { column, kind: 'text', text: raw, raw };
  return { column, kind: 'boolean', text: raw.toUpperCase(), raw };
}

function dateCell(column: number, raw: string, format: NumberFormat | undefined): Cell {
  return isoCell(column, rounded(raw), format);
}

/** Rounds parts of a second to milliseconds: the value comes from a fraction of a day and has its noise. */
function rounded(iso: string): string {
  const parts = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.(\d{4,})$/.exec(iso);
  if (!parts) return iso;
  const ms = Date.parse(`${parts[1]}Z`) + Math.round(Number(`0.${parts[2]}`) * 1000);
  return Number.isNaN(ms)
    ? iso
    : new Date(ms)
        .toISOString()
        .slice(0, -1)
        .replace(/\.000$/, '');
}

/** A time of day or an elapsed one, by the format; without a format, a day or more is elapsed. */
function timeCell(column: number, raw: string, format: NumberFormat | undefined): Cell {
  const parts = DURATION.exec(raw);
  if (!parts) return { column, kind: 'text', text: raw, raw };
  const [, minus, days = 0, hours = 0, minutes = 0, seconds = 0] = parts;
  const total = Number(days) * DAY_SECONDS + Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  const value = ((minus ? -1 : 1) * total) / DAY_SECONDS;
  const shape = format?.shape(value).kind;
  const code = shape === 'time' || shape === 'duration' ? format! : value >= 0 && value < 1 ? TIME : ELAPSED;
  return numberCell(column, String(value), code, false);
}

/** White space that a program adds to lay out the XML. */
const LAYOUT = /[ ]*[\t\r\n][ \t\r\n]*/g;

/**
 * The paragraphs of a cell, joined by line breaks as in a cell of a workbook. OpenDocument collapses blanks and marks
 * those to preserve. LibreOffice writes and reads blanks unchanged, so only white space with a line break or a tab is
 * collapsed.
 */
export class CellText {
  #paragraphs: string[] = [];
  #open = false;
  /** Only layout precedes, so that further white space is dropped. */
  #soft = true;

  clear(): void {
    if (this.#paragraphs.length > 0) this.#paragraphs = [];
    this.#open = false;
  }

  begin(): void {
    this.#paragraphs.push('');
    this.#open = true;
    this.#soft = true;
  }

  end(): void {
    this.#open = false;
  }

  add(text: string): void {
    if (!this.#open || text === '') return;
    const single = text.replace(LAYOUT, ' ');
    const isLayout = single !== text;
    this.#append(isLayout && this.#soft && single.startsWith(' ') ? single.slice(1) : single);
    this.#soft = isLayout && single.endsWith(' ');
  }

  /** Adds preserved characters: marked blanks, tabs, line breaks. */
  hard(text: string): void {
    if (!this.#open) return;
    this.#append(text);
    this.#soft = false;
  }

  /** undefined if there is no paragraph. */
  get whole(): string | undefined {
    return this.#paragraphs.length === 0 ? undefined : this.#paragraphs.join('\n');
  }

  /** In characters. */
  get length(): number {
    return this.#paragraphs.reduce((sum, it) => sum + it.length + 1, 0);
  }

  #append(text: string): void {
    this.#paragraphs[this.#paragraphs.length - 1] += text;
  }
}
