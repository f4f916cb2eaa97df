import { createHash } from 'node:crypto';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Cell } from '../../model/cell.js';
import type { Row } from '../../model/row.js';
import { syncFolder } from '../../util/atomic-file.js';
import { removeLeftTemporaries, temporaryPath } from '../../util/temporary-file.js';
import { ROWS_FORMAT, ROWS_VERSION, type RowsEnd, type RowsHead } from './format.js';
import { packRow } from './stored-row.js';

/** The table that a file of stored rows holds. */
interface RowsTable {
  readonly sheet: string;
  readonly headerRow: number;
  /** Columns to store, 1-based, with their header texts. */
  readonly headers: readonly { readonly column: number; readonly text: string }[];
}

const BUFFER_CHARACTERS = 256 * 1024;

/**
 * Writes a file of stored rows, completely or not at all: it has a temporary name until `close`. Its mode is 0600. Only
 * cells under the headers are stored. Rows come in ascending order, after the header row.
 */
export class RowsWriter {
  readonly #file: string;
  readonly #temporary: string;
  readonly #handle: FileHandle;
  readonly #columns: ReadonlySet<number>;
  readonly #hash = createHash('sha256');
  #lines: string[] = [];
  #length = 0;
  #rows = 0;
  #last = 0;

  private constructor(file: string, temporary: string, handle: FileHandle, table: RowsTable) {
    this.#file = file;
    this.#temporary = temporary;
    this.#handle = handle;
    this.#columns = new Set(table.headers.map(({ column }) => column));
  }

  /** @throws what the file system says */
  static async open(file: string, table: RowsTable): Promise<RowsWriter> {
    const folder = path.dirname(file);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await removeLeftTemporaries(folder);
    const temporary = temporaryPath(folder);
    const writer = new RowsWriter(file, temporary, await open(temporary, 'wx', 0o600), table);
    const { sheet, headerRow } = table;
    const head: RowsHead = { format: ROWS_FORMAT, version: ROWS_VERSION, sheet, headerRow };
    writer.#line(JSON.stringify(head));
    writer.#row(headerOf(table));
    return writer;
  }

  /** @throws what the file system says; the writer is then to be discarded */
  async add(row: Row): Promise<void> {
    const { sheet, number, hidden } = row;
    const cells = row.cells().filter(({ column }) => this.#columns.has(column));
    this.#row({ sheet, number, hidden, cells: () => cells });
    if (this.#length > BUFFER_CHARACTERS) await this.#flush();
  }

  /** Makes the file, durably. @throws what the file system says; nothing is left behind then */
  async close(): Promise<void> {
    try {
      await this.#flush();
      const end: RowsEnd = { end: this.#rows, sha256: this.#hash.digest('hex') };
      await this.#handle.writeFile(`${JSON.stringify(end)}\n`);
      await this.#handle.sync();
      await this.#handle.close();
      await rename(this.#temporary, this.#file);
    } catch (error) {
      await this.discard();
      throw error;
    }
    await syncFolder(path.dirname(this.#file));
  }

  /** Removes the temporary file; harmless if it is gone. */
  async discard(): Promise<void> {
    await this.#handle.close().catch(() => {});
    await rm(this.#temporary, { force: true });
  }

  #row(row: Omit<Row, 'cell'>): void {
    if (row.number <= this.#last) throw new Error(`row ${row.number} after row ${this.#last}`);
    this.#last = row.number;
    this.#rows += 1;
    this.#line(packRow(row));
  }

  #line(text: string): void {
    this.#lines.push(text, '\n');
    this.#length += text.length + 1;
  }

  async #flush(): Promise<void> {
    const bytes = Buffer.from(this.#lines.join(''));
    this.#lines = [];
    this.#length = 0;
    this.#hash.update(bytes);
    await this.#handle.writeFile(bytes);
  }
}

function headerOf({ sheet, headerRow, headers }: RowsTable): Omit<Row, 'cell'> {
  const cells = headers.map(({ column, text }): Cell => {
    return { column, kind: 'text', text, raw: text };
  });
  return { sheet, number: headerRow, hidden: false, cells: () => cells };
}

/** Writes rows page by page to a file of stored rows, durably; see `RowsWriter`. @throws what the file system says */
export async function writeRows(
  file: string,
  table: RowsTable & { readonly rows: AsyncIterable<readonly Row[]> },
): Promise<void> {
  const writer = await RowsWriter.open(file, table);
  try {
    for await (const page of table.rows) for (const row of page) await writer.add(row);
  } catch (error) {
    await writer.discard();
    throw error;
  }
  await writer.close();
}
