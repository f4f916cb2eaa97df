/** Enough for a page of rows; grows for what is larger. */
const FIRST_BYTES = 1 << 18;
/** A character takes at most this many: as `_x000D_`. */
const MOST_BYTES = 7;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};
const LINE_FEED = 0x0a;
const TAB = 0x09;
const UNDERSCORE = 0x5f;
/** What follows an underscore that would be taken for the start of an escape, if another underscore comes next. */
const ESCAPE_BEGUN = /x[0-9A-Fa-f]{4}/y;

/** For each ASCII character whether it stands for itself wherever it is. */
const PLAIN = Uint8Array.from({ length: 0x80 }, (_, code) => {
  if (code === TAB || code === LINE_FEED) return 1;
  const isPlain = code >= 0x20 && code < 0x7f && code !== UNDERSCORE;
  return isPlain && ENTITIES[String.fromCharCode(code)] === undefined ? 1 : 0;
});

/**
 * UTF-8 XML that is put together byte by byte. A sheet has millions of short pieces: joining them as strings, looking
 * each through for what must be escaped and encoding the whole takes twice as long and far more memory.
 */
export class XmlBytes {
  #bytes = Buffer.allocUnsafe(FIRST_BYTES);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** The bytes since the last time. They stand in memory that the next piece is written to. */
  take(): Buffer {
    const taken = this.#bytes.subarray(0, this.#length);
    this.#length = 0;
    return taken;
  }

  /** ASCII as it is: tags, numbers. */
  ascii(text: string): void {
    this.#reserve(text.length);
    const bytes = this.#bytes;
    const from = this.#length;
    for (let index = 0; index < text.length; index += 1) bytes[from + index] = text.charCodeAt(index);
    this.#length = from + text.length;
  }

  /**
   * Text of a cell, markedCell up, with `_xHHHH_` (as spreadsheets write it, and show as it was) for what XML can't hold
   * or its readers change (a carriage return becomes a line feed), and for text that looks like the escape itself.
   */
  text(text: string): void {
    this.#reserve(text.length * MOST_BYTES);
    const bytes = this.#bytes;
    let at = this.#length;
    for (let index = 0; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      if (code < 0x80) {
        if (PLAIN[code] === 1 || (code === UNDERSCORE && !looksEscaped(text, index))) bytes[at++] = code;
        else at += bytes.write(ENTITIES[text[index]!] ?? escapeOf(code), at, 'latin1');
      } else if (code < 0x800) {
        bytes[at++] = 0xc0 | (code >> 6);
        bytes[at++] = 0x80 | (code & 0x3f);
      } else if (code < 0xd800 || (code > 0xdfff && code < 0xfffe)) {
        bytes[at++] = 0xe0 | (code >> 12);
        bytes[at++] = 0x80 | ((code >> 6) & 0x3f);
        bytes[at++] = 0x80 | (code & 0x3f);
      } else {
        const point = text.codePointAt(index)!;
        if (point === code) at += bytes.write(escapeOf(code), at, 'latin1');
        else {
          bytes[at++] = 0xf0 | (point >> 18);
          bytes[at++] = 0x80 | ((point >> 12) & 0x3f);
          bytes[at++] = 0x80 | ((point >> 6) & 0x3f);
          bytes[at++] = 0x80 | (point & 0x3f);
          index += 1;
        }
      }
    }
    this.#length = at;
  }

  #reserve(bytes: number): void {
    const wanted = this.#length + bytes;
    if (wanted <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(wanted, this.#bytes.length * 2));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}

/**
 * Whether the underscore there is the start of what a reader takes for an escape. The underscore at its end may also be
 * the first one of the next character's own escape.
 */
function looksEscaped(text: string, index: number): boolean {
  ESCAPE_BEGUN.lastIndex = index + 1;
  return ESCAPE_BEGUN.test(text) && beginsWithUnderscore(text, ESCAPE_BEGUN.lastIndex);
}

/** Whether what is written for the character there begins with an underscore. */
function beginsWithUnderscore(text: string, index: number): boolean {
  const point = text.codePointAt(index);
  if (point === undefined) return false;
  if (point < 0x80) return PLAIN[point] === 0 && ENTITIES[text[index]!] === undefined;
  return (point >= 0xd800 && point <= 0xdfff) || point === 0xfffe || point === 0xffff;
}

function escapeOf(code: number): string {
  return `_x${code.toString(16).toUpperCase().padStart(4, '0')}_`;
}
