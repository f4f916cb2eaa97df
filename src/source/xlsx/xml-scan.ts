import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import { ascii, brokenPart, type PartPlace } from './xml-text.js';

/** Result of `next`. `NEED`: feed more bytes. `DONE`: the part has ended, with all elements closed. */
export const NEED = 0;
export const START = 1;
export const END = 2;
export const TEXT = 3;
export const CDATA = 4;
export const DONE = 5;
export type XmlToken = typeof NEED | typeof START | typeof END | typeof TEXT | typeof CDATA | typeof DONE;

/** Limit for one tag or text; a cell's text is far smaller. */
const MAX_TOKEN = 1 << 20;
const MAX_DEPTH = 256;

const LT = 0x3c;
const GT = 0x3e;
const SLASH = 0x2f;
const COLON = 0x3a;
const EQUALS = 0x3d;

/**
 * Finds tags and texts in UTF-8 bytes that arrive in chunks of any size. Nothing is decoded: a token is a range of
 * `bytes`, valid until the next `feed`. Names are local names, without prefix. Comments and processing instructions are
 * skipped; a DTD is rejected, as its entities could expand without limit.
 */
export class XmlScanner {
  readonly place: PartPlace;
  /** The bytes of the part that are in memory. */
  bytes: Buffer = Buffer.allocUnsafeSlow(1 << 12);
  /** The same bytes, for comparing four at once. */
  view: DataView = viewOf(this.bytes);
  /** The next byte to read; `end` is after the last one. */
  pos = 0;
  end = 0;
  /** Number of open elements, including the one whose start tag was found last. */
  depth = 0;
  /** The last start tag was self-closing; the next token is the element's end. */
  selfClosing = false;
  nameStart = 0;
  nameEnd = 0;
  textStart = 0;
  textEnd = 0;
  /** The text exceeds `MAX_TOKEN` and continues in the next token. */
  partial = false;
  /** Local name and value of the attribute that `nextAttribute` found last. */
  attributeStart = 0;
  attributeEnd = 0;
  attributeHasPrefix = false;
  valueStart = 0;
  valueEnd = 0;

  #attributes = 0;
  #attributesEnd = 0;
  #ended = false;
  #inside: 'comment' | 'instruction' | undefined;
  #rootSeen = false;
  #consumed = 0;
  readonly #open = new Uint32Array(MAX_DEPTH);

  constructor(place: PartPlace) {
    this.place = place;
  }

  /** Adds bytes after the unread ones. Ranges of earlier tokens become invalid. */
  feed(chunk: Uint8Array): void {
    const rest = this.end - this.pos;
    if (rest + chunk.length > this.bytes.length) {
      const grown = Buffer.allocUnsafeSlow(2 ** Math.ceil(Math.log2(rest + chunk.length)));
      this.bytes.copy(grown, 0, this.pos, this.end);
      this.bytes = grown;
      this.view = viewOf(grown);
    } else if (this.pos > 0 && rest > 0) {
      this.bytes.copyWithin(0, this.pos, this.end);
    }
    this.#consumed += this.pos;
    this.bytes.set(chunk, rest);
    this.pos = 0;
    this.end = rest + chunk.length;
  }

  /** Call at the end of the bytes. */
  finish(): void {
    this.#ended = true;
  }

  /** Position of the next byte to read, in the part. */
  get offset(): number {
    return this.#consumed + this.pos;
  }

  broken(): ProductError {
    return brokenPart(this.place, this.offset);
  }

