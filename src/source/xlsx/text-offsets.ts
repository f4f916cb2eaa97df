import { MAY_ESCAPE, NOT_ASCII, STRUCK_TEXT } from './xml-text.js';

/** An offset's upper bits; texts take less than 2^28 bytes. */
const OFFSET = 0x0fff_ffff;
const NOT_ASCII_BIT = 0x8000_0000;
const ESCAPE_BIT = 0x4000_0000;
const TOO_LONG_BIT = 0x2000_0000;
const STRUCK_BIT = 0x1000_0000;

/** What a thread is given to use the same offsets; both threads share the array. */
export interface SharedOffsets {
  readonly offsets: Uint32Array<SharedArrayBuffer>;
  readonly count: number;
}

/** Where each shared text begins in the bytes of all texts, with flags. */
export class TextOffsets {
  count: number;
  /** One offset more than texts: the end of the last. */
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

  /** @param flags of `TextBytes.append`, and `STRUCK_TEXT` */
  add(flags: number, tooLong: boolean, end: number): void {
    if (this.count + 2 > this.#offsets.length) {
      const grown = numbers(2 * this.#offsets.length);
      grown.set(this.#offsets);
      this.#offsets = grown;
    }
    let bits = (flags & NOT_ASCII ? NOT_ASCII_BIT : 0) | (flags & MAY_ESCAPE ? ESCAPE_BIT : 0);
    if (flags & STRUCK_TEXT) bits |= STRUCK_BIT;
    if (tooLong) bits = TOO_LONG_BIT;
    this.#offsets[this.count] = (this.end | bits) >>> 0;
    this.count += 1;
    this.#offsets[this.count] = end;
  }

  /** Whether the text exists and isn't empty. */
  holds(index: number): boolean {
    const offsets = this.#offsets;
    return index < this.count && ((offsets[index]! ^ offsets[index + 1]!) & OFFSET) !== 0;
  }

  /** Whether the text is longer than a cell's text may be; such a text isn't stored. */
  isTooLong(index: number): boolean {
    return (this.#offsets[index]! & TOO_LONG_BIT) !== 0;
  }

  isAscii(index: number): boolean {
    return (this.#offsets[index]! & NOT_ASCII_BIT) === 0;
  }

  mayEscape(index: number): boolean {
    return (this.#offsets[index]! & ESCAPE_BIT) !== 0;
  }

  /** Whether some characters are struck out. */
  isStruck(index: number): boolean {
    return (this.#offsets[index]! & STRUCK_BIT) !== 0;
  }

  /** Where the text begins; also where the one before it ends. */
  start(index: number): number {
    return this.#offsets[index]! & OFFSET;
  }
}

function numbers(count: number): Uint32Array<SharedArrayBuffer> {
  return new Uint32Array(new SharedArrayBuffer(count * Uint32Array.BYTES_PER_ELEMENT));
}
