import { isAscii, isUtf8 } from 'node:buffer';
import { open } from 'node:fs/promises';
import { readBytes } from './file-text.js';

/** Checks a stream of bytes for strict UTF-8, chunk by chunk. */
class Utf8Check {
  #rest: Buffer = Buffer.alloc(0);
  #seen = 0;
  /** Approximate byte offset of the first error; undefined if there is none so far. */
  fault: number | undefined;

  add(chunk: Buffer): void {
    if (this.fault !== undefined) return;
    const joined = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const whole = joined.length - unfinished(joined);
    if (!isUtf8(joined.subarray(0, whole))) {
      this.fault = this.#seen + firstFault(joined.subarray(0, whole));
      return;
    }
    this.#seen += whole;
    this.#rest = Buffer.from(joined.subarray(whole));
  }

  end(): void {
    if (this.#rest.length > 0) this.fault ??= this.#seen;
  }
}

/** Number of bytes at the end that belong to an incomplete character. */
function unfinished(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80 || byte >= 0xf5) return 0;
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return back < length ? back : 0;
    }
  }
  return 0;
}

function firstFault(bytes: Buffer): number {
  let good = 0;
  let bad = bytes.length;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    const prefix = bytes.subarray(0, middle);
    if (isUtf8(prefix.subarray(0, middle - unfinished(prefix)))) good = middle;
    else bad = middle;
  }
  return good;
}

/**
 * Recognises UTF-8 that may be Chinese in GBK: some pairs of GBK bytes (C2 to DF, then 80 to BF) are also characters of
 * two bytes in UTF-8. Chinese in UTF-8 has characters of three bytes. In European languages, letters such as ü are
 * next to ASCII letters, and signs such as £ are alone.
 */
class TwoByteText {
  #isPossible = true;
  #hasNeighbours = false;
  #before: 'letter' | 'character' | 'other' = 'other';

