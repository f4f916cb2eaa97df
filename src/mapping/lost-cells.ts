import { message } from '../errors/message.js';
import type { Row } from '../model/row.js';
import { cellAddress } from '../util/address.js';
import type { BoundBranch, BoundEntry } from './bound-entry.js';
import { filledColumn } from './elements.js';
import type { MappingPass } from './mapping-pass.js';
import { isSheetColumn } from './steps/step-columns.js';

/*
 * The invariant of mapping: every mapped and filled cell of a row that is neither `invalid` nor `skipped` is in that row's
 * request. A row without a key gives a node no element, so its cells below that node would be lost silently.
 */

/** Reports rows with cells that are in no request, because the nodes that read them got no element from the row. */
export function reportLostCells(entries: readonly BoundEntry[], pass: MappingPass): void {
  for (const [row, without] of pass.rowsWithoutKey) {
    for (const bound of without) {
      if (bound.source.kind !== 'columns') continue;
      const readElsewhere = columnsReadElsewhere(entries, without, bound);
      const below = columnsBelow(bound).filter((column) => !readElsewhere.has(column));
      const lost = filledColumn([row], below);
      if (lost === undefined) continue;
      pass.withdraw(row, bound.path, 'mapping.array_empty');
      reportEmptyKey(row, bound, lost, pass);
    }
  }
}

/** Reports a row with an empty key and a filled cell that belongs under that key. */
export function reportEmptyKey(
  row: Row,
  bound: BoundBranch,
  filled: number | undefined,
  pass: MappingPass,
): void {
  if (bound.source.kind !== 'columns') return;
  const { columns, headers } = bound.source;
  const named = headers.map((it) => `"${it}"`).join(', ');
  const empty = columns.map((column) => cellAddress(column, row.number)).join(', ');
  const detail =
    filled === undefined
      ? message('mapping.key_empty', { headers: named })
      : message('mapping.key_empty_below', {
          headers: named,
          empty,
          filled: cellAddress(filled, row.number),
          field: bound.name,
          columns: headers.join(', '),
        });
  pass.fault(row, bound.path, { column: columns[0]!, message: detail });
}

/** Columns of the node's own sheet that it and the nodes within it read, without its key. */
function columnsBelow(bound: BoundBranch): readonly number[] {
  const key = bound.source.kind === 'columns' ? bound.source.columns : [];
  const found = new Set<number>();
  for (const it of bound.members.entries) addColumns(it, new Set(), found);
  return [...found].filter((column) => isSheetColumn(column) && !key.includes(column));
}

/** Adds the columns that an entry reads from its sheet, without those of the nodes in `without`. */
function addColumns(bound: BoundEntry, without: ReadonlySet<BoundEntry>, found: Set<number>): void {
  if (without.has(bound)) return;
  if (bound.kind === 'leaf') {
    for (const column of bound.columns) found.add(column);
    return;
  }
  if (bound.source.kind !== 'rows') for (const column of bound.source.columns) found.add(column);
  if (bound.source.kind === 'sheet') return;
  for (const it of bound.members.entries) addColumns(it, without, found);
}

/** Columns of the same sheet that other nodes read for this row: their cells are in the request anyway. */
function columnsReadElsewhere(
  entries: readonly BoundEntry[],
  without: ReadonlySet<BoundEntry>,
  wanted: BoundBranch,
): ReadonlySet<number> {
  const found = new Set<number>();
  for (const it of entriesOfSheet(entries, wanted, entries) ?? entries) addColumns(it, without, found);
  return found;
}

/** The entries that read the same sheet as the wanted node: all of them, or the members of its join. */
function entriesOfSheet(
  entries: readonly BoundEntry[],
  wanted: BoundBranch,
  sheet: readonly BoundEntry[],
): readonly BoundEntry[] | undefined {
  for (const bound of entries) {
    if (bound === wanted) return sheet;
    if (bound.kind === 'leaf') continue;
    const { entries: members } = bound.members;
    const found = entriesOfSheet(members, wanted, bound.source.kind === 'sheet' ? members : sheet);
    if (found) return found;
  }
  return undefined;
}
