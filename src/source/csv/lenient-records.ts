import { type Message, message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { RowFault } from '../../model/row.js';
import type { LineEnds } from './byte-survey.js';
import { formulaText } from './csv-row.js';

/** One record of a text file, of any width; a blank line has a single empty field. */
export interface CsvRecord {
  readonly fields: readonly string[];
  /** Errors of its quotes. */
  readonly faults?: readonly RowFault[];
}

/** Maximum number of columns of a sheet. Without a limit one record could have millions of empty fields. */
const MAX_FIELDS = 16_384;
/** A longer record comes from an unclosed quote; without a limit the rest of the file would be one field. */
const RECORD_LIMIT_MB = 16;
const RECORD_CHARACTERS = RECORD_LIMIT_MB * 1024 * 1024;
/** Characters of an invalid field that a message quotes. */
const SHOWN = 40;

/**
 * Splits text into records as it arrives, also if quotes are wrong. A line without quotes is split at once; one with
 * quotes is read field by field. A wrong quote is an error of its record, and the next record begins at the next line.
 * An unclosed quote ends the reading, as the end of its record is unknown.
 */
export class LenientRecordReader {
  readonly #file: string;
  readonly #delimiter: string;
  readonly #lineEnds: LineEnds;
  #text = '';
  /** Start of the next record. */
  #at = 0;
  #number = 0;
  #last = false;
  #failure: Error | undefined;
  /** Characters that must have arrived before an incomplete record is tried again. */
  #requiredLength = 0;
  /** Positions of the next quote and line ends from `#at` on, cached. */
  readonly #next = new Map<string, number>();

  constructor(file: string, delimiter: string, lineEnds: LineEnds) {
    this.#file = file;
    this.#delimiter = delimiter;
    this.#lineEnds = lineEnds;
  }

  /**
   * Adds text and returns the records that are complete now.
   * @throws ProductError input for an unclosed quote, and for a record that is too large
   */
  push(chunk: string): CsvRecord[] {
    this.#text = this.#at < this.#text.length ? this.#text.slice(this.#at) + chunk : chunk;
    this.#at = 0;
    this.#next.clear();
    return this.#text.length < this.#requiredLength ? [] : this.#take();
  }

  /** Call at the end of the text; returns the last records. */
  end(): CsvRecord[] {
    this.#last = true;
    return this.#take();
  }

  /** The complete records. An error that ends the reading is thrown only after the records before it were returned. */
  #take(): CsvRecord[] {
    if (this.#failure) throw this.#failure;
    const records: CsvRecord[] = [];
    try {
      this.#takeInto(records);
    } catch (error) {
      if (records.length === 0 || this.#last) throw error;
      this.#failure = error as Error;
    }
    return records;
  }

  #takeInto(records: CsvRecord[]): void {
    for (;;) {
      this.#number += 1;
      const record = this.#plain() ?? this.#quoted();
      if (!record) break;
      if (record.fields.length > MAX_FIELDS)
        throw this.#refusal((place) => message('source.csv_fields', { ...place, limit: MAX_FIELDS }));
      records.push(record);
    }
    const pending = this.#text.length - this.#at;
    if (pending > RECORD_CHARACTERS)
      throw this.#refusal((place) => message('source.csv_record_size', { ...place, limit: RECORD_LIMIT_MB }));
    // Tried again with twice the text: a try at every chunk would scan a long quoted text repeatedly.
    this.#requiredLength = 2 * pending;
    this.#number -= 1;
  }

  /** The next record if its line has no quotes; undefined otherwise, or if it is incomplete. */
  #plain(): CsvRecord | undefined {
    const text = this.#text;
    const from = this.#at;
    if (from >= text.length) return undefined;
    let end = this.#find('\n');
    if (this.#lineEnds === 'mixed') end = Math.min(end, this.#find('\r'));
    if (this.#find('"') < end || (end === text.length && !this.#last)) return undefined;
    const next = this.#afterLineEnd(end);
    if (next === undefined) return undefined;
    this.#at = next;
    const stop = this.#lineEnds === 'crlf' && end > from && text[end - 1] === '\r' ? end - 1 : end;
    return { fields: text.slice(from, stop).split(this.#delimiter) };
  }

  /** The next record, with quotes interpreted; undefined if it is incomplete. */
  #quoted(): CsvRecord | undefined {
    const text = this.#text;
    const fields: string[] = [];
    const faults: RowFault[] = [];
    let at = this.#at;
    if (at >= text.length) return undefined;
    for (;;) {
      const column = fields.length + 1;
      const open = this.#afterBlanks(at);
      const field = text[open] === '"' ? this.#quotedField(open, column) : this.#plainField(at, column);
      if (!field) return undefined;
      fields.push(field.value);
      if (field.fault) faults.push(field.fault);
      at = field.end;
      if (at >= text.length) break;
      if (text.startsWith(this.#delimiter, at) && fields.length <= MAX_FIELDS) {
        at += this.#delimiter.length;
        continue;
      }
      const next = this.#afterLineEnd(at);
      if (next === undefined) return undefined;
      at = next;
      break;
    }
    this.#at = at;
    return faults.length > 0 ? { fields, faults } : { fields };
  }

  #plainField(start: number, column: number): Field | undefined {
    const end = this.#fieldEnd(start);
    if (end === undefined) return undefined;
    const value = this.#text.slice(start, end);
    if (!value.includes('"') || formulaText(value) !== undefined) return { value, end };
    const detail = message('source.csv_quote_inside', { text: shown(value) });
    return { value, end, fault: { column, shifts: 'later cells', message: detail } };
  }

  #quotedField(open: number, column: number): Field | undefined {
    const text = this.#text;
    let value = '';
    let from = open + 1;
    let close = text.indexOf('"', from);
    for (; text[close + 1] === '"' && close !== -1; close = text.indexOf('"', from)) {
      value += text.slice(from, close + 1);
      from = close + 2;
    }
    if (close === -1) {
      if (!this.#last) return undefined;
      throw this.#refusal((place) => message('source.csv_quote_open', { ...place, column }));
    }
    value += text.slice(from, close);
    const after = this.#afterBlanks(close + 1);
    const end = this.#fieldEnd(close + 1);
    if (end === undefined) return undefined;
    if (after >= end) return { value, end };
    // A quote right after a delimiter and before text opens a field, so the quote before it was never closed.
    const isOpening = this.#beginsField(close, open);
    if (isOpening && /[\r\n]/.test(text.slice(open, close))) {
      throw this.#refusal((place) => message('source.csv_quote_open', { ...place, column }));
    }
    const trailing = text.slice(close + 1, end);
    const detail = message('source.csv_text_after_quote', { text: shown(trailing) });
    return { value: value + trailing, end, fault: { column, shifts: 'later cells', message: detail } };
  }

  /** Position of the delimiter or line end after an unquoted text; undefined if it has not arrived yet. */
  #fieldEnd(start: number): number | undefined {
    const text = this.#text;
    const delimiter = this.#delimiter;
    for (let at = start; at < text.length; at += 1) {
      const char = text[at];
      if (char === '\n' || char === '\r' || (char === delimiter[0] && text.startsWith(delimiter, at)))
        return at;
    }
    return this.#last ? text.length : undefined;
  }

  /** Start of the next line; undefined if the text ends with a CR that a LF may follow. */
  #afterLineEnd(end: number): number | undefined {
    const text = this.#text;
    if (text[end] !== '\r') return end + 1;
    if (end + 1 === text.length && !this.#last) return undefined;
    return text[end + 1] === '\n' ? end + 2 : end + 1;
  }

  #afterBlanks(start: number): number {
    let at = start;
    while (isBlank(this.#text[at]) && !this.#text.startsWith(this.#delimiter, at)) at += 1;
    return at;
  }

  /** True if there are only blanks between the delimiter or line end and `place`. */
  #beginsField(place: number, open: number): boolean {
    let at = place - 1;
    while (at > open && isBlank(this.#text[at]) && this.#text[at] !== this.#delimiter) at -= 1;
    return at > open && (/[\r\n]/.test(this.#text[at]!) || this.#delimiter.endsWith(this.#text[at]!));
  }

  /** Position of the next `char` from the start of the record; the text's length if there is none. */
  #find(char: string): number {
    const known = this.#next.get(char);
    if (known !== undefined && known >= this.#at) return known;
    const found = this.#text.indexOf(char, this.#at);
    const place = found === -1 ? this.#text.length : found;
    this.#next.set(char, place);
    return place;
  }

  #refusal(text: (place: { readonly file: string; readonly row: number }) => Message): ProductError {
    return new ProductError('input', text({ file: this.#file, row: this.#number }));
  }
}

interface Field {
  readonly value: string;
  readonly end: number;
  readonly fault?: RowFault;
}

/** White space other than line ends. */
function isBlank(char: string | undefined): boolean {
  return char !== undefined && char !== '\n' && char !== '\r' && /\s/.test(char);
}

function shown(text: string): string {
  const line = [...text.replace(/\s+/g, ' ').trim()];
  return line.length > SHOWN ? `${line.slice(0, SHOWN).join('')}…` : line.join('');
}