  /** Add the bytes in order; the result is valid for valid UTF-8 only. */
  add(chunk: Buffer): void {
    if (!this.#isPossible) return;
    if (isAscii(chunk)) {
      // The middle of such a chunk changes nothing; only its ends have neighbours.
      if (chunk.length === 0) return;
      this.#addByte(chunk[0]!);
      this.#addByte(chunk.at(-1)!);
      return;
    }
    for (const byte of chunk) {
      this.#addByte(byte);
      if (!this.#isPossible) return;
    }
  }

  /** All characters beyond ASCII have two bytes, some are adjacent, and none is next to an ASCII letter. */
  get mayBeChinese(): boolean {
    return this.#isPossible && this.#hasNeighbours;
  }

  #addByte(byte: number): void {
    if (byte >= 0xe0) this.#isPossible = false;
    else if (byte >= 0xc0) {
      if (this.#before === 'letter') this.#isPossible = false;
      if (this.#before === 'character') this.#hasNeighbours = true;
      this.#before = 'character';
    } else if (byte < 0x80) {
      const isLetter = (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a;
      if (isLetter && this.#before === 'character') this.#isPossible = false;
      this.#before = isLetter ? 'letter' : 'other';
    }
  }
}

/** Line ends of a file: LF only; CRLF and possibly LF; or CR, too. */
export type LineEnds = 'lf' | 'crlf' | 'mixed';

interface FileSurvey {
  /** The first bytes. */
  readonly head: Buffer;
  readonly nul: boolean;
  /** Approximate offset of the first bytes that are not UTF-8. */
  readonly utf8Fault: number | undefined;
  /** Valid UTF-8 that may be Chinese in GBK. */
  readonly mayBeGbk: boolean;
  /** Found from the positions of NUL bytes; empty if it is not UTF-16. */
  readonly utf16: '' | 'utf-16le' | 'utf-16be';
  readonly lineEnds: LineEnds;
}

/** Number of bytes searched for signs of UTF-16. */
const PARITY_BYTES = 1 << 22;
const LF = 0x0a;
const CR = 0x0d;

/** Reads all bytes of a file once, in bounded memory. */
export async function survey(file: string): Promise<FileSurvey> {
  const utf8 = new Utf8Check();
  const twoByte = new TwoByteText();
  const parity = new NulParity();
  let head: Buffer | undefined;
  let nul = false;
  let lineEnds: LineEnds = 'lf';
  /** The previous chunk ended with a CR. */
  let split = false;
  let size = 0;
  for await (const chunk of readBytes(file)) {
    head ??= Buffer.from(chunk.subarray(0, 4));
    utf8.add(chunk);
    twoByte.add(chunk);
    if (size < PARITY_BYTES) parity.add(chunk, size);
    nul ||= chunk.includes(0);
    if (lineEnds !== 'mixed') lineEnds = split && chunk[0] !== LF ? 'mixed' : lineEndsOf(chunk, lineEnds);
    split = chunk.at(-1) === CR;
    size += chunk.length;
  }
  utf8.end();
  return {
    head: head ?? Buffer.alloc(0),
    nul,
    utf8Fault: utf8.fault,
    mayBeGbk: utf8.fault === undefined && twoByte.mayBeChinese,
    utf16: size % 2 === 0 ? parity.encoding : '',
    lineEnds: split ? 'mixed' : lineEnds,
  };
}

function lineEndsOf(chunk: Buffer, before: 'lf' | 'crlf'): LineEnds {
  let found: LineEnds = before;
  for (let at = chunk.indexOf(CR); at !== -1; at = chunk.indexOf(CR, at + 1)) {
    if (at + 1 < chunk.length && chunk[at + 1] !== LF) return 'mixed';
    found = 'crlf';
  }
  return found;
}

/** Positions of the NUL bytes of ASCII characters: even offsets in UTF-16BE, odd ones in UTF-16LE. */
class NulParity {
  readonly #zeros: [number, number] = [0, 0];
  readonly #breaks: [number, number] = [0, 0];
  #size = 0;

  add(chunk: Buffer, offset: number): void {
    for (let at = chunk.indexOf(0); at !== -1; at = chunk.indexOf(0, at + 1)) {
      const side = ((offset + at) & 1) as 0 | 1;
      this.#zeros[side] += 1;
      const neighbour = chunk[side === 1 ? at - 1 : at + 1];
      if (neighbour === LF || neighbour === CR) this.#breaks[side] += 1;
    }
    this.#size += chunk.length;
  }

  get encoding(): '' | 'utf-16le' | 'utf-16be' {
    if (this.#looksLikeUtf16(1)) return 'utf-16le';
    return this.#looksLikeUtf16(0) ? 'utf-16be' : '';
  }

  #looksLikeUtf16(side: 0 | 1): boolean {
    const zeros = this.#zeros[side];
    const otherZeros = this.#zeros[side === 0 ? 1 : 0];
    return zeros >= this.#size * 0.02 && this.#breaks[side] > 0 && otherZeros <= zeros / 10;
  }
}

/** Number of bytes at the end of a file that are searched for its end mark. */
const SEARCHED_BYTES = 64;

/** Ctrl-Z, with which programs of CP/M and DOS mark the end of a text file. */
const END_MARK = 0x1a;

interface FileEnd {
  /** Number of bytes before the end mark, or the file's size. */
  readonly end: number;
  /** The last line has a line end. False for an empty file, too. */
  readonly isLineEnded: boolean;
}

/**
 * Examines the last bytes of a text file. End marks and the line ends between and after them are not part of the text.
 */
export async function findFileEnd(file: string, encoding: string): Promise<FileEnd> {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    // Even, so that no unit of two bytes is split.
    const start = Math.max(0, size - SEARCHED_BYTES) & ~1;
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - start), 0, size - start, start);
    const units = unitsOf(buffer.subarray(0, bytesRead), encoding);
    const isAfterText = (at: number): boolean => units.values.slice(at).every(isLineEndOrMark);
    const mark = units.values.findIndex((unit, at) => unit === END_MARK && isAfterText(at));
    const count = mark === -1 ? units.values.length : mark;
    const last = units.values[count - 1];
    return {
      end: start + (mark === -1 ? bytesRead : mark * units.bytes),
      isLineEnded: last === LF || last === CR,
    };
  } finally {
    await handle.close();
  }
}

function unitsOf(tail: Buffer, encoding: string) {
  if (!encoding.startsWith('utf-16')) return { bytes: 1, values: [...tail] };
  const read = encoding === 'utf-16le' ? tail.readUInt16LE.bind(tail) : tail.readUInt16BE.bind(tail);
  const values = Array.from({ length: tail.length >> 1 }, (_, index) => read(2 * index));
  return { bytes: 2, values };
}

function isLineEndOrMark(unit: number): boolean {
  return unit === LF || unit === CR || unit === END_MARK;
}
