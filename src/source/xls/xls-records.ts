import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';

/** Types of the records that are read ([MS-XLS] 2.3). */
export const BOF = 0x809;
export const EOF = 0x0a;
const CONTINUE = 0x3c;

const NOTHING: readonly Buffer[] = [];

/** The records of a workbook's stream, in order. */
export class Records {
  readonly file: string;
  readonly stream: Buffer;
  at: number;
  type = 0;
  /** Start of the record that was read last. */
  start = 0;
  /** The record's bytes, without those of its continuation records. */
  data: Buffer = Buffer.alloc(0);

  constructor(stream: Buffer, at: number, file: string) {
    this.stream = stream;
    this.at = at;
    this.file = file;
  }

  /** @throws ProductError input if the stream ends: each part has a record that ends it. */
  next(): void {
    const { stream, at } = this;
    if (at + 4 > stream.length) throw this.broken();
    const length = stream.readUInt16LE(at + 2);
    if (at + 4 + length > stream.length) throw this.broken();
    this.type = stream.readUInt16LE(at);
    this.start = at;
    this.data = stream.subarray(at + 4, at + 4 + length);
    this.at = at + 4 + length;
  }

  /** Reads the records that continue this one. */
  continued(): readonly Buffer[] {
    let found: Buffer[] | undefined;
    while (this.at + 4 <= this.stream.length && this.stream.readUInt16LE(this.at) === CONTINUE) {
      this.next();
      found ??= [];
      found.push(this.data);
    }
    return found ?? NOTHING;
  }

  /** @throws ProductError input if the record has fewer bytes */
  need(bytes: number): void {
    if (this.data.length < bytes) throw this.broken();
  }

  broken(): ProductError {
    const params = { file: this.file, offset: this.start };
    return new ProductError('input', message('source.xls_record_broken', params));
  }
}

const WIDE = 0x01;
const PHONETIC = 0x04;
const RICH = 0x08;
const LONE_SURROGATE = /[\ud800-\udfff]/gu;

/** Half a surrogate pair becomes U+FFFD, as a request cannot contain it. */
function wellFormed(text: string): string {
  return text.replace(LONE_SURROGATE, '\ufffd');
}

/** A text with the fonts of its characters: first character and font number of each run. */
export interface XlsText {
  readonly text: string;
  readonly runs: readonly (readonly [first: number, font: number])[];
}

/**
 * Reads texts of a record and those that continue it ([MS-XLS] 2.5.293 and 2.5.294): if the characters of a text are
 * split between two records, the second one states again how wide its characters are.
 */
export class TextReader {
  readonly #records: Records;
  readonly #parts: readonly Buffer[];
  #part = 0;
  #at: number;

  /** @param at start of the first text in the record's own bytes */
  constructor(records: Records, at: number) {
    this.#records = records;
    this.#parts = [records.data, ...records.continued()];
    this.#at = at;
  }

  get done(): boolean {
    return this.#part === this.#parts.length - 1 && this.#at >= this.#parts[this.#part]!.length;
  }

  /** @param wideCount the number of characters has two bytes, as everywhere except in the names of sheets */
  text(wideCount = true): string {
    return this.richText(wideCount).text;
  }

  /** The same with its font runs. */
  richText(wideCount = true): XlsText {
    const count = wideCount ? this.#u16() : this.#byte();
    const flags = this.#byte();
    const runs = flags & RICH ? this.#u16() : 0;
    const phonetic = flags & PHONETIC ? this.#u16() + this.#u16() * 0x10000 : 0;
    const text = this.#characters(count, (flags & WIDE) !== 0);
    const fonts: [number, number][] = [];
    for (let i = 0; i < runs; i += 1) fonts.push([this.#u16(), this.#u16()]);
    this.#skip(phonetic);
    return { text: wellFormed(text), runs: fonts };
  }

  #characters(count: number, wide: boolean): string {
    let text = '';
    let isWide = wide;
    for (let left = count; left > 0; ) {
      const part = this.#parts[this.#part]!;
      const size = isWide ? 2 : 1;
      const here = Math.min(left, Math.floor((part.length - this.#at) / size));
      text += part.toString(isWide ? 'utf16le' : 'latin1', this.#at, this.#at + here * size);
      this.#at += here * size;
      left -= here;
      if (left === 0) break;
      if (this.#at < part.length) throw this.#records.broken();
      this.#nextPart();
      isWide = (this.#byte() & WIDE) !== 0;
    }
    return text;
  }

  /** Skips bytes, which may be in several records. */
  #skip(count: number): void {
    for (let left = count; left > 0; ) {
      const here = Math.min(left, this.#parts[this.#part]!.length - this.#at);
      this.#at += here;
      left -= here;
      if (left > 0) this.#nextPart();
    }
  }

  #byte(): number {
    if (this.#at >= this.#parts[this.#part]!.length) this.#nextPart();
    const byte = this.#parts[this.#part]![this.#at];
    if (byte === undefined) throw this.#records.broken();
    this.#at += 1;
    return byte;
  }

  #u16(): number {
    return this.#byte() + this.#byte() * 0x100;
  }

  #nextPart(): void {
    if (this.#part + 1 >= this.#parts.length) throw this.#records.broken();
    this.#part += 1;
    this.#at = 0;
  }
}
