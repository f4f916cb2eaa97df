import { type FileHandle, open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';
import type { Message } from '../../errors/message.js';
import type { Fault, Row } from '../../model/row.js';
import { STATUSES, type Status } from '../../model/status.js';
import { unpackWholeRow } from '../../source/stored-row.js';

/**
 * Rows of a run in a separate file, `.cells`, next to the ledger. Reads any page of a million rows within milliseconds.
 * It can be rebuilt from the ledger and the stored input at any time, and is deleted when space is short.
 *
 * Layout: pages of rows, each deflated separately; a table of pages; lists of rows by kind of problem, 4 bytes per row;
 * facts as JSON; a footer of fixed length with the positions of these. All numbers are little-endian.
 */
export const CELLS_MAGIC = Buffer.from('LSCELLS2');
export const CELLS_END = 8 + 4 + CELLS_MAGIC.length;
export const PAGE_ROWS = 128;

/** Entry of the page table: position (float64), bytes, number of the first row. */
export const PAGE_ENTRY = 8 + 4 + 4;

/** One kind of problem of the rows of a run. */
export interface CellsKind {
  /** Equal for the same kind in every check of a sheet. */
  readonly id: string;
  readonly status: Status;
  readonly code?: string;
  readonly field?: string;
  /** The message of all rows, without the values that differ. */
  readonly text: Message | string;
  /** Number of errors, or of rows if the row as a whole has the problem. */
  readonly count: number;
  readonly rows: number;
  /** The first occurrence: its row, and for a cell its column and sheet. */
  readonly first: { readonly row: number; readonly column?: number; readonly sheet?: string };
  /** Position of the list of its rows. */
  readonly at: number;
}

export interface CellsHeader {
  readonly column: number;
  readonly text: string;
}

export interface CellsFacts {
  readonly run: string;
  readonly sheet: string;
  readonly headerRow: number;
  readonly headers: readonly CellsHeader[];
  readonly rows: number;
  /** Number of the last row, or of the header if there is none. */
  readonly last: number;
  readonly counts: Readonly<Partial<Record<Status, number>>>;
  /** The list of rows that a user has to look at. */
  readonly invalid: { readonly rows: number; readonly at: number };
  /** The most frequent first. */
  readonly kinds: readonly CellsKind[];
  readonly pages: { readonly count: number; readonly at: number };
}

/** The outcome of a row, with statuses as numbers. A row without problems is only a number. */
export type PackedResult =
  | number
  | readonly [
      status: number,
      faults: readonly Fault[],
      messages: readonly (Message | string)[],
      code?: string,
    ];

export function statusNumber(status: Status): number {
  return STATUSES.indexOf(status);
}

export function statusOf(packed: PackedResult): Status {
  return STATUSES[typeof packed === 'number' ? packed : packed[0]]!;
}

const inflate = promisify(inflateRaw);
/** Number of inflated pages in memory, because a grid requests the same ones again. */
const HELD = 12;

/** A row of a file of cells. */
export interface CellsRow {
  /** From 0, in the order of the file. */
  readonly index: number;
  /** As in the sheet, without corrections. */
  readonly row: Row;
  readonly status: Status;
  readonly faults: readonly Fault[];
  readonly messages: readonly (Message | string)[];
  readonly code?: string;
}

interface InflatedPage {
  readonly numbers: readonly number[];
  readonly lines: readonly string[];
}

/** Reads a `.cells` file: pages, rows by number, rows with problems. Only a few pages are in memory. */
export class CellsFile {
  readonly facts: CellsFacts;
  readonly #handle: FileHandle;
  readonly #table: Buffer;
  readonly #pages = new Map<number, Promise<InflatedPage>>();

  private constructor(handle: FileHandle, facts: CellsFacts, table: Buffer) {
    this.#handle = handle;
    this.facts = facts;
    this.#table = table;
  }

  /** Undefined if the file is missing or invalid; it is then rebuilt. */
  static async open(file: string): Promise<CellsFile | undefined> {
    const handle = await open(file, 'r').catch(() => undefined);
    if (!handle) return undefined;
    try {
      const { size } = await handle.stat();
      const end = await read(handle, Math.max(0, size - CELLS_END), CELLS_END);
      if (!end.subarray(12).equals(CELLS_MAGIC)) throw new Error('no file of cells');
      const text = await read(handle, end.readDoubleLE(0), end.readUInt32LE(8));
      const facts = JSON.parse(text.toString('utf8')) as CellsFacts;
      const table = await read(handle, facts.pages.at, facts.pages.count * PAGE_ENTRY);
      return new CellsFile(handle, facts, table);
    } catch {
      await handle.close();
      return undefined;
    }
  }

  async slice(from: number, count: number): Promise<readonly CellsRow[]> {
    const rows: CellsRow[] = [];
    const end = Math.min(from + count, this.facts.rows);
    for (let index = Math.max(0, from); index < end; index += 1) rows.push(await this.#at(index));
    return rows;
  }

  /** Rows that a user has to look at, or those of one kind of problem; empty for an unknown kind. */
  async invalidRows(from: number, count: number, kind?: string): Promise<readonly CellsRow[]> {
    return this.at(await this.invalidPlaces(kind, from, count));
  }

  /** Their number. */
  invalidCount(kind?: string): number {
    return this.#listOf(kind)?.rows ?? 0;
  }

  /** Their positions in the file, ascending: all, or some of them. */
  async invalidPlaces(kind?: string, from = 0, count = Number.POSITIVE_INFINITY): Promise<Uint32Array> {
    const list = this.#listOf(kind);
    const first = Math.max(0, from);
    const end = Math.min(first + count, list?.rows ?? 0);
    if (!list || end <= first) return new Uint32Array();
    const bytes = await read(this.#handle, list.at + first * 4, (end - first) * 4);
    return Uint32Array.from({ length: end - first }, (_, index) => bytes.readUInt32LE(index * 4));
  }

  /** Rows by their positions in the file. */
  async at(places: Iterable<number>): Promise<readonly CellsRow[]> {
    const rows: CellsRow[] = [];
    for (const place of places) rows.push(await this.#at(place));
    return rows;
  }

  /** All rows, or those at these positions, in the order of the file. The pages in memory stay. */
  async *scan(places?: Uint32Array): AsyncGenerator<Pick<CellsRow, 'index' | 'row'>> {
    const count = places?.length ?? this.facts.rows;
    let page: { readonly number: number; readonly lines: readonly string[] } | undefined;
    for (let at = 0; at < count; at += 1) {
      const index = places?.[at] ?? at;
      const number = Math.floor(index / PAGE_ROWS);
      if (page?.number !== number) page = { number, ...(await this.#readPage(number)) };
      yield { index, row: unpackWholeRow(page.lines[(index % PAGE_ROWS) * 2]!) };
    }
  }

  /** The row with that number in the sheet; undefined for a blank row. */
  async row(number: number): Promise<CellsRow | undefined> {
    const index = await this.#indexOf(number);
    return index === undefined ? undefined : this.#at(index);
  }

  close(): Promise<void> {
    return this.#handle.close();
  }

  #listOf(kind: string | undefined) {
    return kind === undefined ? this.facts.invalid : this.facts.kinds.find((entry) => entry.id === kind);
  }

  async #indexOf(number: number): Promise<number | undefined> {
    let low = 0;
    let high = this.facts.pages.count - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#table.readUInt32LE(middle * PAGE_ENTRY + 12) <= number) low = middle;
      else high = middle - 1;
    }
    if (this.facts.pages.count === 0) return undefined;
    const within = (await this.#page(low)).numbers.indexOf(number);
    return within < 0 ? undefined : low * PAGE_ROWS + within;
  }

  async #at(index: number): Promise<CellsRow> {
    const { lines } = await this.#page(Math.floor(index / PAGE_ROWS));
    const within = index % PAGE_ROWS;
    const packed = JSON.parse(lines[within * 2 + 1]!) as PackedResult;
    const [, faults, messages, code] = typeof packed === 'number' ? [packed, [], []] : packed;
    return {
      index,
      row: unpackWholeRow(lines[within * 2]!),
      status: statusOf(packed),
      faults,
      messages,
      code,
    };
  }

  #page(number: number): Promise<InflatedPage> {
    const held = this.#pages.get(number);
    if (held) {
      // Moves the page to the end: the map is ordered by last use.
      this.#pages.delete(number);
      this.#pages.set(number, held);
      return held;
    }
    const page = this.#readPage(number);
    page.catch(() => this.#pages.delete(number));
    this.#pages.set(number, page);
    if (this.#pages.size > HELD) this.#pages.delete(this.#pages.keys().next().value!);
    return page;
  }

  async #readPage(number: number): Promise<InflatedPage> {
    const entry = number * PAGE_ENTRY;
    const bytes = await read(
      this.#handle,
      this.#table.readDoubleLE(entry),
      this.#table.readUInt32LE(entry + 8),
    );
    const [numbers = '[]', ...lines] = (await inflate(bytes)).toString('utf8').split('\n');
    return { numbers: JSON.parse(numbers) as number[], lines };
  }
}

async function read(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await handle.read(buffer, done, length - done, position + done);
    if (bytesRead === 0) throw new Error('a file of cells ends too early');
    done += bytesRead;
  }
  return buffer;
}
