import { columnLetters } from '../../util/spreadsheet-text.js';

/** Sufficient for a page of rows; grows on demand. */
const FIRST_BYTES = 1 << 18;
/** Maximum bytes of a character: as `_x000D_`. */
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
/** Follows an underscore that would be read as the start of an escape, if another underscore comes next. */
const ESCAPE_BEGUN = /x[0-9A-Fa-f]{4}/y;

/** For each ASCII character whether it needs no escape in any position. */
const PLAIN = Uint8Array.from({ length: 0x80 }, (_, code) => {
  if (code === TAB || code === LINE_FEED) return 1;
  const isPlain = code >= 0x20 && code < 0x7f && code !== UNDERSCORE;
  return isPlain && ENTITIES[String.fromCharCode(code)] === undefined ? 1 : 0;
});

/**
 * UTF-8 XML written byte by byte. A sheet has millions of short texts: joining them as strings, searching each for
 * characters to escape and encoding the whole takes twice as long and far more memory.
 */
export class XmlBytes {
  #bytes = Buffer.allocUnsafe(FIRST_BYTES);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** The bytes since the last call. Their memory is used for the next ones. */
  take(): Buffer {
    const written = this.#bytes.subarray(0, this.#length);
    this.#length = 0;
    return written;
  }

  /** Plain ASCII: tags, numbers. */
  ascii(text: string): void {
    this.#reserve(text.length);
    const bytes = this.#bytes;
    const from = this.#length;
    for (let index = 0; index < text.length; index += 1) bytes[from + index] = text.charCodeAt(index);
    this.#length = from + text.length;
  }

  /**
   * Text of a cell, escaped, with `_xHHHH_` (which spreadsheets write, and show as the original) for characters that
   * XML cannot contain or its readers change (a carriage return becomes a line feed), and for text that looks like
   * the escape.
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
    const needed = this.#length + bytes;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, this.#bytes.length * 2));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}

/**
 * Whether the underscore there starts a text that a reader would resolve as an escape. The underscore at its end may
 * also be the first one of the next character's escape.
 */
function looksEscaped(text: string, index: number): boolean {
  ESCAPE_BEGUN.lastIndex = index + 1;
  return ESCAPE_BEGUN.test(text) && beginsWithUnderscore(text, ESCAPE_BEGUN.lastIndex);
}

/** Whether the written form of the character begins with an underscore. */
function beginsWithUnderscore(text: string, index: number): boolean {
  const point = text.codePointAt(index);
  if (point === undefined) return false;
  if (point < 0x80) return PLAIN[point] === 0 && ENTITIES[text[index]!] === undefined;
  return (point >= 0xd800 && point <= 0xdfff) || point === 0xfffe || point === 0xffff;
}

function escapeOf(code: number): string {
  return `_x${code.toString(16).toUpperCase().padStart(4, '0')}_`;
}

/** Value of a cell; null for a cell with a style only. */
export type CellContent = string | number | boolean | { readonly error: string } | null;

/** Beginnings of cells by column, and the rest of their first attributes by style: they repeat in every row. */
const CELLS: string[] = [];
const STYLES: string[] = ['"'];

function cellOpen(column: number): string {
  for (let next = CELLS.length; next <= column; next += 1) CELLS.push(`<c r="${columnLetters(next)}`);
  return CELLS[column]!;
}

function styled(style: number): string {
  for (let next = STYLES.length; next <= style; next += 1) STYLES.push(`" s="${next}"`);
  return STYLES[style]!;
}

/** Rows of a sheet as XML. Texts are inline in their cells, so none has to be kept until the end. */
export class RowXml {
  readonly #xml = new XmlBytes();
  #number = '';

  /** Bytes since the last call. */
  get length(): number {
    return this.#xml.length;
  }

  /** The bytes of whole rows, in memory that is reused for the next ones. */
  take(): Buffer {
    return this.#xml.take();
  }

  /**
   * @param first column with a cell, from 1
   * @param last column with a cell
   * @param points height, if it is not the default
   */
  open(number: number, first: number, last: number, hidden: boolean, points: number | undefined): void {
    this.#number = String(number);
    const height = points === undefined ? '' : ` ht="${points}" customHeight="1"`;
    const shown = hidden ? ' hidden="1"' : '';
    this.#xml.ascii(`<row r="${number}"${height}${shown} spans="${first}:${last}" x14ac:dyDescent="0.25">`);
  }

  /**
   * @param column from 1, to the right of the last one
   * @param style its number in the workbook
   * @param isSpaced the text begins or ends with white space, which readers drop without an attribute
   */
  cell(column: number, style: number, value: CellContent, isSpaced: boolean): void {
    const xml = this.#xml;
    xml.ascii(cellOpen(column));
    xml.ascii(this.#number);
    xml.ascii(styled(style));
    if (typeof value === 'string') {
      if (isSpaced || isEscaped(value)) {
        xml.ascii(' t="inlineStr"><is><r><t xml:space="preserve">');
        xml.text(value);
        xml.ascii('</t></r></is></c>');
      } else {
        xml.ascii(' t="str"><v>');
        xml.text(value);
        xml.ascii('</v></c>');
      }
    } else if (typeof value === 'number') {
      xml.ascii('><v>');
      xml.ascii(String(value));
      xml.ascii('</v></c>');
    } else if (value === null) {
      xml.ascii('/>');
    } else if (typeof value === 'boolean') {
      xml.ascii(value ? ' t="b"><v>1</v></c>' : ' t="b"><v>0</v></c>');
    } else {
      xml.ascii(` t="e"><v>${value.error}</v></c>`);
    }
  }

  close(): void {
    this.#xml.ascii('</row>');
  }
}

/** Whether the text is written with an escape. LibreOffice resolves these in text elements only. */
function isEscaped(text: string): boolean {
  return text.includes('_x') || text.includes('\r');
}
