import { message } from '../../errors/message.js';
import type { MappedGroup, Mapping } from '../../mapping/contract.js';
import type { Row, RowFault } from '../../model/row.js';
import { RowNumbers } from '../../source/row-numbers.js';
import type { Table } from '../../source/table.js';
import type { RowGroups } from './row-groups.js';

/** Faults of lines whose cells all stand where they belong. */
const UNSHIFTED: ReadonlySet<string> = new Set(['source.value_above_lost', 'source.row_total_doubtful']);
/** Faults that leave the cells before them where they belong. */
const QUOTES: ReadonlySet<string> = new Set(['source.csv_quote_inside', 'source.csv_text_after_quote']);

/**
 * Hands rows on to be mapped, and knows of each item which rows without a key stand right below it: they may be its
 * own, so that it would go out incomplete (contract section 3).
 */
export class RowsAbove {
  readonly #mapping: Mapping;
  readonly #groups: RowGroups;
  /** Where the source's own columns begin; in a result of ours they follow its own. */
  readonly #firstColumn: number;
  readonly #fromResult: boolean;
  readonly #map: (rows: readonly Row[], held: RowNumbers | undefined) => void;
  /** By key of the group. */
  readonly #held = new Map<string, RowNumbers>();
  /** What stood right above: a row that is mapped alone, or the key of its group. */
  #row: Row | undefined;
  #below: RowNumbers | undefined;
  #key: string | undefined;
  /** A line right above that is at fault and may belong to what comes next. */
  #uncertain: number | undefined;

  constructor(
    mapping: Mapping,
    groups: RowGroups,
    { headers, fromResult }: Pick<Table, 'headers' | 'fromResult'>,
    map: (rows: readonly Row[], held: RowNumbers | undefined) => void,
  ) {
    this.#mapping = mapping;
    this.#groups = groups;
    this.#firstColumn = headers[0]!.column;
    this.#fromResult = fromResult;
    this.#map = map;
  }

  /**
   * Takes in the next row.
   * @param holding whether items above rows without a key are held back; else each row goes at once
   * @returns false when its group turned out to be scattered
   */
  add(row: Row, holding: boolean): boolean {
    if (holding && !row.faults && this.#continues(row)) {
      this.#hold(row.number);
      this.#map([row], undefined);
      return true;
    }
    const key = this.#mapping.groupKey?.(row);
    if (holding) this.#holdAround(row, key);
    this.end();
    if (key === undefined) {
      if (holding) this.#row = row;
      else this.#map([row], undefined);
      return true;
    }
    this.#key = key;
    const added = this.#groups.add(key, row);
    if (added.kind === 'complete') this.map(added.rows);
    return added.kind !== 'scattered';
  }

  /** What comes next does not stand right below the rows before. */
  end(): void {
    const row = this.#row;
    const below = this.#below;
    this.#row = undefined;
    this.#below = undefined;
    this.#key = undefined;
    if (row) this.#map([row], below);
  }

  /** Maps a group that is complete. */
  map(rows: readonly Row[]): void {
    const key = this.#held.size === 0 ? undefined : this.#mapping.groupKey?.(rows[0]!);
    this.#map(rows, key === undefined ? undefined : this.#held.get(key));
  }

  /** In a result of ours a key that was merged over is an error value: what it was merged with is no longer known. */
  #continues(row: Row): boolean {
    const { use } = this.#mapping;
    return (
      this.#mapping.continues(row) ||
      (this.#fromResult && use.key.some((column) => row.cell(column)?.kind === 'error'))
    );
  }

  /** A line whose key can't be trusted may belong to the group above it or to the one below. */
  #holdAround(row: Row, key: string | undefined): void {
    if (this.#uncertain !== undefined && key !== undefined) this.#holdGroup(key, this.#uncertain);
    this.#uncertain = undefined;
    if (!row.faults || !this.#mapping.groupKey) return;
    const isCertain = this.#isKeyCertain(row.faults);
    if (!isCertain) this.#uncertain = row.number;
    if (this.#key !== undefined && (!isCertain || this.#continues(row))) {
      this.#holdGroup(this.#key, row.number);
    }
  }

  /** Cells stand in their columns up to the first fault; one of the whole line may lie anywhere after its first cell. */
  #isKeyCertain(faults: readonly RowFault[]): boolean {
    const shifted = faults.filter(({ message: { code } }) => !UNSHIFTED.has(code));
    const first = Math.min(
      ...shifted.map(({ column, message: { code } }) =>
        QUOTES.has(code) && column !== undefined ? column : this.#firstColumn + 1,
      ),
    );
    return this.#mapping.keyColumns.every((column) => column < first);
  }

  #holdGroup(key: string, number: number): void {
    const rows = this.#held.get(key) ?? new RowNumbers();
    rows.add(number);
    this.#held.set(key, rows);
  }

  #hold(number: number): void {
    if (this.#key !== undefined) {
      this.#holdGroup(this.#key, number);
    } else if (this.#row) {
      this.#below ??= new RowNumbers();
      this.#below.add(number);
    }
  }
}

/** A group that is not sent because rows below it may be its own; with faults of its own it stays as it is. */
export function heldBack(group: MappedGroup, rows: readonly Row[], below: RowNumbers): MappedGroup {
  if (group.kind === 'invalid') return group;
  const faults = rows.map(({ sheet, number }) => ({
    sheet,
    row: number,
    message: message('run.held_above', { rows: `${below}` }),
  }));
  return { kind: 'invalid', rows: rows.map(({ number }) => number).sort((a, b) => a - b), faults };
}
