import { type FileHandle, open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';
import type { Message } from '../../errors/message.js';
import type { Fault } from '../../model/fault.js';
import type { Row } from '../../model/row.js';
import type { Status } from '../../model/status.js';
import { unpackWholeRow } from '../../source/rows/stored-row.js';
import {
  CELLS_END,
  CELLS_MAGIC,
  type CellsFacts,
  PAGE_ENTRY,
  PAGE_ROWS,
  type PackedResult,
  statusOf,
} from './format.js';

const inflate = promisify(inflateRaw);
/** Pages that are held inflated: a grid asks for the same ones again. */
const HELD = 12;

/** A row of a file of cells. */
export interface CellsRow {
  /** From 0, in the order of the file. */
  readonly index: number;
  /** As the sheet has it, without corrections. */
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

/** Reads a file of cells: pages, rows by their numbers, rows with problems. Memory holds a few pages of it. */
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

  /** undefined where there is none, or what is there is no such file: it is made again. */
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

  /** Some rows in the order of the file. */
  async slice(from: number, count: number): Promise<readonly CellsRow[]> {
    const rows: CellsRow[] = [];
    const end = Math.min(from + count, this.facts.rows);
    for (let index = Math.max(0, from); index < end; index += 1) rows.push(await this.#at(index));
    return rows;
  }

  /** The same among the rows that a person has to look at, or those of one kind of problem; none of a kind that isn't there. */
  async faulty(from: number, count: number, kind?: string): Promise<readonly CellsRow[]> {
    return this.at(await this.faultyPlaces(kind, from, count));
  }

  /** How many of them there are. */
  faultyCount(kind?: string): number {
    return this.#listOf(kind)?.rows ?? 0;
  }

  /** Their places in the file, ascending: all, or some of them. */
  async faultyPlaces(kind?: string, from = 0, count = Number.POSITIVE_INFINITY): Promise<Uint32Array> {
    const list = this.#listOf(kind);
    const first = Math.max(0, from);
    const end = Math.min(first + count, list?.rows ?? 0);
    if (!list || end <= first) return new Uint32Array();
    const bytes = await read(this.#handle, list.at + first * 4, (end - first) * 4);
    return Uint32Array.from({ length: end - first }, (_, at) => bytes.readUInt32LE(at * 4));
  }

  /** Rows by their places in the file. */
  async at(places: Iterable<number>): Promise<readonly CellsRow[]> {
    const rows: CellsRow[] = [];
    for (const it of places) rows.push(await this.#at(it));
    return rows;
  }

  /** The row of that number as Excel shows it; undefined for a blank one. */
  async row(number: number): Promise<CellsRow | undefined> {
    const index = await this.#indexOf(number);
    return index === undefined ? undefined : this.#at(index);
  }

  close(): Promise<void> {
    return this.#handle.close();
  }

  #listOf(kind: string | undefined) {
    return kind === undefined ? this.facts.faulty : this.facts.kinds.find((it) => it.id === kind);
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
      ...(code === undefined ? {} : { code }),
    };
  }

  #page(number: number): Promise<InflatedPage> {
    const held = this.#pages.get(number);
    if (held) {
      // The one that was used last goes last.
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

async function read(handle: FileHandle, at: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await handle.read(buffer, done, length - done, at + done);
    if (bytesRead === 0) throw new Error('a file of cells ends too early');
    done += bytesRead;
  }
  return buffer;
}
