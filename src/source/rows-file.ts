import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { Cell, Row } from '../model/row.js';
import { writeAtomically } from '../util/atomic-file.js';
import { write } from '../util/streams.js';
import { readBytes } from './csv/file-text.js';
import type { SheetInfo, Source } from './source.js';
import { packRow, StoredColumns, type StoredRow, unpackRow } from './stored-row.js';

/**
 * Rows stored by this program, `.rows`: lines of JSON. The first line names the format, then come the header row and
 * the data rows as `packRow` writes them. The last line has the number of rows and the digest of all lines before it. A
 * file without it was truncated or altered.
 */
const FORMAT = 'license-sync-rows';
const VERSION = 1;

interface FirstLine {
  readonly format: typeof FORMAT;
  readonly version: typeof VERSION;
  readonly sheet: string;
  /** Row number of the header, which is the first row of the file. */
  readonly headerRow: number;
}

interface LastLine {
  /** Number of rows, including the header. */
  readonly end: number;
  /** Digest of every byte before this line, hex. */
  readonly sha256: string;
}

interface RowsTable {
  readonly sheet: string;
  readonly headerRow: number;
  /** Columns to store, 1-based, with their header texts. */
  readonly headers: readonly { readonly column: number; readonly text: string }[];
  /** Rows in ascending order, after the header row, page by page. */
  readonly rows: AsyncIterable<readonly Row[]>;
}

const BUFFER_CHARACTERS = 256 * 1024;

/**
 * Writes a file of stored rows with mode 0600, durably, completely or not at all. Only cells under the headers are
 * stored.
 * @throws the error of the file system
 */
export async function writeRows(file: string, table: RowsTable): Promise<void> {
  const { sheet, headerRow, headers, rows } = table;
  const columns = new Set(headers.map(({ column }) => column));
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const written = await writeAtomically(
    file,
    async (sink) => {
      const hash = createHash('sha256');
      const first: FirstLine = { format: FORMAT, version: VERSION, sheet, headerRow };
      const head = headers.map(({ column, text }): Cell => ({ column, kind: 'text', text, raw: text }));
      let lines = `${JSON.stringify(first)}\n${packRow({ sheet, number: headerRow, hidden: false, cells: () => head })}\n`;
      let count = 1;
      let last = headerRow;
      const flush = async (): Promise<void> => {
        const bytes = Buffer.from(lines);
        lines = '';
        hash.update(bytes);
        await write(sink, bytes);
      };
      for await (const page of rows) {
        for (const row of page) {
          const { number, hidden, excluded } = row;
          if (number <= last) throw new Error(`row ${number} after row ${last}`);
          const cells = row.cells().filter(({ column }) => columns.has(column));
          lines += `${packRow({ sheet: row.sheet, number, hidden, excluded, cells: () => cells })}\n`;
          last = number;
          count += 1;
          if (lines.length > BUFFER_CHARACTERS) await flush();
        }
      }
      await flush();
      const end: LastLine = { end: count, sha256: hash.digest('hex') };
      await write(sink, `${JSON.stringify(end)}\n`);
    },
    undefined,
    0o600,
  );
  if (written !== file) throw new Error(`${file} could not be replaced`);
}

/**
 * Opens a file of stored rows. Only its last line proves that it is complete, so this is checked only for a caller that
 * reads to the end.
 * @throws ProductError input for another format, a later version, or a missing header
 */
export async function openRows(file: string): Promise<Source> {
  const first = await readFirstLine(file);
  const sheet: SheetInfo = { name: first.sheet, position: 1, visibility: 'visible' };
  return {
    isWorkbook: false,
    sheets: [sheet],
    headerRow: first.headerRow,
    warnings: [],
    rows: () => readRows(file, first),
    close: async () => {},
  };
}

async function readFirstLine(file: string): Promise<FirstLine> {
  const first = parsed((await firstText(file)) ?? '');
  if (first?.format !== FORMAT) throw new ProductError('input', message('source.rows_foreign', { file }));
  if (first.version !== VERSION) {
    const params = { file, version: String(first.version), known: VERSION };
    throw new ProductError('input', message('source.rows_version', params));
  }
  const { sheet, headerRow } = first;
  if (typeof sheet !== 'string' || !Number.isSafeInteger(headerRow)) throw damaged(file, 1);
  return first as unknown as FirstLine;
}

async function firstText(file: string): Promise<string | undefined> {
  for await (const [line] of linesOf(file)) if (line) return line.text;
  return undefined;
}

async function* readRows(file: string, first: FirstLine): AsyncGenerator<readonly Row[]> {
  const hash = createHash('sha256');
  let columns: StoredColumns | undefined;
  let number = 0;
  let last = 0;
  let count = 0;
  let isComplete = false;
  for await (const lines of linesOf(file)) {
    const page: Row[] = [];
    for (const line of lines) {
      number += 1;
      if (isComplete) throw damaged(file, number);
      const end = number > 1 ? lastLine(line.text) : undefined;
      if (end) {
        if (end.end !== count || end.sha256 !== hash.digest('hex')) throw damaged(file, number);
        isComplete = true;
        continue;
      }
      hash.update(line.bytes).update('\n');
      if (number === 1) continue;
      let row: StoredRow;
      try {
        columns ??= headerColumns(line.text);
        row = unpackRow(columns, line.text);
      } catch {
        throw damaged(file, number);
      }
      if (row.number <= last || (count === 0 && row.number !== first.headerRow)) throw damaged(file, number);
      last = row.number;
      count += 1;
      page.push(row);
    }
    if (page.length > 0) yield page;
  }
  if (!isComplete) throw damaged(file, number + 1);
}

function headerColumns(text: string): StoredColumns {
  const [, , , cells] = JSON.parse(text) as [string, number, boolean, [number][]];
  return new StoredColumns(cells.map(([column]) => column));
}

interface Line {
  readonly text: string;
  /** Without its line end. */
  readonly bytes: Uint8Array;
}

/** A longer line cannot be a stored row. */
const LINE_BYTES = 64 * 1024 * 1024;
const LINE_FEED = 0x0a;

/** The lines of a file, chunk by chunk. @throws ProductError input for a last line without an end */
async function* linesOf(file: string): AsyncGenerator<readonly Line[]> {
  let rest: Buffer[] = [];
  let restLength = 0;
  let number = 0;
  for await (const chunk of readBytes(file)) {
    const lines: Line[] = [];
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      const part = chunk.subarray(start, end);
      const bytes = rest.length > 0 ? Buffer.concat([...rest, part]) : part;
      lines.push({ text: bytes.toString('utf8'), bytes });
      rest = [];
      restLength = 0;
      number += 1;
      start = end + 1;
    }
    if (start < chunk.length) {
      rest.push(chunk.subarray(start));
      restLength += chunk.length - start;
      if (restLength > LINE_BYTES) throw damaged(file, number + 1);
    }
    if (lines.length > 0) yield lines;
  }
  if (restLength > 0) throw damaged(file, number + 1);
}

function lastLine(text: string): LastLine | undefined {
  if (!text.startsWith('{')) return undefined;
  const end = parsed(text);
  return typeof end?.end === 'number' && typeof end.sha256 === 'string'
    ? (end as unknown as LastLine)
    : undefined;
}

/** The error for an unreadable line. If it is the first, the file has another format. */
function damaged(file: string, line: number): ProductError {
  if (line === 1) return new ProductError('input', message('source.rows_foreign', { file }));
  return new ProductError('input', message('source.rows_damaged', { file, line }));
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
