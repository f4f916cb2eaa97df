import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';

/** The decoders behind `Buffer.toString`, called directly: millions of cells are decoded one by one. */
interface Decoding {
  latin1Slice(start: number, end: number): string;
  utf8Slice(start: number, end: number): string;
}

/** ASCII bytes (or Latin-1) as text. */
export function ascii(bytes: Buffer, start: number, end: number): string {
  return (bytes as unknown as Decoding).latin1Slice(start, end);
}

export function utf8(bytes: Buffer, start: number, end: number): string {
  return (bytes as unknown as Decoding).utf8Slice(start, end);
}

/** Whether the bytes at `at` are `expected`, before `end`. */
export function matches(bytes: Buffer, at: number, end: number, expected: Uint8Array): boolean {
  if (at + expected.length > end) return false;
  for (let i = 0; i < expected.length; i += 1) if (bytes[at + i] !== expected[i]) return false;
  return true;
}

/** Whether a range of bytes is white space. */
export function isBlankRange(bytes: Uint8Array, start: number, end: number): boolean {
  for (let p = start; p < end; p += 1) if (bytes[p]! > 0x20) return false;
  return true;
}

/** Position in an .xlsx file that an error names. */
export interface PartPlace {
  /** File name without its folders. */
  readonly file: string;
  /** Entry name in the package, `xl/workbook.xml`. */
  readonly part: string;
}

/** The error for invalid XML; `offset` counts bytes of the part's UTF-8 text. */
export function brokenPart(place: PartPlace, offset: number): ProductError {
  return new ProductError('input', message('source.xlsx_part_broken', { ...place, offset }));
}

function unknownEntity(place: PartPlace, entity: string, offset: number): ProductError {
  return new ProductError('input', message('source.xlsx_entity', { ...place, entity, offset }));
}

export const AMPERSAND = 0x26;
const SEMICOLON = 0x3b;
export const CR = 0x0d;
const LF = 0x0a;
export const UNDERSCORE = 0x5f;

/** Flags of a text: it is not all ASCII; it may contain an `_xHHHH_` escape. */
export const NOT_ASCII = 1;
export const MAY_ESCAPE = 2;
/** Some characters of a shared text are struck out; the text itself does not depend on it. */
export const STRUCK_TEXT = 1 << 8;

const LONE_SURROGATE = /[\ud800-\udfff]/gu;

const PREDEFINED: ReadonlyMap<string, number> = new Map([
  ['amp', 0x26],
  ['lt', 0x3c],
  ['gt', 0x3e],
  ['quot', 0x22],
  ['apos', 0x27],
]);

/** Bytes of many texts, one after the other, in UTF-8 without XML markup. */
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
    // A loop is faster than `Buffer.copy` for short texts.
    for (let p = start; p < end; p += 1) bytes[to++] = from[p]!;
    this.length = to;
  }

  /**
   * Appends a text token. References are resolved (not in CDATA), and line ends become LF, as XML requires.
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
   * Resolves the escapes of one element's text, which begins at `start`. Call it for each element of a cell's text: an
   * escape never spans two elements, and a resolved escape must not be resolved again.
   * @param flags of `append`
   * @returns the flags of the result
   */
  unescape(start: number, flags: number): number {
    if (!(flags & MAY_ESCAPE)) return flags;
    const text = textOf(this.bytes, start, this.length, flags);
    // The result is never longer: an escape has seven bytes, and its character at most three.
    this.length = start + this.bytes.write(text, start, 'utf8');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the whole ASCII range.
    return /^[\x00-\x7f]*$/.test(text) ? 0 : NOT_ASCII;
  }
}

/** Decodes bytes that `TextBytes.append` wrote, and resolves `_xHHHH_` escapes. */
export function textOf(bytes: Buffer, start: number, end: number, flags: number): string {
  const text = flags & NOT_ASCII ? utf8(bytes, start, end) : ascii(bytes, start, end);
  return flags & MAY_ESCAPE ? unescapeText(text) : text;
}

/**
 * Resolves escapes: `_x000D_` is a character that XML cannot contain, `_x005F_` an underscore that begins no escape.
 * Half a surrogate pair becomes U+FFFD, as a request cannot contain it either.
 */
export function unescapeText(text: string): string {
  if (!text.includes('_x')) return text;
  return text
    .replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(LONE_SURROGATE, '\ufffd');
}

export function attributeText(bytes: Buffer, start: number, end: number, place: PartPlace): string {
  const text = utf8(bytes, start, end);
  if (!text.includes('&')) return text;
  return text.replace(/&([^;&]*);?/g, (whole, name: string) => {
    const point = whole.endsWith(';') ? codePoint(name) : undefined;
    if (point === undefined) throw unknownEntity(place, whole.slice(0, 12), 0);
    return String.fromCodePoint(point);
  });
}

/** The character of a reference (the text between `&` and `;`); undefined if XML has no such reference. */
function codePoint(name: string): number | undefined {
  const digits = /^#(?:x([0-9a-fA-F]+)|([0-9]+))$/.exec(name);
  if (!digits) return PREDEFINED.get(name);
  const point = digits[1] ? Number.parseInt(digits[1], 16) : Number.parseInt(digits[2]!, 10);
  const valid = point > 0 && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff);
  return valid ? point : undefined;
}

/** Writes a character. The buffer is large enough, as a reference is never shorter than the bytes of its character. */
function putCodePoint(bytes: Buffer, at: number, point: number): number {
  if (point < 0x80) {
    bytes[at] = point;
    return at + 1;
  }
  return at + bytes.write(String.fromCodePoint(point), at, 'utf8');
}
