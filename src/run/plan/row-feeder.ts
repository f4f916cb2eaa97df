import { message } from '../../errors/message.js';
import type { MappedGroup, Mapping } from '../../mapping/mapping.js';
import type { Row, RowFault } from '../../model/row.js';
import type { Table } from '../../source/table.js';
import { RowNumbers } from '../../util/text.js';
import type { RowGroups } from './row-groups.js';

/**
 * Passes rows to the groups and complete groups to `map`. Records for each item which rows without a key are directly
 * below it: they may belong to the item, which would be sent incomplete (contract section 3).
 */
export class RowFeeder {
  readonly #mapping: Mapping;
  readonly #groups: RowGroups;
  /** The first of the source's own columns; in a result of this program they come after the result's columns. */
  readonly #firstColumn: number;
  readonly #fromResult: boolean;
  readonly #map: (rows: readonly Row[], below: RowNumbers | undefined) => void;
  /** The rows directly below a group, by the group's key. */
  readonly #belowGroups = new Map<string, RowNumbers>();
  /** What is directly above: a row that is mapped alone, or the key of its group. */
  #row: Row | undefined;
  #below: RowNumbers | undefined;
  #key: string | undefined;
  /** Number of an invalid line directly above that may belong to the next group. */
  #uncertain: number | undefined;

  constructor(
    mapping: Mapping,
    groups: RowGroups,
    { headers, fromResult }: Pick<Table, 'headers' | 'fromResult'>,
    map: (rows: readonly Row[], below: RowNumbers | undefined) => void,
  ) {
    this.#mapping = mapping;
    this.#groups = groups;
    this.#firstColumn = headers[0]!.column;
    this.#fromResult = fromResult;
    this.#map = map;
  }

  /**
   * Adds the next row.
   * @param checking items above rows without a key are treated as incomplete; otherwise each row is mapped at once
   * @returns false if its group turned out to be scattered
   */
  add(row: Row, checking: boolean): boolean {
    if (checking && !row.faults && this.#continues(row)) {
      this.#addBelow(row.number);
      this.#map([row], undefined);
      return true;
    }
    const key = this.#mapping.groupKey?.(row);
    if (checking) this.#checkAround(row, key);
    this.end();
    if (key === undefined) {
      if (checking) this.#row = row;
      else this.#map([row], undefined);
      return true;
    }
    this.#key = key;
    const added = this.#groups.add(key, row);
    if (added.kind === 'complete') this.map(added.rows);
    return added.kind !== 'scattered';
  }

  /** Marks that the next row is not directly below the rows before. */
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
    const key = this.#belowGroups.size === 0 ? undefined : this.#mapping.groupKey?.(rows[0]!);
    this.#map(rows, key === undefined ? undefined : this.#belowGroups.get(key));
  }

  /** In a result of this program, a key under a merged range is an error value: the range is no longer known. */
  #continues(row: Row): boolean {
    const { use } = this.#mapping;
    return (
      this.#mapping.continues(row) ||
      (this.#fromResult && use.key.some((column) => row.cell(column)?.kind === 'error'))
    );
  }

  /** A line with an uncertain key may belong to the group above or below: both are treated as incomplete. */
  #checkAround(row: Row, key: string | undefined): void {
    if (this.#uncertain !== undefined && key !== undefined) this.#addBelowGroup(key, this.#uncertain);
    this.#uncertain = undefined;
    if (!row.faults || !this.#mapping.groupKey) return;
    const isCertain = this.#isKeyCertain(row.faults);
    if (!isCertain) this.#uncertain = row.number;
    if (this.#key !== undefined && (!isCertain || this.#continues(row)))
      this.#addBelowGroup(this.#key, row.number);
  }

  /** Cells before the first error are in their columns. An error of the whole line may be after any cell. */
  #isKeyCertain(faults: readonly RowFault[]): boolean {
    const shifting = faults.filter(({ shifts }) => shifts !== 'none');
    const first = Math.min(
      ...shifting.map(({ column, shifts }) =>
        shifts === 'later cells' && column !== undefined ? column : this.#firstColumn + 1,
      ),
    );
    return this.#mapping.keyColumns.every((column) => column < first);
  }

  #addBelowGroup(key: string, number: number): void {
    const rows = this.#belowGroups.get(key) ?? new RowNumbers();
    rows.add(number);
    this.#belowGroups.set(key, rows);
  }

  #addBelow(number: number): void {
    if (this.#key !== undefined) {
      this.#addBelowGroup(this.#key, number);
    } else if (this.#row) {
      this.#below ??= new RowNumbers();
      this.#below.add(number);
    }
  }
}

/** The group as invalid, because rows below may belong to it. A group that is already invalid stays unchanged. */
export function maybeIncomplete(group: MappedGroup, rows: readonly Row[], below: RowNumbers): MappedGroup {
  if (group.kind === 'invalid') return group;
  const faults = rows.map(({ sheet, number }) => ({
    sheet,
    row: number,
    message: message('run.held_above', { rows: `${below}` }),
  }));
  return { kind: 'invalid', rows: rows.map(({ number }) => number).sort((a, b) => a - b), faults };
}
