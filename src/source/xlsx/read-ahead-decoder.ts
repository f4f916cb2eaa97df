import { ascii, utf8 } from './bytes.js';
import type { TextBytes } from './xml-text.js';

/** Bytes decoded at once. Few, as a text that a caller keeps may keep all of them in memory. */
const AHEAD = 1024;
/** Texts count as being in order if at most this many bytes lie between them. */
const GAP = AHEAD / 4;
/** After this many texts in order at another place, decoding ahead moves there. */
const RUN = 32;

/**
 * Decodes texts that lie one after the other in UTF-8 bytes. If they are requested in that order, as sheets mostly do, many
 * are decoded by one call and each is cut out of the result, which is several times faster.
 */
export class ReadAheadDecoder {
  readonly #all: TextBytes;
  /** The decoded bytes: as Latin-1, which is right for ASCII; and as UTF-8 once a text needs it. */
  #start = 0;
  #end = 0;
  #latin = '';
  #text: string | undefined;
  /** For each of these bytes, the position in `#text` of the character that begins there. */
  readonly #places = new Uint16Array(AHEAD + 1);
  /** Where the last text outside ended, and how many were in order there. */
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
   * Whether a text follows the decoded bytes, or continues a run of texts elsewhere. A single text elsewhere, which many
   * cells share, must not move the decoded bytes to its place.
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
    // The end may cut a character; no text within the decoded bytes contains it.
    return utf8(bytes, this.#start, this.#end);
  }
}
