import { ascii, MAY_ESCAPE, NOT_ASCII, STRUCK_TEXT, type TextBytes, utf8 } from './xml-text.js';

/** Number of cached texts, and the longest text that is cached. */
const SLOTS = 1 << 17;
const LENGTH = 128;

/**
 * Caches texts that were requested more than once, by index. Most texts are requested once; caching those would only
 * burden the garbage collector.
 */
export class TextCache {
  readonly #mask: number;
  /** By slot, the index requested last and the index whose text is cached, each plus 1, as 0 means none. */
  readonly #requested: Uint32Array;
  readonly #cached: Uint32Array;
  readonly #texts: string[];

  /** @param count number of texts */
  constructor(count: number) {
    const slots = Math.min(SLOTS, 2 ** Math.ceil(Math.log2(Math.max(1, count))));
    this.#mask = slots - 1;
    this.#requested = new Uint32Array(slots);
    this.#cached = new Uint32Array(slots);
    this.#texts = new Array<string>(slots).fill('');
  }

  get(index: number): string | undefined {
    const slot = index & this.#mask;
    return this.#cached[slot] === index + 1 ? this.#texts[slot] : undefined;
  }

  /** Caches the text if it is offered for the second time. */
  offer(index: number, text: string): void {
    const slot = index & this.#mask;
    if (this.#requested[slot] !== index + 1) this.#requested[slot] = index + 1;
    else if (text.length <= LENGTH) {
      this.#cached[slot] = index + 1;
      this.#texts[slot] = text;
    }
  }
}

/** An offset's upper bits; texts take less than 2^28 bytes. */
const OFFSET = 0x0fff_ffff;
const NOT_ASCII_BIT = 0x8000_0000;
const ESCAPE_BIT = 0x4000_0000;
const TOO_LONG_BIT = 0x2000_0000;
const STRUCK_BIT = 0x1000_0000;

/** Passed to a thread, so that both threads share the array of offsets. */
export interface SharedOffsets {
  readonly offsets: Uint32Array<SharedArrayBuffer>;
  readonly count: number;
}

/** Start of each shared text in the bytes of all texts, with flags. */
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

  /** Start of the next text. */
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

  /** Whether the text exists and is not empty. */
  holds(index: number): boolean {
    const offsets = this.#offsets;
    return index < this.count && ((offsets[index]! ^ offsets[index + 1]!) & OFFSET) !== 0;
  }

  /** Whether the text exceeds the limit of a cell; such a text is not stored. */
  isTooLong(index: number): boolean {
    return (this.#offsets[index]! & TOO_LONG_BIT) !== 0;
  }

  isAscii(index: number): boolean {
    return (this.#offsets[index]! & NOT_ASCII_BIT) === 0;
  }

  mayEscape(index: number): boolean {
    return (this.#offsets[index]! & ESCAPE_BIT) !== 0;
  }

  isStruck(index: number): boolean {
    return (this.#offsets[index]! & STRUCK_BIT) !== 0;
  }

  /** Start of the text; also the end of the one before it. */
  start(index: number): number {
    return this.#offsets[index]! & OFFSET;
  }
}

function numbers(count: number): Uint32Array<SharedArrayBuffer> {
  return new Uint32Array(new SharedArrayBuffer(count * Uint32Array.BYTES_PER_ELEMENT));
}

/** Bytes decoded at once. Few, as a text that a caller keeps may keep all of them in memory. */
const AHEAD = 1024;
/** Texts are treated as consecutive if at most this many bytes are between them. */
const GAP = AHEAD / 4;
/** After this many consecutive texts at another position, decoding ahead moves there. */
const RUN = 32;

/**
 * Decodes consecutive texts in UTF-8 bytes. If they are requested in that order, as in most sheets, many are decoded by
 * one call and each is cut from the result, which is several times faster.
 */
export class ReadAheadDecoder {
  readonly #all: TextBytes;
  /** The decoded bytes: as Latin-1, which is correct for ASCII; and as UTF-8 once a text needs it. */
  #start = 0;
  #end = 0;
  #latin = '';
  #text: string | undefined;
  /** For each of these bytes, the position in `#text` of the character that begins there. */
  readonly #places = new Uint16Array(AHEAD + 1);
  /** End of the last text outside, and the number of consecutive texts there. */
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
   * Whether a text follows the decoded bytes, or continues a run of texts elsewhere. A single text elsewhere, which
   * many cells share, must not move the decoded bytes there.
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
      // A character's first byte determines its length in UTF-16; the others add nothing.
      if ((byte & 0xc0) !== 0x80) place += byte < 0xf0 ? 1 : 2;
    }
    this.#places[length] = place;
    // The end may cut a character; no text within the decoded bytes contains it.
    return utf8(bytes, this.#start, this.#end);
  }
}
