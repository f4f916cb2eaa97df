import { readBytes } from './bytes.js';
import { Utf8Check } from './utf8.js';

/** What ends the lines: LF alone, never a CR without LF, or any of CRLF, LF, CR. */
export type LineEnds = 'lf' | 'crlf' | 'mixed';

export interface Survey {
  /** The first bytes. */
  readonly head: Buffer;
  /** There is a NUL byte. */
  readonly nul: boolean;
  /** Offset near which the bytes cease to be UTF-8. */
  readonly utf8Fault: number | undefined;
  /** Told by where the NUL bytes are; empty when they don't say so. */
  readonly utf16: '' | 'utf-16le' | 'utf-16be';
  readonly lineEnds: LineEnds;
}

/** So much of a file tells UTF-16 well enough. */
const PARITY_BYTES = 1 << 22;
const LF = 0x0a;
const CR = 0x0d;

/** Looks at all bytes of a file once, with bounded memory. */
export async function survey(file: string): Promise<Survey> {
  const utf8 = new Utf8Check();
  const parity = new NulParity();
  let head: Buffer | undefined;
  let nul = false;
  let lineEnds: LineEnds = 'lf';
  /** The chunk before ended between a CR and what follows it. */
  let split = false;
  let size = 0;
  for await (const chunk of readBytes(file)) {
    head ??= Buffer.from(chunk.subarray(0, 4));
    utf8.add(chunk);
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
