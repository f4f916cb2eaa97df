import { type Cell, isMarked, type Row, type RowFault } from '../model/row.js';

/** A row with its cells in memory, by ascending column. */
export class PlainRow implements Row {
  readonly sheet: string;
  readonly number: number;
  readonly hidden: boolean;
  readonly excluded?: boolean;
  readonly faults?: readonly RowFault[];
  readonly #cells: readonly Cell[];

  constructor(
    { sheet, number, hidden, excluded, faults }: Omit<Row, 'cell' | 'cells' | 'marked'>,
    cells: readonly Cell[],
  ) {
    this.sheet = sheet;
    this.number = number;
    this.hidden = hidden;
    if (excluded) this.excluded = true;
    if (faults) this.faults = faults;
    this.#cells = cells;
  }

  get marked(): boolean {
    return this.#cells.some(isMarked);
  }

  cell(column: number): Cell | undefined {
    let low = 0;
    let high = Math.min(column, this.#cells.length) - 1;
    // In a row without gaps the index follows from the column.
    for (let middle = high; low <= high; middle = (low + high) >> 1) {
      const cell = this.#cells[middle]!;
      if (cell.column === column) return cell;
      if (cell.column < column) low = middle + 1;
      else high = middle - 1;
    }
    return undefined;
  }

  cells(): readonly Cell[] {
    return this.#cells;
  }
}

/** The stored columns, and the index of each in a stored row's list of cells. */
export class StoredColumns {
  readonly columns: readonly number[];
  readonly #places = new Map<number, number>();

  constructor(columns: readonly number[]) {
    this.columns = [...new Set(columns)].sort((a, b) => a - b);
    for (const [place, column] of this.columns.entries()) this.#places.set(column, place);
  }

  place(column: number): number | undefined {
    return this.#places.get(column);
  }

  /** A copy with the stored columns only. It does not keep the buffers that the row was decoded from. */
  store(row: Row): StoredRow {
    const cells = this.columns.map((column) => {
      const cell = row.cell(column);
      return cell && plain(cell);
    });
    return new StoredRow(this, row, cells);
  }
}

/** A row in memory or read back from a file, independent of its source. */
export class StoredRow implements Row {
  readonly sheet: string;
  readonly number: number;
  readonly hidden: boolean;
  readonly excluded?: boolean;
  readonly faults?: readonly RowFault[];
  readonly #columns: StoredColumns;
  readonly #cells: readonly (Cell | undefined)[];

  constructor(
    columns: StoredColumns,
    row: Pick<Row, 'sheet' | 'number' | 'hidden' | 'excluded' | 'faults'>,
    cells: readonly (Cell | undefined)[],
  ) {
    this.#columns = columns;
    this.sheet = row.sheet;
    this.number = row.number;
    this.hidden = row.hidden;
    if (row.excluded) this.excluded = true;
    if (row.faults) this.faults = row.faults;
    this.#cells = cells;
  }

  get marked(): boolean {
    return this.#cells.some((it) => it !== undefined && isMarked(it));
  }

  cell(column: number): Cell | undefined {
    const place = this.#columns.place(column);
    return place === undefined ? undefined : this.#cells[place];
  }

  cells(): readonly Cell[] {
    return this.#cells.filter((it) => it !== undefined);
  }