  next(): XmlToken {
    if (this.selfClosing) {
      this.selfClosing = false;
      this.depth -= 1;
      return END;
    }
    for (;;) {
      if (this.#inside && !this.#skip()) return this.#need();
      const { bytes, pos, end } = this;
      if (pos >= end) return this.#need();
      if (bytes[pos] !== LT) return this.#text();
      if (pos + 1 >= end) return this.#need();
      const second = bytes[pos + 1];
      if (second === SLASH) return this.#endTag();
      if (second === 0x3f) {
        this.#inside = 'instruction';
        this.pos = pos + 2;
        continue;
      }
      if (second !== 0x21) return this.#startTag();
      if (end - pos < 9 && !this.#ended) return NEED;
      const opening = ascii(bytes, pos, Math.min(end, pos + 9));
      if (opening.startsWith('<!--')) {
        this.#inside = 'comment';
        this.pos = pos + 4;
      } else if (opening === '<![CDATA[') {
        return this.#cdata();
      } else if (/^<!doctype|^<!entity/i.test(opening)) {
        throw new ProductError('input', message('source.xlsx_dtd', { ...this.place }));
      } else {
        throw this.broken();
      }
    }
  }

  named(name: Uint8Array): boolean {
    const { bytes, nameStart } = this;
    const length = name.length;
    if (this.nameEnd - nameStart !== length) return false;
    for (let i = 0; i < length; i += 1) if (bytes[nameStart + i] !== name[i]) return false;
    return true;
  }

  /** Moves to the next attribute of the start tag; false if there is none. */
  nextAttribute(): boolean {
    const { bytes } = this;
    const end = this.#attributesEnd;
    let p = this.#attributes;
    while (p < end && bytes[p]! <= 0x20) p += 1;
    if (p >= end) return false;
    this.attributeStart = p;
    this.attributeHasPrefix = false;
    while (p < end && bytes[p] !== EQUALS && bytes[p]! > 0x20) {
      if (bytes[p] === COLON) {
        this.attributeStart = p + 1;
        this.attributeHasPrefix = true;
      }
      p += 1;
    }
    this.attributeEnd = p;
    while (p < end && bytes[p]! <= 0x20) p += 1;
    if (bytes[p] !== EQUALS) throw this.broken();
    p += 1;
    while (p < end && bytes[p]! <= 0x20) p += 1;
    const quote = bytes[p];
    if (p >= end || (quote !== 0x22 && quote !== 0x27)) throw this.broken();
    p += 1;
    this.valueStart = p;
    while (p < end && bytes[p] !== quote) p += 1;
    if (p >= end) throw this.broken();
    this.valueEnd = p;
    this.#attributes = p + 1;
    return true;
  }

  #need(): XmlToken {
    if (!this.#ended) {
      if (this.end - this.pos > MAX_TOKEN) throw this.broken();
      return NEED;
    }
    if (this.pos < this.end || this.#inside || this.depth > 0 || !this.#rootSeen) throw this.broken();
    return DONE;
  }

  /** Skips the available bytes of a comment or instruction; true at its end. */
  #skip(): boolean {
    const close = this.#inside === 'comment' ? '-->' : '?>';
    const at = this.bytes.indexOf(close, this.pos, 'latin1');
    if (at >= 0 && at + close.length <= this.end) {
      this.pos = at + close.length;
      this.#inside = undefined;
      return true;
    }
    this.pos = Math.max(this.pos, this.end - (close.length - 1));
    if (this.#ended) throw this.broken();
    return false;
  }

  #text(): XmlToken {
    const { bytes, pos, end } = this;
    let p = pos;
    const near = Math.min(end, pos + 48);
    while (p < near && bytes[p] !== LT) p += 1;
    if (p === near && p < end && bytes[p] !== LT) {
      p = bytes.indexOf(LT, p);
      if (p < 0 || p > end) p = end;
    }
    this.partial = p === end && !this.#ended;
    if (this.partial && end - pos <= MAX_TOKEN) return NEED;
    if (this.depth === 0) {
      for (let i = pos; i < p; i += 1) if (!isBlank(bytes[i]!)) throw this.broken();
    }
    this.textStart = pos;
    this.textEnd = p;
    this.pos = p;
    return TEXT;
  }

  #cdata(): XmlToken {
    const start = this.pos + 9;
    const close = this.bytes.indexOf(']]>', start, 'latin1');
    if (close < 0 || close + 3 > this.end) return this.#need();
    if (this.depth === 0) throw this.broken();
    this.textStart = start;
    this.textEnd = close;
    this.partial = false;
    this.pos = close + 3;
    return CDATA;
  }

  #startTag(): XmlToken {
    const { bytes, pos, end } = this;
    let p = this.#name(pos + 1);
    this.#attributes = p;
    while (p < end && bytes[p] !== GT) {
      const byte = bytes[p];
      if (byte === LT) throw this.broken();
      p += 1;
      if (byte === 0x22 || byte === 0x27) {
        while (p < end && bytes[p] !== byte) p += 1;
        p += 1;
      }
    }
    if (p >= end) return this.#need();
    if (this.nameEnd === this.nameStart) throw this.broken();
    this.selfClosing = bytes[p - 1] === SLASH;
    this.#attributesEnd = this.selfClosing ? p - 1 : p;
    if (this.depth === 0) {
      if (this.#rootSeen) throw this.broken();
      this.#rootSeen = true;
    }
    if (this.depth === MAX_DEPTH) throw this.broken();
    this.#open[this.depth] = this.#signature(pos + 1);
    this.depth += 1;
    this.pos = p + 1;
    return START;
  }

  #endTag(): XmlToken {
    const { bytes, pos, end } = this;
    let p = this.#name(pos + 2);
    while (p < end && bytes[p]! <= 0x20) p += 1;
    if (p >= end) return this.#need();
    if (bytes[p] !== GT || this.depth === 0) throw this.broken();
    if (this.#open[this.depth - 1] !== this.#signature(pos + 2)) throw this.broken();
    this.depth -= 1;
    this.pos = p + 1;
    return END;
  }

  /** Reads a tag's name; returns the byte after it. */
  #name(start: number): number {
    const { bytes, end } = this;
    let p = start;
    this.nameStart = p;
    for (; p < end; p += 1) {
      const byte = bytes[p]!;
      if (byte <= 0x20 || byte === GT || byte === SLASH) break;
      if (byte === COLON) this.nameStart = p + 1;
    }
    this.nameEnd = p;
    return p;
  }

  /** Enough of a qualified name to detect a mismatched end tag. */
  #signature(start: number): number {
    const { bytes, nameEnd } = this;
    return (((nameEnd - start) << 16) | (bytes[this.nameStart]! << 8) | bytes[nameEnd - 1]!) >>> 0;
  }
}

function viewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** White space that XML allows around the root; zero bytes are not allowed. */
function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
