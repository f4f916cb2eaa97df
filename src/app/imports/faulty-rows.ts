import type { CellsFile, CellsRow } from '../../run/cells/cells-file.js';
import { isFaulty, kindsOf, type RowProblems } from '../../run/cells/kinds.js';
import type { ImportNow } from './import-views.js';

/** What of an import decides which rows are faulty now. */
type Faulty = Pick<ImportNow, 'cells' | 'since'>;

/** By what was corrected since the check: places of the rows that are faulty now, by kind; '' of any. */
const LISTS = new WeakMap<ImportNow['since'], Map<string, Promise<Uint32Array>>>();

interface FaultyWish {
  readonly from: number;
  readonly count: number;
  readonly kind?: string | undefined;
}

/** Rows that a person has to look at, or those of one kind of problem: of the last check, and as they were corrected since. */
export async function faultyRows(
  now: Faulty,
  { from, count, kind }: FaultyWish,
): Promise<{ readonly rows: readonly CellsRow[]; readonly total: number }> {
  const { cells, since } = now;
  if (since.size === 0)
    return { rows: await cells.faulty(from, count, kind), total: cells.faultyCount(kind) };
  const places = await faultyPlaces(now, kind);
  return { rows: await cells.at(places.subarray(from, from + count)), total: places.length };
}

/**
 * The places of all of them, for a page that shows the same ones while they are mended: in turns, how many places are passed
 * over and how many are listed.
 */
export async function faultyTold(now: Faulty, kind: string | undefined) {
  const list = await faultyPlaces(now, kind);
  const places: number[] = [];
  let next = 0;
  for (const place of list) {
    if (place === next && places.length > 0) places[places.length - 1]! += 1;
    else places.push(place - next, 1);
    next = place + 1;
  }
  return { places, total: list.length };
}

function faultyPlaces(now: Faulty, kind: string | undefined): Promise<Uint32Array> {
  const { cells, since } = now;
  if (since.size === 0) return cells.faultyPlaces(kind);
  const known = LISTS.get(since) ?? new Map<string, Promise<Uint32Array>>();
  LISTS.set(since, known);
  const list = known.get(kind ?? '') ?? listNow(now, kind);
  known.set(kind ?? '', list);
  return list;
}

async function listNow({ cells, since }: Faulty, kind: string | undefined): Promise<Uint32Array> {
  const places = new Set(await cells.faultyPlaces(kind));
  for (const [row, { message, ...checked }] of since) {
    const place = await placeOf(cells, row);
    if (place === undefined) continue;
    const result = { ...checked, messages: message ? [{ text: message }] : [] };
    if (isOf(result, kind, cells.facts.sheet)) places.add(place);
    else places.delete(place);
  }
  return new Uint32Array(places).sort();
}

async function placeOf(cells: CellsFile, row: number): Promise<number | undefined> {
  return (await cells.row(row))?.index;
}

function isOf(result: RowProblems, kind: string | undefined, sheet: string): boolean {
  return kind === undefined ? isFaulty(result) : kindsOf(result, sheet).some((it) => it.id === kind);
}
