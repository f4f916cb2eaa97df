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

/** Four bytes as one number each, so that they are compared at once. */
const C_OPEN = fourBytes('<c r');
const V_END = fourBytes('</v>');
const C_END = fourBytes('</c>');
const CLOSE_LENGTH = 8;

const STR = Buffer.from('str"');
const INLINE_STR = Buffer.from('inlineStr"');
const INLINE_OPEN = Buffer.from('<is><t>');
const INLINE_CLOSE = Buffer.from('</t></is></c>');

/**
 * Reads consecutive cells that are written in the common way: `<c r="A1" s="1" t="s"><v>0</v></c>`, without a prefix,
 * with no attributes but `r`, `s` and `t`, and a plain value. Stops before any other cell and before an incomplete one,
 * which the general scanner then reads. Both give the same cells; this one is several times faster.
 */
export function fastCells(scanner: XmlScanner, rows: RowBuilder): void {
  const { bytes, view, end } = scanner;
  const { text, number } = rows;
  for (let next = scanner.pos; ; scanner.pos = next) {
    let p = next;
    if (p + 8 >= end || view.getUint32(p) !== C_OPEN || bytes[p + 4] !== EQUALS || bytes[p + 5] !== QUOTE)
      return;
    p += 6;
    let byte = bytes[p]!;
    let column = 0;
    for (; byte >= 0x41 && byte <= 0x5a && column < 20_000; byte = bytes[++p]!) {
      column = column * 26 + byte - 0x40;
    }
    let row = 0;
    for (; byte >= ZERO && byte <= 0x39 && row < 2_000_000; byte = bytes[++p]!) row = row * 10 + byte - ZERO;
    // A cell of another row is left to the general scanner, which says what is wrong.
    if (byte !== QUOTE || column === 0 || row !== number) return;
    p += bytes[p + 1] === SPACE ? 2 : 1;
    let style = 0;
    let kind = NUMBER;
    let inline = false;
    while (p + 4 < end && bytes[p + 1] === EQUALS && bytes[p + 2] === QUOTE) {
      const attribute = bytes[p];
      p += 3;
      byte = bytes[p]!;
      if (attribute === 0x73) {
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
    if (p + 4 >= end) return;
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
    if (kind !== TEXT_CELL) {
      let value = 0;
      for (byte = bytes[p]!; byte >= ZERO && byte <= 0x39 && p - start < 10; byte = bytes[++p]!) {
        value = value * 10 + byte - ZERO;
      }
      const length = p - start;
      // A number with leading zeros may be more than its value, so its digits are kept as bytes.
      const whole = kind === SHARED || length === 1 || bytes[start] !== ZERO;
      if (length > 0 && length <= 9 && whole && closes(view, p, end)) {
        if (!rows.enter(column)) return;
        if (kind === SHARED) rows.putShared(value, style);
        else rows.putWhole(style, value);
        next = p + CLOSE_LENGTH;
        continue;
      }
      if (kind === SHARED) return;
      p = start;
    }
    let all = 0;
    let flags = 0;
    byte = LT;
    for (; p < end; p += 1) {
      byte = bytes[p]!;
      if (byte === LT || byte === AMPERSAND || byte === CR) break;
      if (byte === UNDERSCORE) flags = MAY_ESCAPE;
      all |= byte;
    }
    const length = p - start;
    if (byte !== LT || length === 0 || length > MAX_CELL_LENGTH) return;
    if (!(inline ? matches(bytes, p, end, INLINE_CLOSE) : closes(view, p, end))) return;
    if (kind === NUMBER && (bytes[start]! <= SPACE || bytes[p - 1]! <= SPACE)) return;
    if (!rows.enter(column)) return;
    const to = text.length;
    text.copy(bytes, start, p);
    rows.putBytes(kind, style, all > 0x7f ? flags | NOT_ASCII : flags, to, text.length);
    next = p + (inline ? INLINE_CLOSE.length : CLOSE_LENGTH);
  }
}

/** Whether `</v></c>` stands there. */
function closes(view: DataView, p: number, end: number): boolean {
  return p + CLOSE_LENGTH <= end && view.getUint32(p) === V_END && view.getUint32(p + 4) === C_END;
}

function fourBytes(text: string): number {
  return Buffer.from(text, 'latin1').readUInt32BE();
}
