import type { Draft, Laid, Line, TextStyle } from '../sheet.js';
import { numberedLines } from './rows.js';

/** The sheet as text, as a spreadsheet program or an older one of the office saves it. */
export function writeText(draft: Draft): Buffer {
  const { text, page } = draft;
  // Excel takes the line with the delimiter for itself and shows the header in row 1.
  const lines = numberedLines(page);
  const width = page.width ?? page.columns.length;
  const made = lines.map((line) => record(line, width, text));
  const all = [...(text.sepLine ? [`sep=${text.delimiter}`] : []), ...made];
  return encoded(all.join(text.newline) + text.newline, text.encoding);
}

function record(line: Line, width: number, style: TextStyle): string {
  if (line.asIs !== undefined) return line.asIs;
  if (line.cells.length === 0) return '';
  const fields = Array.from({ length: Math.max(width, line.cells.length) }, (_, at) =>
    field(line.cells[at], style),
  );
  return fields.join(style.delimiter);
}

function field(cell: Laid | undefined, style: TextStyle): string {
  if (!cell) return '';
  if (cell.kind === 'text' && cell.asIs !== undefined) return cell.asIs;
  const shown = shownText(cell);
  const needed = /["\r\n]/.test(shown) || shown.includes(style.delimiter);
  return needed || style.quoteAll ? `"${shown.replaceAll('"', '""')}"` : shown;
}

/** What a spreadsheet program shows of a cell, which is what it saves as text. */
function shownText(cell: Laid): string {
  switch (cell.kind) {
    case 'text':
      return cell.text;
    case 'number':
      return cell.shown ?? String(cell.number);
    case 'date':
      return cell.shown;
    case 'boolean':
      return cell.boolean ? 'TRUE' : 'FALSE';
    case 'error':
      return cell.text;
    case 'formula':
      return cell.result ? shownText(cell.result) : '';
  }
}

function encoded(text: string, encoding: TextStyle['encoding']): Buffer {
  switch (encoding) {
    case 'utf-8':
      return Buffer.from(text, 'utf8');
    case 'utf-8-bom':
      return Buffer.from(`\uFEFF${text}`, 'utf8');
    case 'utf-16le':
      return Buffer.from(`\uFEFF${text}`, 'utf16le');
    case 'utf-16be':
      return Buffer.from(`\uFEFF${text}`, 'utf16le').swap16();
    case 'gb18030':
      // Without a Chinese character it is plain ASCII, and what it can't hold is saved otherwise.
      return (/[一-龥]/.test(text) ? gb18030(text) : undefined) ?? encoded(text, 'utf-8-bom');
  }
}

let pairs: Map<string, Buffer> | undefined;

/** By the decoder's own table: every pair of bytes, decoded once. */
function gb18030(text: string): Buffer | undefined {
  pairs ??= pairsOfBytes();
  const parts: Buffer[] = [];
  for (const character of text) {
    const pair = character < '\u0080' ? Buffer.from(character) : pairs.get(character);
    if (!pair) return undefined;
    parts.push(pair);
  }
  return Buffer.concat(parts);
}

function pairsOfBytes(): Map<string, Buffer> {
  const found = new Map<string, Buffer>();
  const decoder = new TextDecoder('gb18030');
  for (let first = 0x81; first <= 0xfe; first += 1) {
    for (let second = 0x40; second <= 0xfe; second += 1) {
      const pair = Buffer.from([first, second]);
      const text = decoder.decode(pair);
      if ([...text].length === 1 && text !== '\uFFFD') found.set(text, pair);
    }
  }
  return found;
}
