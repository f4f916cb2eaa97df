import { createHash } from 'node:crypto';
import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { InputStore } from '../../ledger/contract/inputs.js';
import { AUTHORS_NAME, OVERLAY_NAME } from '../../ledger/inputs.js';
import type { CorrectedBy, Correction, KeptCorrections } from '../../model/row.js';
import { cellAddress } from '../../util/spreadsheet-text.js';

/** Limit of corrected cells, because an overlay is in memory. With more cells, edit the sheet itself. */
export const MOST_CORRECTIONS = 100_000;

const CELL_CHARACTERS = 32_767;

/** The column of a correction that excludes the whole row, or includes it again. */
export const WHOLE_ROW = 0;
export const EXCLUDE = 'exclude';
export const INCLUDE = 'include';

/** Whether a workbook's cell can contain the text: no control characters but tabs and line ends, no lone surrogates. */
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
    for (const correction of cells) {
      const row = this.#rows.get(correction.row);
      if (row) row.set(correction.column, correction);
      else this.#rows.set(correction.row, new Map([[correction.column, correction]]));
    }
  }

  /**
   * @param corrections for one cell the last applies
   * @throws ProductError usage for more cells than an overlay may have, and for text that a cell cannot contain
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

  /** The corrected cells of a row, by column; undefined if it has none. */
  row(number: number): ReadonlyMap<number, Correction> | undefined {
    return this.#rows.get(number);
  }

  isExcluded(row: number): boolean {
    return this.row(row)?.get(WHOLE_ROW)?.text === EXCLUDE;
  }

  /** Rows with corrected cells, ascending. */
  rows(): IterableIterator<number> {
    return this.#rows.keys();
  }

  /** SHA-256 of the canonical form; hex. */
  get sha256(): string {
    this.#sha256 ??= createHash('sha256').update(this.canonical()).digest('hex');
    return this.#sha256;
  }

  /** JSON, with the same bytes for the same corrections. */
  canonical(): string {
    return JSON.stringify(this.cells.map(({ row, column, header, text }) => [row, column, header, text]));
  }
}

export type Authors = (row: number, column: number) => CorrectedBy | undefined;

/** Stores an overlay in the ledger, for a run to be planned with it; undefined if nothing is corrected. */
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
  const stored = await inputs.put(OVERLAY_NAME, bytesOf(overlay.canonical()));
  const authorFile = await inputs.put(AUTHORS_NAME, bytesOf(JSON.stringify(by)));
  const cells = overlay.cells.filter(({ column }) => column !== WHOLE_ROW).length;
  return { sha256: stored.sha256, cells, authors: authorFile.sha256 };
}

/** @throws ProductError internal if it is missing or was altered: rows must not be read without it */
export async function keptOverlay(inputs: InputStore, kept: KeptCorrections): Promise<Overlay> {
  const lines = await storedLines<[number, number, string, string]>(inputs, OVERLAY_NAME, kept.sha256);
  return Overlay.of(lines.map(([row, column, header, text]) => ({ row, column, header, text })));
}

/** @throws ProductError internal if it is missing or was altered */
export async function keptAuthors(inputs: InputStore, kept: KeptCorrections): Promise<Authors> {
  const lines = await storedLines<[number, number, string, number]>(inputs, AUTHORS_NAME, kept.authors);
  const by = new Map(lines.map(([row, column, who, at]) => [`${row} ${column}`, { who, at }]));
  return (row, column) => by.get(`${row} ${column}`);
}

/** All authors of its corrections. */
export async function keptCorrectors(
  inputs: InputStore,
  kept: KeptCorrections,
): Promise<ReadonlySet<string>> {
  const lines = await storedLines<[number, number, string, number]>(inputs, AUTHORS_NAME, kept.authors);
  return new Set(lines.map(([, , who]) => who));
}

async function storedLines<T>(inputs: InputStore, name: string, sha256: string): Promise<readonly T[]> {
  const hash = createHash('sha256');
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of inputs.bytes({ sha256, name })) {
      hash.update(chunk);
      chunks.push(chunk);
    }
    if (hash.digest('hex') === sha256) return JSON.parse(Buffer.concat(chunks).toString('utf8')) as T[];
  } catch (error) {
    const params = { file: inputs.place({ sha256, name }) };
    throw new ProductError('internal', message('corrections.gone', params), { cause: error });
  }
  throw new ProductError('internal', message('corrections.gone', { file: inputs.place({ sha256, name }) }));
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
