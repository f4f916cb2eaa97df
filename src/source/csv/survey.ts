import { readBytes } from './bytes.js';
import { TwoByteText } from './two-byte-text.js';
import { Utf8Check } from './utf8.js';

/** Line ends of a file: LF only; CRLF and perhaps LF; or CR too. */
export type LineEnds = 'lf' | 'crlf' | 'mixed';

interface FileSurvey {
  /** The first bytes. */
  readonly head: Buffer;
  /** The file contains a NUL byte. */
  readonly nul: boolean;
  /** Offset near the first bytes that aren't UTF-8. */
  readonly utf8Fault: number | undefined;
  /** It is UTF-8 as the bytes stand, but may be Chinese in GBK. */
  readonly mayBeGbk: boolean;
  /** Found from the positions of NUL bytes; empty if it isn't UTF-16. */
  readonly utf16: '' | 'utf-16le' | 'utf-16be';
  readonly lineEnds: LineEnds;
}

/** Bytes searched for signs of UTF-16. */
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

/** Where the NUL bytes of plain ASCII characters are: at even offsets in UTF-16BE, at odd ones in UTF-16LE. */
class NulParity {
  readonly #zeros: [number, number] = [0, 0];
  readonly #breaks: [number, number] = [0, 0];
  #size = 0;

  add(chunk: Buffer, offset: number): void {
    for (let at = chunk.indexOf(0); at !== -1; at = chunk.indexOf(0, at + 1)) {
      const side = ((offset + at) & 1) as 0 | 1;
      this.#zeros[side] += 1;
      const other = chunk[side === 1 ? at - 1 : at + 1];
      if (other === LF || other === CR) this.#breaks[side] += 1;
    }
    this.#size += chunk.length;
  }

  get encoding(): '' | 'utf-16le' | 'utf-16be' {
    if (this.#speaks(1)) return 'utf-16le';
    return this.#speaks(0) ? 'utf-16be' : '';
  }

  #speaks(side: 0 | 1): boolean {
    const zeros = this.#zeros[side];
    const others = this.#zeros[side === 0 ? 1 : 0];
    return zeros >= this.#size * 0.02 && this.#breaks[side] > 0 && others <= zeros / 10;
  }
}
