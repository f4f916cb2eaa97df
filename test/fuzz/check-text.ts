import { readFile, writeFile } from 'node:fs/promises';
import type { Cell } from '../../src/model/row.js';
import { openSource } from '../../src/source/open-source.js';
import type { SourceOptions } from '../../src/source/source.js';
import type { Case } from './cases.js';
import {
  Complaint,
  compareReadings,
  type Open,
  type Reading,
  readFileFully,
  type SeenRow,
} from './reading.js';

/** Bytes that the reader takes from a file at a time. */
const CHUNK = 128 * 1024;
const FILLER = 30_000;
const NAMED = ['utf-8', 'utf-16le', 'gb18030', 'latin1', 'big5', 'windows-1252', 'shift_jis', 'gb2313'];

/**
 * Reads a mutated text table again, behind so much filling that a chunk ends within it, and by a parser of the
 * test's own; all must agree. Gives `rows` or the fault's code. @throws Complaint
 */
export async function checkText(it: Case, file: string, open: Open = openSource): Promise<string> {
  const { random } = it;
  const options: SourceOptions = random.chance(0.75)
    ? {}
    : { encoding: random.pick(NAMED), delimiter: random.pick(['auto', 'auto', ',', ';', '\t', '；']) };
  const first = await readFileFully(open, file, options);
  compareReadings(first, await readFileFully(open, file, options), 'read again');
  if (first.fault) return first.fault.detail.code;
  compareWithPlainParser(it.bytes, first);
  if (random.chance(0.25)) await compareBehindFilling(it, file, first, open);
  return 'rows';
}

async function compareBehindFilling(it: Case, file: string, first: Reading, open: Open): Promise<void> {
  const { random } = it;
  const encoding = first.encoding!;
  const bytes = await readFile(file);
  const bom = markLength(bytes, encoding);
  const width = encoding.startsWith('utf-16') ? 2 : 1;
  const before = Math.floor(Math.max(0, CHUNK - random.int(bytes.length + 1)) / width);
  const rows = Math.ceil(before / FILLER);
  const text = Array.from({ length: rows }, (_, at) => {
    const length = Math.min(FILLER, before - at * FILLER);
    return `${'x'.repeat(length - 1)}\n`;
  }).join('');
  const filling = width === 1 ? Buffer.from(text) : Buffer.from(text, 'utf16le');
  if (encoding === 'utf-16be') filling.swap16();
  const padded = file.replace(/(\.\w+)$/, '-padded$1');
  await writeFile(padded, Buffer.concat([bytes.subarray(0, bom), filling, bytes.subarray(bom)]));
  const second = await readFileFully(open, padded, { encoding, delimiter: first.delimiter! });
  const moved = second.rows.filter((row) => row.number > rows);
  const fault = second.fault ? { fault: second.fault } : {};
  const plain = (all: readonly SeenRow[], shift: number): SeenRow[] =>
    all.map((row) => ({ ...row, sheet: '', number: row.number - shift }));
  compareReadings(
    { rows: plain(first.rows, 0), numbers: [] },
    { rows: plain(moved, rows), numbers: [], ...fault },
    `read ${before} characters further down`,
  );
}

function markLength(bytes: Buffer, encoding: string): number {
  const marks: Readonly<Record<string, string>> = {
    'utf-8': 'efbbbf',
    'utf-16le': 'fffe',
    'utf-16be': 'feff',
    gb18030: '84319533',
  };
  const mark = marks[encoding];
  return mark !== undefined && bytes.toString('hex', 0, mark.length / 2) === mark ? mark.length / 2 : 0;
}

/** A text file has no result of a formula. */
const FORMULA = /^\s*=\s*\S/;

function compareWithPlainParser(bytes: Buffer, read: Reading): void {
  const decoder = new TextDecoder(read.encoding, { fatal: true });
  // Decoded at one go, some versions of Node take windows-1252 for Latin-1.
  const text = (decoder.decode(bytes, { stream: true }) + decoder.decode()).replace(/^\ufeff+/, '');
  const records = parsePlainly(withoutEndMark(text), read.delimiter!);
  if (!records) return;
  const wanted = records.flatMap((fields, index) => {
    const cells = fields.flatMap((text, column) =>
      text === '' ? [] : [`${column + 1} ${FORMULA.test(text) ? '' : text}`],
    );
    return cells.length > 0 ? [JSON.stringify([index + 1, ...cells])] : [];
  });
  const seen = read.rows.map((row) =>
    JSON.stringify([row.number, ...row.list.map((it) => `${it.column} ${withoutMarks(row, it)}`)]),
  );
  const at = wanted.findIndex((line, index) => line !== seen[index]);
  if (at < 0 && wanted.length === seen.length) return;
  const place = at < 0 ? wanted.length : at;
  throw new Complaint(
    `a plain parser reads ${wanted[place]?.slice(0, 200)}, not ${seen[place]?.slice(0, 200)}`,
  );
}

/** The text before the end mark of DOS, which only line ends and more end marks may follow. */
function withoutEndMark(text: string): string {
  let end = text.length;
  while (end > 0 && '\r\n\u001a'.includes(text[end - 1]!)) end -= 1;
  const mark = text.indexOf('\u001a', end);
  return mark === -1 ? text : text.slice(0, mark);
}

/** A second byte order mark may count as text or not. */
function withoutMarks(row: SeenRow, cell: Cell): string {
  return row.number === 1 && cell.column === 1 ? cell.text.replace(/^\ufeff+/, '') : cell.text;
}

/** Records of a text whose quotes are all as they should be; undefined where one isn't. */
export function parsePlainly(text: string, delimiter: string): readonly (readonly string[])[] | undefined {
  const records: string[][] = [];
  let fields: string[] = [];
  let at = 0;
  while (at < text.length) {
    let field = '';
    if (text[at] === '"') {
      for (at += 1; ; at += 1) {
        if (at >= text.length) return undefined;
        if (text[at] !== '"') field += text[at];
        else if (text[at + 1] === '"') {
          field += '"';
          at += 1;
        } else break;
      }
      at += 1;
      if (at < text.length && !text.startsWith(delimiter, at) && text[at] !== '\n' && text[at] !== '\r')
        return undefined;
    } else {
      while (at < text.length && !text.startsWith(delimiter, at) && text[at] !== '\n' && text[at] !== '\r') {
        if (text[at] === '"') return undefined;
        field += text[at];
        at += 1;
      }
    }
    fields.push(field);
    if (at < text.length && text.startsWith(delimiter, at)) {
      at += delimiter.length;
      if (at < text.length) continue;
      fields.push('');
    } else if (at < text.length) {
      at += text.startsWith('\r\n', at) ? 2 : 1;
    }
    records.push(fields);
    fields = [];
  }
  return records;
}
