import { message } from '../errors/message.js';
import type { Row } from '../model/row.js';
import { cellAddress } from '../util/spreadsheet-text.js';
import type { BoundBranch, BoundEntry } from './bound-entry.js';
import { filledColumn } from './group-key.js';
import type { MappingPass } from './mapping-pass.js';
import { isSheetColumn } from './steps/step-columns.js';

/*
 * Invariant of mapping: every mapped and filled cell of a row that is neither `invalid` nor `skipped` is in that row's request.
 * A row without a key adds no element to a node, so that its cells below that node would be lost silently.
 */

/** Reports rows with cells that are in no request, because the row adds no element to the nodes that read them. */
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

/** Reports a row with an empty key. @param filled column of a filled cell below that key */
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

/** Columns of the node's sheet that it and its nested nodes read, without its key. */
function columnsBelow(bound: BoundBranch): readonly number[] {
  const key = bound.source.kind === 'columns' ? bound.source.columns : [];
  const found = new Set<number>();
  for (const member of bound.members.entries) addColumns(member, new Set(), found);
  return [...found].filter((column) => isSheetColumn(column) && !key.includes(column));
}

/** Adds the columns that an entry reads from its sheet, except those of the nodes in `without`. */
function addColumns(bound: BoundEntry, without: ReadonlySet<BoundEntry>, found: Set<number>): void {
  if (without.has(bound)) return;
  if (bound.kind === 'leaf') {
    for (const column of bound.columns) found.add(column);
    return;
  }
  if (bound.source.kind !== 'rows') for (const column of bound.source.columns) found.add(column);
  if (bound.source.kind === 'sheet') return;
  for (const member of bound.members.entries) addColumns(member, without, found);
}

/** Columns of the same sheet that other nodes read for this row, so that their cells are in the request. */
function columnsReadElsewhere(
  entries: readonly BoundEntry[],
  without: ReadonlySet<BoundEntry>,
  node: BoundBranch,
): ReadonlySet<number> {
  const found = new Set<number>();
  for (const entry of entriesOfSheet(entries, node, entries) ?? entries) addColumns(entry, without, found);
  return found;
}

/** The entries that read the same sheet as the node: all of them, or the members of its join. */
function entriesOfSheet(
  entries: readonly BoundEntry[],
  node: BoundBranch,
  sheet: readonly BoundEntry[],
): readonly BoundEntry[] | undefined {
  for (const bound of entries) {
    if (bound === node) return sheet;
    if (bound.kind === 'leaf') continue;
    const { entries: members } = bound.members;
    const found = entriesOfSheet(members, node, bound.source.kind === 'sheet' ? members : sheet);
    if (found) return found;
  }
  return undefined;
}
