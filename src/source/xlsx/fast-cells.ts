import { matches } from './bytes.js';
import { NUMBER, SHARED, TEXT_CELL } from './row-block.js';
import type { RowBuilder } from './row-builder.js';
import { MAX_CELL_LENGTH } from './shared-strings.js';
import type { XmlScanner } from './xml-scan.js';
import { AMPERSAND, CR, MAY_ESCAPE, NOT_ASCII, UNDERSCORE } from './xml-text.js';

const QUOTE = 0x22;
const LT = 0x3c;
const GT = 0x3e;
const SPACE = 0x20;
const SLASH = 0x2f;
const EQUALS = 0x3d;
const ZERO = 0x30;

const V_CLOSE = Buffer.from('</v></c>');
const STR = Buffer.from('str"');
const INLINE_STR = Buffer.from('inlineStr"');
const INLINE_OPEN = Buffer.from('<is><t>');
const INLINE_CLOSE = Buffer.from('</t></is></c>');

/**
 * Reads cells that are written in the common way, one behind the other: `<c r="A1" s="1" t="s"><v>0</v></c>`, no
 * prefix, nothing but `r`, `s` and `t`, and a plain value. Stops before the first that is anything else, or not
 * wholly there; the general scanner reads that one. Both give the same cells; this way is several times faster.
 */
export function fastCells(scanner: XmlScanner, rows: RowBuilder): void {
  const { bytes, end } = scanner;
  const { text, number } = rows;
  for (let next = scanner.pos; ; scanner.pos = next) {
    let p = next;
    if (p + 4 >= end || bytes[p] !== LT || bytes[p + 1] !== 0x63 || bytes[p + 2] !== SPACE) return;
    p += 3;
    let column = 0;
    let row = 0;
    let style = 0;
    let kind = NUMBER;
    let inline = false;
    while (p + 4 < end && bytes[p + 1] === EQUALS && bytes[p + 2] === QUOTE) {
      const attribute = bytes[p];
      p += 3;
      let byte = bytes[p]!;
      if (attribute === 0x72) {
        for (column = 0; byte >= 0x41 && byte <= 0x5a && column < 20_000; byte = bytes[++p]!) {
          column = column * 26 + byte - 0x40;
        }
        for (row = 0; byte >= ZERO && byte <= 0x39 && row < 2_000_000; byte = bytes[++p]!) {
          row = row * 10 + byte - ZERO;
        }
      } else if (attribute === 0x73) {
        for (style = 0; byte >= ZERO && byte <= 0x39 && style < 100_000; byte = bytes[++p]!) {
          style = style * 10 + byte - ZERO;
        }
      } else if (attribute === 0x74) {
        if (bytes[p + 1] === QUOTE && (byte === 0x73 || byte === 0x6e)) {
          kind = byte === 0x73 ? SHARED : NUMBER;
          p += 1;
        } else if (matches(bytes, p, end, STR)) {
          kind = TEXT_CELL;
          p += STR.length - 1;
        } else if (matches(bytes, p, end, INLINE_STR)) {
          kind = TEXT_CELL;
          inline = true;
          p += INLINE_STR.length - 1;
        } else return;
      } else return;
      if (p + 1 >= end || bytes[p] !== QUOTE) return;
      p += 1;
      if (bytes[p] === SPACE) p += 1;
    }
    // The row's number must be this one, or the general way decides what is wrong.
    if (column === 0 || row !== number || p + 4 >= end) return;
    if (bytes[p] === SLASH && bytes[p + 1] === GT) {
      if (!rows.enter(column)) return;
      next = p + 2;
      continue;
    }
    if (bytes[p] !== GT) return;
    p += 1;
    if (inline) {
      if (!matches(bytes, p, end, INLINE_OPEN)) return;
      p += INLINE_OPEN.length;
    } else {
      if (bytes[p] !== LT || bytes[p + 1] !== 0x76 || bytes[p + 2] !== GT) return;
      p += 3;
    }
    const start = p;
    if (kind === SHARED) {
      let index = 0;
      for (let byte = bytes[p]!; byte >= ZERO && byte <= 0x39 && p < end; byte = bytes[++p]!) {
        index = index * 10 + byte - ZERO;
      }
      const length = p - start;
      if (length === 0 || length > 9 || !closes(bytes, p, end) || !rows.enter(column)) return;
      rows.putShared(index);
      next = p + V_CLOSE.length;
      continue;
    }
    let all = 0;
    let flags = 0;
    let byte = LT;
    for (; p < end; p += 1) {
      byte = bytes[p]!;
      if (byte === LT || byte === AMPERSAND || byte === CR) break;
      if (byte === UNDERSCORE) flags = MAY_ESCAPE;
      all |= byte;
    }
    const length = p - start;
    if (byte !== LT || length === 0 || length > MAX_CELL_LENGTH) return;
    if (!(inline ? matches(bytes, p, end, INLINE_CLOSE) : closes(bytes, p, end))) return;
    if (kind === NUMBER && (bytes[start]! <= SPACE || bytes[p - 1]! <= SPACE)) return;
    if (!rows.enter(column)) return;
    const to = text.length;
    text.copy(bytes, start, p);
    rows.putBytes(kind, style, all > 0x7f ? flags | NOT_ASCII : flags, to, text.length);
    next = p + (inline ? INLINE_CLOSE.length : V_CLOSE.length);
  }
}

/** `</v></c>`, written out: it is looked for at every cell. */
function closes(bytes: Buffer, p: number, end: number): boolean {
  return (
    p + 8 <= end &&
    bytes[p] === LT &&
    bytes[p + 1] === SLASH &&
    bytes[p + 2] === 0x76 &&
    bytes[p + 3] === GT &&
    bytes[p + 4] === LT &&
    bytes[p + 5] === SLASH &&
    bytes[p + 6] === 0x63 &&
    bytes[p + 7] === GT
  );
}
