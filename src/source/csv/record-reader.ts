import { type Message, message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { RowFault } from '../../model/row.js';
import { formulaText } from './formula-text.js';
import type { LineEnds } from './survey.js';

/** One record of a text file, of any width; a blank line is one of a single empty field. */
export interface CsvRecord {
  readonly fields: readonly string[];
  /** What is wrong with its quotes. */
  readonly faults?: readonly RowFault[];
}

/** As many as a sheet has columns; millions of empty ones would fit into a record. */
const MAX_FIELDS = 16_384;
/** A longer record comes from a quote that is never closed; without a bound the rest of the file would be one field. */
const RECORD_LIMIT_MB = 16;
const RECORD_CHARACTERS = RECORD_LIMIT_MB * 1024 * 1024;
/** Of a field that is at fault, as messages quote it. */
const SHOWN = 40;

/**
 * Cuts text into records as it arrives. A line without quotes, as most are, is split at once; one with quotes is
 * followed from field to field. What is wrong with a field's quotes is a fault of its record, and the next record
 * begins at the next line, unless a quote was never closed: then nothing tells where anything ends.
 */
export class RecordReader {
  readonly #file: string;
  readonly #delimiter: string;
  readonly #lineEnds: LineEnds;
  #text = '';
  /** Where the next record begins. */
  #at = 0;
  /** Number of the record that is being read. */
  #number = 0;
  #last = false;
  #failure: Error | undefined;
  /** Text that must be there before a record that was not whole is tried again. */
  #wanted = 0;
  /** Places of the next quote and line ends from `#at` on, as far as they were looked for. */
  readonly #next = new Map<string, number>();

  constructor(file: string, delimiter: string, lineEnds: LineEnds) {
    this.#file = file;
    this.#delimiter = delimiter;
    this.#lineEnds = lineEnds;
  }

  /**
   * Takes in more text and gives the records that are whole now.
   * @throws ProductError input for a quote that is never closed, and for a record that is too large to be one
   */
  push(chunk: string): CsvRecord[] {
    this.#text = this.#at < this.#text.length ? this.#text.slice(this.#at) + chunk : chunk;
    this.#at = 0;
    this.#next.clear();
    return this.#text.length < this.#wanted ? [] : this.#take();
  }

  /** The text is over. */
  end(): CsvRecord[] {
    this.#last = true;
    return this.#take();
  }

  /** The records that are whole; what stops the reading is thrown once those before it were given. */
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
    // Tried again only when there is twice as much: a long quoted text would else be gone through at every chunk.
    this.#wanted = 2 * pending;
    this.#number -= 1;
  }

  /** The next record, if its line has no quotes; undefined also where it isn't whole yet. */
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

  /** The next record, quotes understood; undefined where it isn't whole yet. */
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
    return {
      value,
      end,
      fault: { column, message: message('source.csv_quote_inside', { text: shown(value) }) },
    };
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
    // A quote right after a delimiter, with text behind it, opens a field: so the one before was never closed.
    const isOpening = this.#beginsField(close, open);
    if (isOpening && /[\r\n]/.test(text.slice(open, close))) {
      throw this.#refusal((place) => message('source.csv_quote_open', { ...place, column }));
    }
    const told = message('source.csv_text_after_quote', { text: shown(text.slice(close + 1, end)) });
    return { value: value + text.slice(close + 1, end), end, fault: { column, message: told } };
  }

  /** Where the delimiter or line end stands that ends an unquoted text; undefined where that isn't there yet. */
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

  /** Where the next line begins; undefined where it isn't known yet whether a line feed follows the return. */
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

  /** Whether nothing but blanks stands between the place and the delimiter or line end before it. */
  #beginsField(place: number, open: number): boolean {
    let at = place - 1;
    while (at > open && isBlank(this.#text[at]) && this.#text[at] !== this.#delimiter) at -= 1;
    return at > open && (/[\r\n]/.test(this.#text[at]!) || this.#delimiter.endsWith(this.#text[at]!));
  }

  /** Place of the next such character from the record's begin on; the text's length where there is none. */
  #find(char: string): number {
    const known = this.#next.get(char);
    if (known !== undefined && known >= this.#at) return known;
    const found = this.#text.indexOf(char, this.#at);
    const place = found === -1 ? this.#text.length : found;
    this.#next.set(char, place);
    return place;
  }

  #refusal(told: (place: { readonly file: string; readonly row: number }) => Message): ProductError {
    return new ProductError('input', told({ file: this.#file, row: this.#number }));
  }
}

interface Field {
  readonly value: string;
  readonly end: number;
  readonly fault?: RowFault;
}

/** White space that ends no line. */
function isBlank(char: string | undefined): boolean {
  return char !== undefined && char !== '\n' && char !== '\r' && /\s/.test(char);
}

function shown(text: string): string {
  const line = [...text.replace(/\s+/g, ' ').trim()];
  return line.length > SHOWN ? `${line.slice(0, SHOWN).join('')}…` : line.join('');
}
