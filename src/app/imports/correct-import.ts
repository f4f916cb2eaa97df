import { randomUUID } from 'node:crypto';
import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { CorrectionLine } from '../../ledger/contract/imports.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { CorrectedBy } from '../../model/row.js';
import type { CellsRow } from '../../run/cells/cells-file.js';
import { kindOfFault, ownFaults } from '../../run/cells/cells-kinds.js';
import { EXCLUDE, INCLUDE, WHOLE_ROW } from '../../run/corrections/overlay.js';
import { systemClock } from '../../util/clock.js';
import { cellAddress } from '../../util/spreadsheet-text.js';
import { type ImportNow, shownCells } from './import-views.js';
import { invalidRows } from './row-positions.js';

/**
 * A text typed into a cell. Row and column are numbered as in Excel, from 1. Column 0 is the row itself, which the text
 * `exclude` excludes and `include` includes again.
 */
export interface TypedCell {
  readonly row: number;
  readonly column: number;
  readonly text: string;
  /** The text that the user saw in the cell. */
  readonly before?: string | undefined;
}

/** The current text of a cell that another user changed since it was shown. */
type ChangedCell = CorrectedBy & Pick<TypedCell, 'row' | 'column' | 'text'>;

/** Other users changed cells since they were shown; nothing was stored. */
export class CellsChangedError extends ProductError {
  readonly cells: readonly ChangedCell[];

  constructor(cells: readonly ChangedCell[]) {
    const [first, ...others] = cells.map(({ row, column, who }) =>
      message('imports.cell_changed', { cell: cellAddress(column, row), who }),
    );
    super('safety', first!, { others: others.slice(0, MAX_NAMED) });
    this.cells = cells;
  }
}

const MAX_NAMED = 20;

/** A user's action. `act` identifies it: an action that is sent again after a lost response is applied once. */
export interface CorrectingAct {
  readonly act?: string | undefined;
  readonly who: string;
}

/** Maximum number of rows searched for one kind of problem. */
const PROPOSED_ROWS = 20_000;
/** Maximum number of cells in which a text is replaced: those of one action. */
const MOST_REPLACED = 20_000;

/**
 * Stores typed cells. False if there are newer actions than in `now`; then nothing is stored.
 * @throws ProductError usage for cells that are not below a header of the sheet; CellsChangedError
 */
export async function correctCells(
  ledger: Ledger,
  now: ImportNow,
  typed: readonly TypedCell[],
  { act, who }: CorrectingAct,
): Promise<boolean> {
  const { facts } = now.cells;
  const headers = new Map(facts.headers.map((it) => [it.column, it]));
  const cells: Parameters<Ledger['corrections']['add']>[1][number][] = [];
  const unexpected: TypedCell[] = [];
  for (const { row, column, text, before: seen } of typed) {
    const isOfRow = column === WHOLE_ROW && (text === EXCLUDE || text === INCLUDE);
    const header = isOfRow ? { column, text: '' } : headers.get(column);
    if (!header || row <= facts.headerRow || row > facts.last)
      throw new ProductError('usage', message('imports.no_such_cell', { row, column }));
    const checked = await now.cells.row(row);
    const [before = ''] = isOfRow
      ? [now.overlay.row(row)?.get(column)?.text]
      : shownCells(checked?.row, [header], now.overlay.row(row));
    cells.push({ row, column, header: header.text, text, before });
    if (seen !== undefined && seen !== before && text !== before)
      unexpected.push({ row, column, text: before });
  }
  const changed = unexpected.length > 0 ? await changedByOthers(ledger, now.record.id, unexpected, who) : [];
  if (changed.length > 0) throw new CellsChangedError(changed);
  return ledger.corrections.add(now.record.id, cells, actor(act, who), now.last);
}

/** Those of the cells whose last correction or undo is by another user. */
async function changedByOthers(
  ledger: Ledger,
  id: string,
  cells: readonly TypedCell[],
  who: string,
): Promise<readonly ChangedCell[]> {
  const last = new Map<string, CorrectedBy>();
  for (const { row, column, undone, ...by } of await ledger.corrections.lines(id)) {
    const key = `${row} ${column}`;
    for (const it of [by, ...(undone ? [undone] : [])])
      if (it.at >= (last.get(key)?.at ?? 0)) last.set(key, { who: it.who, at: it.at });
  }
  return cells.flatMap((cell) => {
    const by = last.get(`${cell.row} ${cell.column}`);
    return by && by.who !== who ? [{ ...cell, ...by }] : [];
  });
}

