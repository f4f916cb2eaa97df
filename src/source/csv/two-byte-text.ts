import { isAscii } from 'node:buffer';

/**
 * Recognises UTF-8 that may be Chinese in GBK: some pairs of GBK bytes (C2 to DF, then 80 to BF) are also characters of
 * two bytes in UTF-8. Real UTF-8 in Chinese has characters of three bytes. In European languages, letters such as ü are
 * next to ASCII letters, and signs such as £ are alone.
 */
export class TwoByteText {
  #isPossible = true;
  #hasNeighbours = false;
  #before: 'letter' | 'character' | 'other' = 'other';

  /** Add the bytes in order; only valid UTF-8 is judged correctly. */
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
