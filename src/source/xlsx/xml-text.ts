import { ascii, utf8 } from './bytes.js';
import { type PartPlace, unknownEntity } from './place.js';

export const AMPERSAND = 0x26;
const SEMICOLON = 0x3b;
export const CR = 0x0d;
const LF = 0x0a;
export const UNDERSCORE = 0x5f;

/** Something in the text is not ASCII; there may be an `_xHHHH_` escape. */
export const NOT_ASCII = 1;
export const MAY_ESCAPE = 2;

const LONE_SURROGATE = /[\ud800-\udfff]/gu;

const PREDEFINED: ReadonlyMap<string, number> = new Map([
  ['amp', 0x26],
  ['lt', 0x3c],
  ['gt', 0x3e],
  ['quot', 0x22],
  ['apos', 0x27],
]);

/** Bytes of many texts, one behind the other, in UTF-8 without any XML markup. */
export class TextBytes {
  bytes: Buffer;
  length = 0;

  constructor(capacity: number) {
    this.bytes = Buffer.allocUnsafeSlow(capacity);
  }

  reserve(more: number): void {
    if (this.length + more <= this.bytes.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(2 * this.bytes.length, this.length + more));
    this.bytes.copy(grown, 0, 0, this.length);
    this.bytes = grown;
  }

  /** Appends bytes that need no change. */
  copy(from: Buffer, start: number, end: number): void {
    this.reserve(end - start);
    const { bytes } = this;
    let to = this.length;
    // Texts are short: a loop is done before a call of the runtime has begun.
    for (let p = start; p < end; p += 1) bytes[to++] = from[p]!;
    this.length = to;
  }

  /**
   * Appends a text token: references resolved (not in CDATA), line ends made LF as XML wants.
   * @returns flags `NOT_ASCII`, `MAY_ESCAPE`
   */
  append(from: Buffer, start: number, end: number, cdata: boolean, place: PartPlace, offset: number): number {
    this.reserve(end - start);
    const { bytes } = this;
    let to = this.length;
    let all = 0;
    let flags = 0;
    for (let p = start; p < end; p += 1) {
      const byte = from[p]!;
      all |= byte;
      if (byte === AMPERSAND && !cdata) {
        const close = from.indexOf(SEMICOLON, p);
        const point = close < 0 || close >= end ? undefined : codePoint(ascii(from, p + 1, close));
        if (point === undefined) {
          const shown = ascii(from, p, Math.min(end, close < p ? p + 12 : close + 1, p + 12));
          throw unknownEntity(place, shown, offset);
        }
        to = putCodePoint(bytes, to, point);
        if (point > 0x7f) flags |= NOT_ASCII;
        if (point === UNDERSCORE) flags |= MAY_ESCAPE;
        p = close;
        continue;
      }
      if (byte === CR) {
        if (p + 1 < end && from[p + 1] === LF) continue;
        bytes[to++] = LF;
        continue;
      }
      if (byte === UNDERSCORE) flags |= MAY_ESCAPE;
      bytes[to++] = byte;
    }
    this.length = to;
    return all > 0x7f ? flags | NOT_ASCII : flags;
  }

  /**
   * Resolves the escapes of one element's text, which is all that was appended since `start`. Where a cell's text
   * comes in several elements, each must go through this: an escape never spans two of them, and what one of them
   * resolves to must not be resolved again.
   * @param flags of `append`
   * @returns the flags of what stands there now
   */
  unescape(start: number, flags: number): number {
    if (!(flags & MAY_ESCAPE)) return flags;
    const text = textOf(this.bytes, start, this.length, flags);
    // Never longer than the bytes before: an escape takes seven, and what it stands for at most three.
    this.length = start + this.bytes.write(text, start, 'utf8');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant.
    return /^[\x00-\x7f]*$/.test(text) ? 0 : NOT_ASCII;
  }
}

/** The text of bytes that `TextBytes.append` made, `_xHHHH_` escapes resolved. */
export function textOf(bytes: Buffer, start: number, end: number, flags: number): string {
  const text = flags & NOT_ASCII ? utf8(bytes, start, end) : ascii(bytes, start, end);
  return flags & MAY_ESCAPE ? unescapeText(text) : text;
}

/**
 * `_x000D_` stands for a character that XML can't carry, `_x005F_` for an underscore that must not begin one. Half a
 * surrogate pair, which no XML holds otherwise, becomes U+FFFD: no request could carry it either.
 */
export function unescapeText(text: string): string {
  if (!text.includes('_x')) return text;
  return text
    .replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(LONE_SURROGATE, '\ufffd');
}

/** The text of an attribute's value. */
export function attributeText(bytes: Buffer, start: number, end: number, place: PartPlace): string {
  const text = utf8(bytes, start, end);
  if (!text.includes('&')) return text;
  return text.replace(/&([^;&]*);?/g, (whole, name: string) => {
    const point = whole.endsWith(';') ? codePoint(name) : undefined;
    if (point === undefined) throw unknownEntity(place, whole.slice(0, 12), 0);
    return String.fromCodePoint(point);
  });
}

/** What stands between `&` and `;` as a character; undefined when XML knows no such thing. */
function codePoint(name: string): number | undefined {
  const digits = /^#(?:x([0-9a-fA-F]+)|([0-9]+))$/.exec(name);
  if (!digits) return PREDEFINED.get(name);
  const point = digits[1] ? Number.parseInt(digits[1], 16) : Number.parseInt(digits[2]!, 10);
  const valid = point > 0 && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff);
  return valid ? point : undefined;
}

/** A reference is never shorter than the bytes it stands for, so there is room. */
function putCodePoint(bytes: Buffer, at: number, point: number): number {
  if (point < 0x80) {
    bytes[at] = point;
    return at + 1;
  }
  return at + bytes.write(String.fromCodePoint(point), at, 'utf8');
}