  /** Approximate memory, in bytes. */
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
  shown?: string | null,
  seen?: string | null,
  /** Letters of `MARKS`. */
  marks?: string | null,
  identifier?: string | null,
];

/** A letter for each combination of a cell's marks, and for a hidden time. */
const MARKS: readonly (readonly [letter: string, Partial<Cell>])[] = [
  ['f', { formula: 'calculated' }],
  ['p', { formula: 'pending' }],
  ['s', { subtotal: true }],
  ['w', { struck: 'whole' }],
  ['c', { struck: 'part' }],
  ['t', { hidesTime: true }],
];

function packMarks(cell: Cell): string | undefined {
  if (!isMarked(cell) && cell.hidesTime === undefined) return undefined;
  const letters = MARKS.filter(([, marks]) =>
    Object.entries(marks).every(([name, it]) => cell[name as keyof Cell] === it),
  );
  return letters.map(([letter]) => letter).join('');
}

function unpackMarks(letters: string): Partial<Cell> {
  return Object.assign({}, ...MARKS.filter(([letter]) => letters.includes(letter)).map(([, marks]) => marks));
}

type PackedRow = readonly [
  sheet: string,
  number: number,
  hidden: boolean,
  cells: readonly PackedCell[],
  faults?: readonly RowFault[] | null,
  excluded?: true,
];

/** A row as text for a file; `unpackRow` gives the same row again. */
export function packRow(row: Omit<Row, 'cell'>): string {
  const cells = row.cells().map((cell): PackedCell => {
    const raw = cell.raw === cell.text ? null : cell.raw;
    const { column, kind, text, format = null, shown = null } = cell;
    const marks = packMarks(cell);
    if (marks !== undefined || cell.identifier !== undefined) {
      const seen = cell.seen ?? null;
      return [column, kind, text, raw, format, shown, seen, marks ?? null, cell.identifier];
    }
    if (cell.seen !== undefined) return [column, kind, text, raw, format, shown, cell.seen];
    if (cell.shown !== undefined)
      return [cell.column, cell.kind, cell.text, raw, cell.format ?? null, cell.shown];
    if (cell.format !== undefined) return [cell.column, cell.kind, cell.text, raw, cell.format];
    return raw === null ? [cell.column, cell.kind, cell.text] : [cell.column, cell.kind, cell.text, raw];
  });
  const { sheet, number, hidden, excluded, faults } = row;
  if (excluded) return JSON.stringify([sheet, number, hidden, cells, faults ?? null, true]);
  return JSON.stringify(faults ? [sheet, number, hidden, cells, faults] : [sheet, number, hidden, cells]);
}

/** The same row with all its cells, in any columns. */
export function unpackWholeRow(packed: string): PlainRow {
  const [sheet, number, hidden, list, faults, excluded] = JSON.parse(packed) as PackedRow;
  return new PlainRow({ sheet, number, hidden, excluded, faults: faults ?? undefined }, list.map(unpackCell));
}

function unpackCell([column, kind, text, raw, format, shown, seen, marks, identifier]: PackedCell): Cell {
  const rest = {
    format: format ?? undefined,
    shown: shown ?? undefined,
    seen: seen ?? undefined,
    identifier: identifier ?? undefined,
  };
  const cell = plain({ column, kind, text, raw: raw ?? text, ...rest });
  return marks ? { ...cell, ...unpackMarks(marks) } : cell;
}

export function unpackRow(stored: StoredColumns, packed: string): StoredRow {
  const [sheet, number, hidden, list, faults, excluded] = JSON.parse(packed) as PackedRow;
  const cells = new Array<Cell | undefined>(stored.columns.length).fill(undefined);
  for (const cell of list) cells[stored.place(cell[0])!] = unpackCell(cell);
  return new StoredRow(stored, { sheet, number, hidden, excluded, faults: faults ?? undefined }, cells);
}

/** A copy of the cell without undefined members: most cells have only a format. */
function plain(given: Cell): Cell {
  const { column, kind, text, raw, format, shown, seen, identifier } = given;
  const cell = format === undefined ? { column, kind, text, raw } : { column, kind, text, raw, format };
  const marks = packMarks(given);
  if (marks !== undefined) Object.assign(cell, unpackMarks(marks));
  if (shown === undefined && seen === undefined && identifier === undefined) return cell;
  return {
    ...cell,
    ...(shown === undefined ? {} : { shown }),
    ...(seen === undefined ? {} : { seen }),
    ...(identifier === undefined ? {} : { identifier }),
  };
}
