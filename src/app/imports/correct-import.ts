import { randomUUID } from 'node:crypto';
import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { CorrectionLine } from '../../ledger/contract/corrections.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { CellsRow } from '../../run/cells/cells-file.js';
import type { CellsKind } from '../../run/cells/format.js';
import { kindOfFault, ownFaults } from '../../run/cells/kinds.js';
import { systemClock } from '../../util/clock.js';
import { faultyRows } from './faulty-rows.js';
import { type ImportNow, shownCells } from './import-views.js';

/** A text that somebody typed into a cell; row and column as Excel has them, A being 1. */
export interface TypedCell {
  readonly row: number;
  readonly column: number;
  readonly text: string;
}

/** Somebody's act: the same one sent again, as its answer was lost, is done once. */
export interface CorrectingAct {
  readonly act?: string | undefined;
  readonly who: string;
}

/** Cells that are looked at for one kind of problem, at most. */
const PROPOSED_ROWS = 5000;

/** Keeps what was typed. @throws ProductError usage for cells that aren't below a header of the sheet; nothing is kept then */
export async function correctCells(
  ledger: Ledger,
  now: ImportNow,
  typed: readonly TypedCell[],
  { act, who }: CorrectingAct,
): Promise<void> {
  const { facts } = now.cells;
  const headers = new Map(facts.headers.map((it) => [it.column, it]));
  const cells: Parameters<Ledger['corrections']['add']>[1][number][] = [];
  for (const { row, column, text } of typed) {
    const header = headers.get(column);
    if (!header || row <= facts.headerRow || row > facts.last)
      throw new ProductError('usage', message('imports.no_such_cell', { row, column }));
    const there = await now.cells.row(row);
    const [before = ''] = shownCells(there?.row, [header], now.overlay.row(row));
    cells.push({ row, column, header: header.text, text, before });
  }
  if (cells.length > 0) await ledger.corrections.add(now.it.id, cells, actor(act, who));
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

/** How many cells are corrected, and what this person can undo and do again. */
export async function correctionsState(ledger: Ledger, id: string, who: string) {
  const { cells, canUndo, canRedo } = await ledger.corrections.current(id, who);
  return { cells: cells.length, canUndo, canRedo };
}

/** All that was ever corrected, newest first. */
export async function correctionsTold(ledger: Ledger, id: string) {
  const lines = await ledger.corrections.lines(id);
  return lines.map((line, at) => lineTold(line, at + 1)).reverse();
}

function lineTold({ row, column, header, before, text, who, at, undone }: CorrectionLine, n: number) {
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

/** So many rows of a kind are looked at before it is asked whether there is time for more. */
const TRIED_ROWS = 128;
/** All kinds together are tried for so long; of those that are left nobody knows. */
const TRIED_FOR_MS = 60;

/** By what was corrected since the check: kinds of which something could be proposed, or nothing. */
const MENDABLE = new WeakMap<ImportNow['since'], Map<string, boolean>>();

/** Kinds of problems for which nothing could be proposed: no cell is at fault, or none is like a text that would be right. */
export async function unmendableKinds(
  now: ImportNow,
  kinds: readonly CellsKind[],
): Promise<ReadonlySet<string>> {
  const known = MENDABLE.get(now.since) ?? new Map<string, boolean>();
  MENDABLE.set(now.since, known);
  const until = performance.now() + TRIED_FOR_MS;
  for (const { id, first } of kinds) {
    if (known.has(id)) continue;
    if (first.column === undefined) known.set(id, false);
    else if (performance.now() < until) known.set(id, await isMendable(now, id, until));
  }
  return new Set([...known].flatMap(([id, is]) => (is ? [] : [id])));
}

/** Whether something can be proposed for one of its cells; also where that isn't known of all of them in time. */
async function isMendable(now: ImportNow, kind: string, until: number): Promise<boolean> {
  const tried = new Set<string>();
  for (let from = 0; ; from += TRIED_ROWS) {
    const { cells, left } = await faultyCells(now, kind, from, TRIED_ROWS);
    for (const { column, text } of cells) {
      const cell = `${column} ${text}`;
      if (tried.has(cell)) continue;
      tried.add(cell);
      if (now.checks.nearest(column, text) !== undefined) return true;
    }
    if (left === 0) return false;
    if (performance.now() > until) return true;
  }
}

/**
 * What would mend the faulty cells of one kind, to be looked at before it is typed in for all of them. `faulty`: how many
 * such cells were looked at, `left`: rows that were not.
 */
export async function proposalsTold(now: ImportNow, kind: string) {
  const { cells, left } = await faultyCells(now, kind, 0, PROPOSED_ROWS);
  const proposed = await now.checks.propose(rowsOf(now), now.overlay, cells);
  return {
    cells: proposed.map(({ row, column, before, text }) => ({ row, column, before, text })),
    faulty: cells.length,
    left,
  };
}

/** Cells of the sheet with a fault of the kind, as they are now, in so many of its rows; and how many rows follow. */
async function faultyCells(now: ImportNow, kind: string, from: number, count: number) {
  const cells: { row: number; column: number; text: string }[] = [];
  const { rows, total } = await faultyRows(now, { from, count, kind });
  for (const it of rows) {
    const { number } = it.row;
    const faults = now.since.get(number)?.faults ?? it.faults;
    const own = ownFaults({ row: number, faults }, now.cells.facts.sheet);
    for (const fault of own)
      if (
        fault.row === number &&
        fault.sheet === now.cells.facts.sheet &&
        fault.column !== undefined &&
        kindOfFault(fault) === kind
      )
        cells.push({ row: number, column: fault.column, text: textOf(now, it.row, fault.column) });
  }
  return { cells, left: Math.max(0, total - from - rows.length) };
}

/** The nearest text that the cell's field takes; undefined where none is near. */
export async function nearestTold(now: ImportNow, row: number, column: number) {
  return now.checks.nearest(column, textOf(now, (await now.cells.row(row))?.row, column, row));
}

/** What a cell shows now. */
function textOf(
  { overlay }: ImportNow,
  there: CellsRow['row'] | undefined,
  column: number,
  row = there?.number,
) {
  const corrections = row === undefined ? undefined : overlay.row(row);
  return shownCells(there, [{ column, text: '' }], corrections)[0] ?? '';
}

export function rowsOf({ cells }: Pick<ImportNow, 'cells'>) {
  return { row: async (number: number) => (await cells.row(number))?.row, last: cells.facts.last };
}
