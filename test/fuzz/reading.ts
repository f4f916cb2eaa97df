import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { ProductError } from '../../src/errors/product-error.js';
import type { Cell, Row } from '../../src/model/row.js';
import type { FileSource, SourceOptions } from '../../src/source/source.js';
import type { Random } from './random.js';

export type Open = (file: string, options: SourceOptions) => Promise<FileSource>;

export type SeenRow = Pick<Row, 'sheet' | 'number' | 'hidden'> & { readonly list: readonly Cell[] };

/** All that a file gave, sheet by sheet, up to its end or to the fault that ended it. */
export interface Reading {
  readonly rows: readonly SeenRow[];
  /** Row numbers by sheet, in order of reading. */
  readonly numbers: readonly (readonly number[])[];
  readonly fault?: ProductError;
  /** Text files: what was found. */
  readonly encoding?: string;
  readonly delimiter?: string;
}

/** A mutated workbook may name one sheet a thousand times. */
export const SHEETS_READ = 4;

/** Something that the reader did and must not do. */
export class Complaint extends Error {}

/** Reads all rows with all cells; anything thrown but an error of the file is thrown on. */
export async function readFileFully(open: Open, file: string, options: SourceOptions): Promise<Reading> {
  const gathered = new Gathered();
  let source: FileSource | undefined;
  try {
    source = await open(file, options);
    for (const sheet of source.sheets.slice(0, SHEETS_READ)) {
      gathered.beginSheet();
      for await (const rows of source.rows(sheet)) gathered.add(rows);
    }
  } catch (error) {
    gathered.fault = faultOf(error, file);
  } finally {
    await source?.close();
  }
  const { encoding, delimiter } = source ?? {};
  return gathered.reading({ ...(encoding ? { encoding } : {}), ...(delimiter ? { delimiter } : {}) });
}

export class Gathered {
  readonly rows: SeenRow[] = [];
  readonly numbers: number[][] = [];
  fault: ProductError | undefined;

  beginSheet(): void {
    this.numbers.push([]);
  }

  add(rows: readonly Row[]): void {
    if (rows.length === 0) throw new Complaint('an empty chunk of rows');
    const seen = this.numbers.at(-1)!;
    for (const row of rows) {
      if (row.number <= (seen.at(-1) ?? 0)) {
        throw new Complaint(`row ${row.number} after row ${seen.at(-1)}`);
      }
      seen.push(row.number);
      this.rows.push(checked(row));
    }
  }

  reading(found: Pick<Reading, 'encoding' | 'delimiter'> = {}): Reading {
    const { rows, numbers, fault } = this;
    return { rows, numbers, ...found, ...(fault ? { fault } : {}) };
  }
}

function checked(row: Row): SeenRow {
  const { sheet, number, hidden } = row;
  const list = row.cells();
  if (list.length === 0) throw new Complaint(`row ${number} without a cell`);
  let before = 0;
  for (const cell of list) {
    if (cell.column <= before)
      throw new Complaint(`row ${number}: column ${cell.column} after column ${before}`);
    before = cell.column;
  }
  const last = list.at(-1);
  if (!isDeepStrictEqual(row.cell(before), last))
    throw new Complaint(`row ${number}: column ${before} differs when asked for alone`);
  return { sheet, number, hidden, list };
}

/** The fault if it is one of the file, reported in words that name it; anything else is thrown on. */
export function faultOf(error: unknown, file: string): ProductError {
  if (!(error instanceof ProductError)) throw error;
  if (error.kind !== 'input' && error.kind !== 'usage') throw error;
  if (!error.message.includes(path.basename(file))) {
    throw new Complaint(`a message that names no file: ${error.message}`);
  }
  return error;
}

/** Two readings of one file must agree; where both ended in an error, as far as both came. */
export function compareReadings(first: Reading, second: Reading, what: string): void {
  const [a, b] = [first.fault?.detail.code, second.fault?.detail.code];
  if ((a === undefined) !== (b === undefined)) {
    throw new Complaint(`${what}: ${a ?? 'rows'} at first, then ${b ?? 'rows'}`);
  }
  const [more, fewer] = [first.rows, second.rows].sort((x, y) => y.length - x.length) as [
    SeenRow[],
    SeenRow[],
  ];
  if (a === undefined && more.length !== fewer.length) {
    throw new Complaint(`${what}: ${first.rows.length} rows at first, then ${second.rows.length}`);
  }
  const at = fewer.findIndex((row, index) => JSON.stringify(row) !== JSON.stringify(more[index]));
  if (at >= 0)
    throw new Complaint(`${what}: ${shown(first.rows[at])} at first, then ${shown(second.rows[at])}`);
}

function shown(row: SeenRow | undefined): string {
  return JSON.stringify(row).slice(0, 400);
}

/** Pieces of other sizes, small ones first; not so many that a large part takes long. */
export async function* inPieces(chunks: AsyncIterable<Buffer>, random: Random): AsyncGenerator<Buffer> {
  const small = random.pick([1, 2, 3, 8, 50, 700]);
  let count = 0;
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; ) {
      const size = (count < 1500 ? 1 + random.int(small) : 1 + random.int(9000)) | 0;
      yield chunk.subarray(at, at + size);
      at += size;
      count += 1;
    }
  }
}
