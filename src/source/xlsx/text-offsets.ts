import { MAY_ESCAPE, NOT_ASCII } from './xml-text.js';

/** An offset's upper bits; texts take less than 2^28 bytes. */
const OFFSET = 0x0fff_ffff;
const NOT_ASCII_BIT = 0x8000_0000;
const ESCAPE_BIT = 0x4000_0000;
const TOO_LONG_BIT = 0x2000_0000;

/** What a thread must be given to have the same offsets; the array is one for both. */
export interface SharedOffsets {
  readonly offsets: Uint32Array<SharedArrayBuffer>;
  readonly count: number;
}

/** Where each of the workbook's shared texts begins in the bytes of all of them, and what it is like. */
export class TextOffsets {
  count: number;
  /** One more than there are texts: the last one's end. */
  #offsets: Uint32Array<SharedArrayBuffer>;

  constructor(of: SharedOffsets = { offsets: numbers(1024), count: 0 }) {
    this.#offsets = of.offsets;
    this.count = of.count;
  }

  get shared(): SharedOffsets {
    return { offsets: this.#offsets, count: this.count };
  }

  /** Where the next text begins. */
  get end(): number {
    return this.#offsets[this.count]! & OFFSET;
  }

  /** @param flags of `TextBytes.append` */
  add(flags: number, tooLong: boolean, end: number): void {
    if (this.count + 2 > this.#offsets.length) {
      const grown = numbers(2 * this.#offsets.length);
      grown.set(this.#offsets);
      this.#offsets = grown;
    }
    let bits = (flags & NOT_ASCII ? NOT_ASCII_BIT : 0) | (flags & MAY_ESCAPE ? ESCAPE_BIT : 0);
    if (tooLong) bits = TOO_LONG_BIT;
    this.#offsets[this.count] = (this.end | bits) >>> 0;
    this.count += 1;
    this.#offsets[this.count] = end;
  }

  /** There is such a text, and it is not empty. */
  holds(index: number): boolean {
    const offsets = this.#offsets;
    return index < this.count && ((offsets[index]! ^ offsets[index + 1]!) & OFFSET) !== 0;
  }

  /** Longer than a cell's text may be; such a text is not kept. */
  isTooLong(index: number): boolean {
    return (this.#offsets[index]! & TOO_LONG_BIT) !== 0;
  }

  isAscii(index: number): boolean {
    return (this.#offsets[index]! & NOT_ASCII_BIT) === 0;
  }

  mayEscape(index: number): boolean {
    return (this.#offsets[index]! & ESCAPE_BIT) !== 0;
  }

  /** Where the text begins, and the one before it ends. */
  start(index: number): number {
    return this.#offsets[index]! & OFFSET;
  }
}

function numbers(count: number): Uint32Array<SharedArrayBuffer> {
  return new Uint32Array(new SharedArrayBuffer(count * Uint32Array.BYTES_PER_ELEMENT));
}
