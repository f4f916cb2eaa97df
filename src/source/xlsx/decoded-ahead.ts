import { ascii, utf8 } from './bytes.js';
import type { TextBytes } from './xml-text.js';

/** Bytes decoded at once; few, as a text that someone keeps may keep all of them. */
const AHEAD = 1024;
/** Bytes that may be left out without the order being lost. */
const GAP = AHEAD / 4;
/** Texts in order, elsewhere, from which on what is decoded ahead lies there. */
const RUN = 32;

/**
 * Texts out of a run of UTF-8 bytes. Who asks in the order in which they lie there (as sheets mostly do) has many
 * decoded by one call of the runtime, and each then cut out of the whole, which is several times faster.
 */
export class DecodedAhead {
  readonly #all: TextBytes;
  /** The bytes that are decoded: as Latin-1, which is right for ASCII; and as UTF-8, once a text wants it. */
  #start = 0;
  #end = 0;
  #latin = '';
  #text: string | undefined;
  /** Of each of these bytes, the place in `#text` of the character that it begins. */
  readonly #places = new Uint16Array(AHEAD + 1);
  /** Where the text ended that was asked for last elsewhere, and how many have been in order there. */
  #elsewhere = 0;
  #run = 0;

  constructor(all: TextBytes) {
    this.#all = all;
  }

  /** @param plain whether all of it is ASCII */
  decode(start: number, end: number, plain: boolean): string {
    if (start < this.#start || end > this.#end) {
      const { bytes, length } = this.#all;
      if (end - start > AHEAD || !this.#inOrder(start, end)) {
        return plain ? ascii(bytes, start, end) : utf8(bytes, start, end);
      }
      this.#start = start;
      this.#end = Math.min(start + AHEAD, length);
      this.#latin = ascii(bytes, start, this.#end);
      this.#text = undefined;
    }
    const from = start - this.#start;
    const to = end - this.#start;
    if (plain) return this.#latin.substring(from, to);
    this.#text ??= this.#decodeAll();
    return this.#text.substring(this.#places[from]!, this.#places[to]!);
  }

  /**
   * Whether a text goes on where the decoded bytes end, or with a run of texts elsewhere. Texts that many cells share
   * are asked for in between, and must not take the decoded bytes to where they lie.
   */
  #inOrder(start: number, end: number): boolean {
    if (start >= this.#start && start - this.#end < GAP) return true;
    const follows = start >= this.#elsewhere && start - this.#elsewhere < GAP;
    this.#run = follows ? this.#run + 1 : 0;
    this.#elsewhere = end;
    return this.#run >= RUN;
  }

  #decodeAll(): string {
    const { bytes } = this.#all;
    const length = this.#end - this.#start;
    let place = 0;
    for (let i = 0; i < length; i += 1) {
      this.#places[i] = place;
      const byte = bytes[this.#start + i]!;
      // A character's first byte tells its length in UTF-16; the others count for nothing.
      if ((byte & 0xc0) !== 0x80) place += byte < 0xf0 ? 1 : 2;
    }
    this.#places[length] = place;
    // The end may cut a character, which no text that lies within has a part in.
    return utf8(bytes, this.#start, this.#end);
  }
}
