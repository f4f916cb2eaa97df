import type { Records } from './records.js';

const WIDE = 0x01;
const PHONETIC = 0x04;
const RICH = 0x08;
const LONE_SURROGATE = /[\ud800-\udfff]/gu;

/** Half a surrogate pair becomes U+FFFD, as no request could contain it. */
export function wellFormed(text: string): string {
  return text.replace(LONE_SURROGATE, '\ufffd');
}

/** A text with the fonts of its characters: first character and number of the font, of each run. */
export interface XlsText {
  readonly text: string;
  readonly runs: readonly (readonly [first: number, font: number])[];
}

/** Whether some characters of a text have a font that is struck out. */
export function hasStruckRun(text: string, runs: XlsText['runs'], struckFonts: ReadonlySet<number>): boolean {
  return runs.some(([first, font], i) => {
    const end = runs[i + 1]?.[0] ?? text.length;
    return struckFonts.has(font) && text.slice(first, end).trim() !== '';
  });
}

/**
 * Reads texts of a record and those that continue it ([MS-XLS] 2.5.293 and 2.5.294): where the characters of a text are
 * divided between two records, the second one says anew how wide its characters are.
 */
export class TextReader {
  readonly #records: Records;
  readonly #parts: readonly Buffer[];
  #part = 0;
  #at: number;

  /** @param at where in the record's own bytes the first text begins */
  constructor(records: Records, at: number) {
    this.#records = records;
    this.#parts = [records.data, ...records.continued()];
    this.#at = at;
  }

  /** Whether all bytes are read. */
  get done(): boolean {
    return this.#part === this.#parts.length - 1 && this.#at >= this.#parts[this.#part]!.length;
  }

  /** @param wideCount the number of characters takes two bytes, as everywhere but in the names of sheets */
  text(wideCount = true): string {
    return this.richText(wideCount).text;
  }

  /** The same with its runs of fonts. */
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

  /** Passes over bytes, which may lie in several records. */
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