export async function takeBack(
  ledger: Ledger,
  id: string,
  which: 'undo' | 'redo',
  { act, who }: CorrectingAct,
): Promise<readonly number[]> {
  const cells = await ledger.corrections[which](id, actor(act, who));
  return [...new Set(cells.map(({ row }) => row))];
}

function actor(id: string = randomUUID(), who: string) {
  return { id, who, at: systemClock.now() };
}

/** The number of corrected cells, and whether this user can undo or redo. */
export async function correctionsState(ledger: Ledger, id: string, who: string) {
  const { cells, canUndo, canRedo } = await ledger.corrections.current(id, who);
  return { cells: cells.filter(({ column }) => column !== WHOLE_ROW).length, canUndo, canRedo };
}

/** All corrections, including undone ones, newest first. */
export async function correctionsView(ledger: Ledger, id: string) {
  const lines = await ledger.corrections.lines(id);
  return lines.map((line, at) => lineView(line, at + 1)).reverse();
}

function lineView({ row, column, header, before, text, who, at, undone }: CorrectionLine, n: number) {
  return {
    n,
    row,
    column,
    header,
    before,
    text,
    who,
    at: new Date(at).toISOString(),
    ...(undone ? { undone: { at: new Date(undone.at).toISOString(), by: undone.who } } : {}),
  };
}

/** The invalid cells of one kind. `above`: empty cells take the text of the row above. */
interface KindOfError {
  readonly kind: string;
  readonly how: 'nearest' | 'above';
}

export type ProposalQuery = KindOfError | Replacement;

/** Cells, each with its proposed text, for review before anything is changed. `left` is the number of rows not searched. */
export function proposalsView(now: ImportNow, query: ProposalQuery) {
  return 'kind' in query ? fixes(now, query) : replacements(now, query);
}

async function fixes(now: ImportNow, { kind, how }: KindOfError) {
  const found: { row: number; column: number; before: string }[] = [];
  const { rows, total } = await invalidRows(now, { from: 0, count: PROPOSED_ROWS, kind });
  for (const { row, faults: checked } of rows) {
    const { number } = row;
    const faults = now.since.get(number)?.faults ?? checked;
    for (const fault of ownFaults({ row: number, faults }, now.cells.facts.sheet))
      if (
        fault.row === number &&
        fault.sheet === now.cells.facts.sheet &&
        fault.column !== undefined &&
        kindOfFault(fault) === kind
      )
        found.push({ row: number, column: fault.column, before: textOf(now, row, fault.column) });
  }
  const proposed = await now.checks.propose(rowsOf(now), now.overlay, found, how);
  const texts = new Map(proposed.map(({ row, column, text }) => [`${row}:${column}`, text]));
  const cells = found.map((it) => ({ ...it, text: texts.get(`${it.row}:${it.column}`) }));
  return { cells, left: Math.max(0, total - rows.length) };
}

/** A text that is replaced in cells, in any case. */
interface Replacement {
  readonly find: string;
  readonly replace: string;
  /** Only in this column, counted from 1. */
  readonly column?: number | undefined;
  /** Only in cells without other text. */
  readonly isWhole: boolean;
}

/** The cells that contain a text, each with it replaced. */
async function replacements(now: ImportNow, { find, replace, column: only, isWhole }: Replacement) {
  const { cells, overlay } = now;
  const { headers, rows } = cells.facts;
  const columns = headers.filter(({ column }) => only === undefined || column === only);
  const escaped = find.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const pattern = new RegExp(isWhole ? `^${escaped}$` : escaped, 'giu');
  const found: { row: number; column: number; before: string; text: string }[] = [];
  for await (const { index, row } of cells.scan()) {
    if (found.length + columns.length > MOST_REPLACED) return { cells: found, left: rows - index };
    for (const [at, before] of shownCells(row, columns, overlay.row(row.number)).entries()) {
      const text = before.replace(pattern, () => replace);
      if (text !== before) found.push({ row: row.number, column: columns[at]!.column, before, text });
    }
  }
  return { cells: found, left: 0 };
}

/** The nearest text that the cell's field accepts; undefined if none is near. */
export async function nearestView(now: ImportNow, row: number, column: number) {
  return now.checks.nearest(column, textOf(now, (await now.cells.row(row))?.row, column, row));
}

/** The text of a cell with corrections applied. */
function textOf(
  { overlay }: ImportNow,
  row: CellsRow['row'] | undefined,
  column: number,
  number = row?.number,
) {
  const corrections = number === undefined ? undefined : overlay.row(number);
  return shownCells(row, [{ column, text: '' }], corrections)[0] ?? '';
}

export function rowsOf({ cells }: Pick<ImportNow, 'cells'>) {
  return { row: async (number: number) => (await cells.row(number))?.row, last: cells.facts.last };
}
