import type { Message } from '../errors/message.js';

/** The model's Cell and Row in their form: this floor lies below the model and can't name them. */
interface Cell {
  readonly column: number;
  readonly kind:
    | 'text'
    | 'number'
    | 'boolean'
    | 'date'
    | 'time'
    | 'duration'
    | 'error'
    | 'no_result'
    | 'merged';
  readonly text: string;
  readonly raw: string;
  readonly shown?: string;
  readonly format?: string;
}

interface RowFault {
  readonly column?: number;
  readonly message: Message;
}

export interface KeepableRow {
  readonly sheet: string;
  readonly number: number;
  readonly hidden: boolean;
  readonly faults?: readonly RowFault[];
  cell(column: number): Cell | undefined;
  cells(): readonly Cell[];
}

/** Places of the kept columns in a row's list of cells; one for all rows of a store. */
export class KeptColumns {
  readonly columns: readonly number[];
  readonly #places = new Map<number, number>();

  constructor(columns: readonly number[]) {
    this.columns = [...new Set(columns)].sort((a, b) => a - b);
    for (const [place, column] of this.columns.entries()) this.#places.set(column, place);
  }

  place(column: number): number | undefined {
    return this.#places.get(column);
  }

  /** A row that holds nothing but the kept columns and lets go of what the given one was decoded from. */
  keep(row: KeepableRow): StoredRow {
    const cells = this.columns.map((column) => {
      const cell = row.cell(column);
      return cell && plain(cell);
    });
    return new StoredRow(this, row, cells);
  }
}

/** A row that was put aside. */
export class StoredRow implements KeepableRow {
  readonly sheet: string;
  readonly number: number;
  readonly hidden: boolean;
  readonly faults?: readonly RowFault[];
  readonly #kept: KeptColumns;
  readonly #cells: readonly (Cell | undefined)[];

  constructor(
    kept: KeptColumns,
    row: Pick<KeepableRow, 'sheet' | 'number' | 'hidden' | 'faults'>,
    cells: readonly (Cell | undefined)[],
  ) {
    this.#kept = kept;
    this.sheet = row.sheet;
    this.number = row.number;
    this.hidden = row.hidden;
    if (row.faults) this.faults = row.faults;
    this.#cells = cells;
  }

  cell(column: number): Cell | undefined {
    const place = this.#kept.place(column);
    return place === undefined ? undefined : this.#cells[place];
  }

  cells(): readonly Cell[] {
    return this.#cells.filter((it) => it !== undefined);
  }

  /** Roughly what it takes in memory, in bytes. */
  get weight(): number {
    let bytes = 160 + this.#cells.length * 8;
    for (const cell of this.#cells) {
      if (!cell) continue;
      bytes += 120 + cell.text.length * 2;
      if (cell.raw !== cell.text) bytes += cell.raw.length * 2;
    }
    return bytes;
  }
}

type PackedCell = readonly [
  column: number,
  kind: Cell['kind'],
  text: string,
  raw?: string | null,
  format?: string | null,
  shown?: string,
];

type PackedRow = readonly [
  sheet: string,
  number: number,
  hidden: boolean,
  cells: readonly PackedCell[],
  faults?: readonly RowFault[],
];

/** A row as text for a file; `unpackRow` gives the same row again. */
export function packRow(row: Omit<KeepableRow, 'cell'>): string {
  const cells = row.cells().map((cell): PackedCell => {
    const raw = cell.raw === cell.text ? null : cell.raw;
    if (cell.shown !== undefined)
      return [cell.column, cell.kind, cell.text, raw, cell.format ?? null, cell.shown];
    if (cell.format !== undefined) return [cell.column, cell.kind, cell.text, raw, cell.format];
    return raw === null ? [cell.column, cell.kind, cell.text] : [cell.column, cell.kind, cell.text, raw];
  });
  const { sheet, number, hidden, faults } = row;
  return JSON.stringify(faults ? [sheet, number, hidden, cells, faults] : [sheet, number, hidden, cells]);
}

export function unpackRow(kept: KeptColumns, packed: string): StoredRow {
  const [sheet, number, hidden, list, faults] = JSON.parse(packed) as PackedRow;
  const cells = new Array<Cell | undefined>(kept.columns.length).fill(undefined);
  for (const [column, kind, text, raw, format, shown] of list) {
    const cell = { column, kind, text, raw: raw ?? text, format: format ?? undefined, shown };
    cells[kept.place(column)!] = plain(cell);
  }
  return new StoredRow(kept, { sheet, number, hidden, ...(faults ? { faults } : {}) }, cells);
}

/** A cell of its own with the members that it has; most cells have neither a format nor other decimals. */
function plain({ column, kind, text, raw, format, shown }: Loose): Cell {
  const cell = { column, kind, text, raw };
  if (shown !== undefined) return { ...cell, shown, ...(format === undefined ? {} : { format }) };
  return format === undefined ? cell : { ...cell, format };
}

type Loose = Omit<Cell, 'format' | 'shown'> & Partial<Record<'format' | 'shown', string | undefined>>;
