import { createHash } from 'node:crypto';
import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { InputStore } from '../../ledger/contract/inputs.js';
import { AUTHORS_NAME, OVERLAY_NAME } from '../../ledger/inputs.js';
import type { CorrectedBy, Correction, KeptCorrections } from '../../model/correction.js';
import { cellAddress } from '../../util/address.js';

/** Past so many corrected cells a person is better off with the sheet itself; an overlay is held in memory. */
export const MOST_CORRECTIONS = 100_000;

const CELL_CHARACTERS = 32_767;

/** Whether a workbook's cell can hold the text: no control characters but tabs and line ends, no halves of characters. */
function isWritable(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return !/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/.test(text) && !/[\ud800-\udfff]/u.test(text);
}

/** Corrections of a sheet's cells, each cell once, in one canonical form. */
export class Overlay {
  static readonly NONE = new Overlay([]);
  /** By row, by column. */
  readonly cells: readonly Correction[];
  readonly #rows = new Map<number, Map<number, Correction>>();
  #sha256: string | undefined;

  private constructor(cells: readonly Correction[]) {
    this.cells = cells;
    for (const it of cells) {
      const row = this.#rows.get(it.row);
      if (row) row.set(it.column, it);
      else this.#rows.set(it.row, new Map([[it.column, it]]));
    }
  }

  /**
   * @param corrections of one cell the last holds
   * @throws ProductError usage for more cells than an overlay may have, and for text that no cell can hold
   */
  static of(corrections: Iterable<Correction>): Overlay {
    const last = new Map<string, Correction>();
    for (const { row, column, header, text } of corrections) {
      if (text.length > CELL_CHARACTERS || !isWritable(text)) {
        const params = { cell: cellAddress(column, row), most: CELL_CHARACTERS };
        throw new ProductError('usage', message('corrections.unwritable', params));
      }
      last.set(`${row} ${column}`, { row, column, header, text });
    }
    if (last.size > MOST_CORRECTIONS) {
      const params = { cells: last.size, most: MOST_CORRECTIONS };
      throw new ProductError('usage', message('corrections.too_many', params));
    }
    return new Overlay([...last.values()].sort((a, b) => a.row - b.row || a.column - b.column));
  }

  get size(): number {
    return this.cells.length;
  }

  /** The corrected cells of a row, by column; undefined where it has none. */
  row(number: number): ReadonlyMap<number, Correction> | undefined {
    return this.#rows.get(number);
  }

  /** Rows with corrected cells, ascending. */
  rows(): IterableIterator<number> {
    return this.#rows.keys();
  }

  /** Of the canonical form; hex. */
  get sha256(): string {
    this.#sha256 ??= createHash('sha256').update(this.canonical()).digest('hex');
    return this.#sha256;
  }

  /** JSON, the same bytes for the same corrections. */
  canonical(): string {
    return JSON.stringify(this.cells.map(({ row, column, header, text }) => [row, column, header, text]));
  }
}

/** Who corrected a cell, by row and column. */
export type Authors = (row: number, column: number) => CorrectedBy | undefined;

/** Keeps an overlay in the ledger, as a run is to be planned with it; undefined where nothing is corrected. */
export async function keepCorrections(
  inputs: Pick<InputStore, 'put'>,
  overlay: Overlay,
  authors: Authors,
): Promise<KeptCorrections | undefined> {
  if (overlay.size === 0) return undefined;
  const by = overlay.cells.map(({ row, column }) => {
    const { who, at } = authors(row, column) ?? {};
    return [row, column, who ?? '', at ?? 0];
  });
  const kept = await inputs.put(OVERLAY_NAME, bytesOf(overlay.canonical()));
  const told = await inputs.put(AUTHORS_NAME, bytesOf(JSON.stringify(by)));
  return { sha256: kept.sha256, cells: overlay.size, authors: told.sha256 };
}

/** @throws ProductError internal where it is gone or was altered: rows must not be read without it */
export async function keptOverlay(inputs: InputStore, kept: KeptCorrections): Promise<Overlay> {
  const lines = await keptLines<[number, number, string, string]>(inputs, OVERLAY_NAME, kept.sha256);
  return Overlay.of(lines.map(([row, column, header, text]) => ({ row, column, header, text })));
}

/** @throws ProductError internal where it is gone or was altered */
export async function keptAuthors(inputs: InputStore, kept: KeptCorrections): Promise<Authors> {
  const lines = await keptLines<[number, number, string, number]>(inputs, AUTHORS_NAME, kept.authors);
  const by = new Map(lines.map(([row, column, who, at]) => [`${row} ${column}`, { who, at }]));
  return (row, column) => by.get(`${row} ${column}`);
}

/** All who corrected a cell of it. */
export async function keptCorrectors(
  inputs: InputStore,
  kept: KeptCorrections,
): Promise<ReadonlySet<string>> {
  const lines = await keptLines<[number, number, string, number]>(inputs, AUTHORS_NAME, kept.authors);
  return new Set(lines.map(([, , who]) => who));
}

async function keptLines<T>(inputs: InputStore, name: string, sha256: string): Promise<readonly T[]> {
  const hash = createHash('sha256');
  const pieces: Uint8Array[] = [];
  try {
    for await (const piece of inputs.bytes({ sha256, name })) {
      hash.update(piece);
      pieces.push(piece);
    }
    if (hash.digest('hex') === sha256) return JSON.parse(Buffer.concat(pieces).toString('utf8')) as T[];
  } catch (error) {
    const params = { file: inputs.place({ sha256, name }) };
    throw new ProductError('internal', message('corrections.gone', params), { cause: error });
  }
  throw new ProductError('internal', message('corrections.gone', { file: inputs.place({ sha256, name }) }));
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
