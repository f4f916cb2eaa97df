import { setImmediate } from 'node:timers/promises';
import type { CellsFile, CellsRow } from '../../run/cells/cells-file.js';
import { isFaulty, kindsOf, type RowProblems } from '../../run/cells/cells-kinds.js';
import { type ImportNow, shownCells } from './import-views.js';

type CheckedRows = Pick<ImportNow, 'cells' | 'since'>;
type ListedRows = Pick<ImportNow, 'cells' | 'since' | 'overlay'>;

/** Positions of the rows that are invalid now, by kind ('' for any kind). The key is the set of changed rows. */
const LISTS = new WeakMap<ImportNow['since'], Map<string, Promise<Uint32Array>>>();

interface FaultyRowsQuery {
  readonly from: number;
  readonly count: number;
  readonly kind?: string | undefined;
}

/** Rows with problems, or with one kind of problem: those of the last check, updated with the corrections since. */
export async function invalidRows(
  now: CheckedRows,
  { from, count, kind }: FaultyRowsQuery,
): Promise<{ readonly rows: readonly CellsRow[]; readonly total: number }> {
  const { cells, since } = now;
  if (since.size === 0)
    return { rows: await cells.invalidRows(from, count, kind), total: cells.invalidCount(kind) };
  const places = await invalidPlaces(now, kind);
  return { rows: await cells.at(places.subarray(from, from + count)), total: places.length };
}

/** Which rows a page lists, and in which order. */
export interface RowListQuery {
  /** Only rows with problems. */
  readonly invalid?: boolean | undefined;
  /** Only rows with this kind of problem. */
  readonly kind?: string | undefined;
  /** Texts that cells must contain, by column (A is 1). Upper and lower case are the same. */
  readonly filter?: Readonly<Record<string, string>> | undefined;
  /** The column (A is 1) to sort by; negative for descending order. Without it, the order is that of the sheet. */
  readonly sort?: number | undefined;
}

/**
 * Positions of the listed rows, for a page that continues to show the same rows while they are fixed. Run-length
 * encoded: the number of positions skipped (negative: backwards) and the number listed, alternating.
 */
export async function positionsView(now: ListedRows, query: RowListQuery) {
  const list = await rowPositions(now, query);
  const places: number[] = [];
  let next = 0;
  for (const place of list) {
    if (place === next && places.length > 0) places[places.length - 1]! += 1;
    else places.push(place - next, 1);
    next = place + 1;
  }
  return { places, total: list.length };
}

async function rowPositions(now: ListedRows, { invalid, kind, filter, sort }: RowListQuery) {
  const isPart = invalid || kind !== undefined;
  const part = isPart ? await invalidPlaces(now, kind) : undefined;
  const filters = Object.entries(filter ?? {}).map(
    ([column, text]) => [Number(column), text.toLowerCase()] as const,
  );
  if (filters.length === 0 && sort === undefined) return part ?? [...Array(now.cells.facts.rows).keys()];
  const columns = [...filters.map(([column]) => column), Math.abs(sort ?? 1)].map((column) => ({
    column,
    text: '',
  }));
  const places: number[] = [];
  const texts: string[] = [];
  for await (const { index, row } of now.cells.scan(part)) {
    const shown = shownCells(row, columns, now.overlay.row(row.number));
    if (!filters.every(([, text], at) => shown[at]!.toLowerCase().includes(text))) continue;
    places.push(index);
    if (sort !== undefined) texts.push(shown.at(-1)!.trim());
  }
  if (sort === undefined) return Uint32Array.from(places);
  const order = await sorted(texts, sort < 0 ? -1 : 1);
  return order.map((it) => places[it]!);
}

const NUMBER = /^-?\d+(\.\d+)?$/;
/** Number of texts compared before other requests are processed. */
const TURN = 1 << 14;

/** Indexes of texts in the order of spreadsheets: numbers before other texts, empty ones last in both directions. */
async function sorted(texts: readonly string[], direction: 1 | -1): Promise<Uint32Array> {
  const numbers = Float64Array.from(texts, (it) => (NUMBER.test(it) ? Number(it) : Number.POSITIVE_INFINITY));
  const folded = texts.map((it) => it.toLowerCase());
  const compare = (a: number, b: number): number => {
    const [x, y] = [folded[a]!, folded[b]!];
    if (x === y) return a - b;
    if (x === '' || y === '') return x === '' ? 1 : -1;
    if (numbers[a] !== numbers[b]) return numbers[a]! < numbers[b]! ? -direction : direction;
    return x < y ? -direction : direction;
  };
  let from = Uint32Array.from(texts.keys());
  let to = new Uint32Array(from.length);
  for (let start = 0; start < from.length; start += TURN) {
    from.subarray(start, start + TURN).sort(compare);
    await setImmediate();
  }
  for (let width = TURN; width < from.length; width *= 2) {
    for (let start = 0; start < from.length; start += 2 * width) {
      const [middle, end] = [start + width, Math.min(start + 2 * width, from.length)];
      let [left, right] = [start, middle];
      for (let at = start; at < end; at += 1) {
        const isLeft = right >= end || (left < middle && compare(from[left]!, from[right]!) < 0);
        to[at] = from[isLeft ? left : right]!;
        if (isLeft) left += 1;
        else right += 1;
        if (at % TURN === 0) await setImmediate();
      }
    }
    [from, to] = [to, from];
  }
  return from;
}

function invalidPlaces(now: CheckedRows, kind: string | undefined): Promise<Uint32Array> {
  const { cells, since } = now;
  if (since.size === 0) return cells.invalidPlaces(kind);
  const known = LISTS.get(since) ?? new Map<string, Promise<Uint32Array>>();
  LISTS.set(since, known);
  const list = known.get(kind ?? '') ?? listNow(now, kind);
  known.set(kind ?? '', list);
  return list;
}

async function listNow({ cells, since }: CheckedRows, kind: string | undefined): Promise<Uint32Array> {
  const places = new Set(await cells.invalidPlaces(kind));
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
