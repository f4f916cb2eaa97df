import type { CellsFile, CellsRow } from '../../run/cells/cells-file.js';
import { isFaulty, kindsOf, type RowProblems } from '../../run/cells/kinds.js';
import type { ImportNow } from './import-views.js';

/** What of an import decides which rows are faulty now. */
type Faulty = Pick<ImportNow, 'cells' | 'since'>;

/** By what was corrected since the check: places of the rows that are faulty now, by kind; '' of any. */
const LISTS = new WeakMap<ImportNow['since'], Map<string, Promise<Uint32Array>>>();

/** Rows that a person has to look at, or those of one kind of problem: of the last check, and as they were corrected since. */
export async function faultyRows(
  now: Faulty,
  {
    from,
    count,
    kind,
  }: { readonly from: number; readonly count: number; readonly kind?: string | undefined },
): Promise<{ readonly rows: readonly CellsRow[]; readonly total: number }> {
  const { cells, since } = now;
  if (since.size === 0)
    return { rows: await cells.faulty(from, count, kind), total: cells.faultyCount(kind) };
  const known = LISTS.get(since) ?? new Map<string, Promise<Uint32Array>>();
  LISTS.set(since, known);
  const list = known.get(kind ?? '') ?? listNow(now, kind);
  known.set(kind ?? '', list);
  const places = await list;
  return { rows: await cells.at(places.subarray(from, from + count)), total: places.length };
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
