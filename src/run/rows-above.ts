import { message } from '../errors/message.js';
import type { MappedGroup, Mapping } from '../mapping/contract.js';
import type { Row } from '../model/row.js';
import { NamedRows } from '../source/named-rows.js';
import type { RowGroups } from './row-groups.js';

/**
 * Hands rows on to be mapped, and knows of each item which rows without a key stand right below it: they may be its
 * own, so that it would go out incomplete (contract section 3).
 */
export class RowsAbove {
  readonly #mapping: Mapping;
  readonly #groups: RowGroups;
  readonly #map: (rows: readonly Row[], held: NamedRows | undefined) => void;
  /** By key of the group. */
  readonly #held = new Map<string, NamedRows>();
  /** What stood right above: a row that is mapped alone, or the key of its group. */
  #row: Row | undefined;
  #below: NamedRows | undefined;
  #key: string | undefined;

  constructor(
    mapping: Mapping,
    groups: RowGroups,
    map: (rows: readonly Row[], held: NamedRows | undefined) => void,
  ) {
    this.#mapping = mapping;
    this.#groups = groups;
    this.#map = map;
  }

  /**
   * Takes in the next row.
   * @param holding whether items above rows without a key are held back; else each row goes at once
   * @returns false when its group turned out to be scattered
   */
  add(row: Row, holding: boolean): boolean {
    if (holding && !row.faults && this.#mapping.continues(row)) {
      this.#hold(row.number);
      this.#map([row], undefined);
      return true;
    }
    this.end();
    const key = this.#mapping.groupKey?.(row);
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

  #hold(number: number): void {
    if (this.#key !== undefined) {
      const rows = this.#held.get(this.#key) ?? new NamedRows();
      rows.add(number);
      this.#held.set(this.#key, rows);
    } else if (this.#row) {
      this.#below ??= new NamedRows();
      this.#below.add(number);
    }
  }
}

/** A group that is not sent because rows below it may be its own; with faults of its own it stays as it is. */
export function heldBack(group: MappedGroup, rows: readonly Row[], below: NamedRows): MappedGroup {
  if (group.kind === 'invalid') return group;
  const faults = rows.map(({ sheet, number }) => ({
    sheet,
    row: number,
    message: message('run.held_above', { rows: `${below}` }),
  }));
  return { kind: 'invalid', rows: rows.map(({ number }) => number).sort((a, b) => a - b), faults };
}
