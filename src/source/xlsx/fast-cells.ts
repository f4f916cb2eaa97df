import { NUMBER, SHARED, TEXT_CELL } from './row-block.js';
import type { RowBuilder } from './row-builder.js';
import { MAX_CELL_LENGTH } from './shared-strings.js';
import type { XmlScanner } from './xml-scan.js';
import { MAY_ESCAPE, NOT_ASCII } from './xml-text.js';

const QUOTE = 0x22;
const LT = 0x3c;
const GT = 0x3e;
const SPACE = 0x20;

const V_OPEN = Buffer.from('<v>');
const V_CLOSE = Buffer.from('</v></c>');
const INLINE_OPEN = Buffer.from('<is><t>');
const INLINE_CLOSE = Buffer.from('</t></is></c>');

/**
 * Reads cells that are written in the common way, one behind the other: `<c r="A1" s="1" t="s"><v>0</v></c>`, no
 * prefix, nothing but `r`, `s` and `t`, and a plain value. Stops before the first that is anything else, or not
 * wholly there; the general scanner reads that one. Both give the same cells; this way is several times faster.
 */
export function fastCells(scanner: XmlScanner, rows: RowBuilder): void {
  const { bytes, end } = scanner;
  const { text } = rows;
  for (;;) {
    let p = scanner.pos;
    if (p + 4 >= end || bytes[p] !== LT || bytes[p + 1] !== 0x63 || bytes[p + 2] !== SPACE) return;
    p += 3;
    let column = 0;
    let row = 0;
    let style = 0;
    let kind = NUMBER;
    let inline = false;
    while (p + 4 < end && bytes[p + 1] === 0x3d && bytes[p + 2] === QUOTE) {
      const attribute = bytes[p];
      p += 3;
      if (attribute === 0x72) {
        if (column > 0) return;
        for (; p < end && bytes[p]! >= 0x41 && bytes[p]! <= 0x5a && column < 20_000; p += 1)
          column = column * 26 + bytes[p]! - 0x40;
        for (; p < end && bytes[p]! >= 0x30 && bytes[p]! <= 0x39 && row < 2_000_000; p += 1)
          row = row * 10 + bytes[p]! - 0x30;
      } else if (attribute === 0x73) {
        style = 0;
        for (; p < end && bytes[p]! >= 0x30 && bytes[p]! <= 0x39 && style < 100_000; p += 1)
          style = style * 10 + bytes[p]! - 0x30;
      } else if (attribute === 0x74) {
        if (bytes[p] === 0x73 && bytes[p + 1] === QUOTE) {
          kind = SHARED;
          p += 1;
        } else if (bytes[p] === 0x6e && bytes[p + 1] === QUOTE) {
          p += 1;
        } else if (bytes[p] === 0x73 && bytes[p + 1] === 0x74 && bytes[p + 2] === 0x72) {
          kind = TEXT_CELL;
          p += 3;
        } else if (bytes[p] === 0x69 && bytes[p + 6] === 0x53 && bytes[p + 9] === QUOTE) {
          kind = TEXT_CELL;
          inline = true;
          p += 9;
        } else return;
      } else return;
      if (p + 1 >= end || bytes[p] !== QUOTE) return;
      p += 1;
      if (bytes[p] === SPACE) p += 1;
    }
    // The row's number must be this one, or the general way decides what is wrong.
    if (column === 0 || row !== rows.number) return;
    if (p + 1 < end && bytes[p] === 0x2f && bytes[p + 1] === GT) {
      if (!rows.cellAt(column, row)) return;
      scanner.pos = p + 2;
      continue;
    }
    if (p >= end || bytes[p] !== GT) return;
    p += 1;
    const open = inline ? INLINE_OPEN : V_OPEN;
    if (!matches(bytes, p, end, open)) return;
    p += open.length;
    const close = inline ? INLINE_CLOSE : V_CLOSE;
    if (kind === SHARED) {
      let index = 0;
      const start = p;
      for (; p < end && bytes[p]! >= 0x30 && bytes[p]! <= 0x39 && p - start < 10; p += 1)
        index = index * 10 + bytes[p]! - 0x30;
      if (p === start || p - start > 9 || !matches(bytes, p, end, close)) return;
      if (!rows.cellAt(column, row)) return;
      rows.putShared(index);
    } else {
      const start = p;
      let all = 0;
      let flags = 0;
      for (; p < end; p += 1) {
        const byte = bytes[p]!;
        if (byte === LT) break;
        if (byte === 0x26 || byte === 0x0d) return;
        if (byte === 0x5f) flags = MAY_ESCAPE;
        all |= byte;
      }
      const length = p - start;
      if (length === 0 || length > MAX_CELL_LENGTH || !matches(bytes, p, end, close)) return;
      if (kind === NUMBER && (bytes[start]! <= SPACE || bytes[p - 1]! <= SPACE)) return;
      if (!rows.cellAt(column, row)) return;
      if (all > 0x7f) flags |= NOT_ASCII;
      text.reserve(length);
      const to = text.length;
      const target = text.bytes;
      for (let i = 0; i < length; i += 1) target[to + i] = bytes[start + i]!;
      text.length = to + length;
      rows.putBytes(kind, style, flags, to, to + length);
    }
    scanner.pos = p + close.length;
  }
}

function matches(bytes: Buffer, at: number, end: number, wanted: Buffer): boolean {
  if (at + wanted.length > end) return false;
  for (let i = 0; i < wanted.length; i += 1) if (bytes[at + i] !== wanted[i]) return false;
  return true;
}
