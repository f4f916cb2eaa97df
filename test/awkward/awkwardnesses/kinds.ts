import { type Column, type Draft, dataLines, type Laid, type Line, type Page, type Value } from '../sheet.js';

/** Something that offices do to sheets, or that programs do to them on their way. */
export interface Awkwardness {
  readonly name: string;
  /**
   * What must have happened before: records are made and moved, then cells are mangled, groups are merged or left
   * blank, lines put between, the frame put around, and the file written.
   */
  readonly phase: 'records' | 'cells' | 'groups' | 'lines' | 'frame' | 'file';
  readonly format?: 'xlsx' | 'csv';
  /** Changes the draft and its truth; false where this sheet has no place for it. */
  apply(draft: Draft): boolean;
}

export const PHASES: readonly Awkwardness['phase'][] = [
  'records',
  'cells',
  'groups',
  'lines',
  'frame',
  'file',
];

export interface Place {
  readonly page: Page;
  readonly line: Line;
  readonly column: Column;
  /** 0-based position of the column. */
  readonly at: number;
  readonly value: Value;
}

/** A filled cell of plain data in a column that will do, or none. */
export function anyPlace(draft: Draft, wanted: (column: Column, value: Value) => boolean): Place | undefined {
  const found: Place[] = [];
  for (const page of draft.joined ? [draft.page, draft.joined] : [draft.page]) {
    for (const line of dataLines(page)) {
      if (line.verdict !== 'data') continue;
      page.columns.forEach((column, at) => {
        const value = line.record.get(column);
        if (value !== undefined && line.cells[at] && wanted(column, value))
          found.push({ page, line, column, at, value });
      });
    }
  }
  return found.length === 0 ? undefined : draft.random.pick(found);
}

/**
 * The lines that must change with one of them. A key that can't be read leaves open what its row belongs to, so that
 * all rows of the record share it; a record without an own key is separate.
 */
export function linesWith(place: Place): readonly Line[] {
  const { page, line, column, value } = place;
  if (!column.key || column.level !== 'order') return [line];
  return dataLines(page).filter((it) => String(it.record.get(column)) === String(value));
}

/** Puts a cell in a place (and into the other rows of its record where the place is their key). */
export function relay(place: Place, cell: Laid | undefined): readonly Line[] {
  const lines = linesWith(place);
  for (const line of lines) line.cells[place.at] = cell;
  return lines;
}

export const isMapped = (column: Column): boolean => column.field !== undefined;
/** Text that distinguishes things; `word` is closed or prose as the field has it. */
export const isIdentifier = (column: Column): boolean =>
  isMapped(column) && (column.type === 'identifier' || column.type === 'lock');
