import type { Row } from '../model/row.js';
import { fold } from '../util/fold.js';
import type { SheetInfo, Source } from './contract.js';

/** The header is expected within this many rows. */
const ROWS_SEARCHED = 40;
const LONGEST_HEADER = 60;

/** The first rows of a sheet, among which its header stands. */
export async function firstRows(source: Source, sheet: SheetInfo): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for await (const page of source.rows(sheet)) {
    rows.push(...page.slice(0, ROWS_SEARCHED - rows.length));
    if (rows.length >= ROWS_SEARCHED) break;
  }
  return rows;
}

export interface HeaderRow {
  /** As Excel shows it. */
  readonly number: number;
  readonly columns: number;
  /** Number of cells that `isKnown` recognised. */
  readonly known: number;
}

/**
 * The header row among a sheet's first rows, with titles above it and data below; undefined if no row looks like one.
 * @param isKnown whether a text is a header that the caller looks for
 */
export function findHeaderRow(
  rows: readonly Row[],
  isKnown: (text: string) => boolean,
): HeaderRow | undefined {
  const widest = Math.max(0, ...rows.map((row) => row.cells().length));
  const candidates = rows.flatMap((row) => {
    const found = rate(row, widest, isKnown);
    return found ? [found] : [];
  });
  let best = candidates[0];
  for (const it of candidates) if (best === undefined || it.score > best.score) best = it;
  if (!best) return undefined;
  // Two header lines, perhaps in two languages: the data begin below the second.
  const below = candidates.find((it) => it.number === best.number + 1);
  if (below && below.known >= 2 && below.known >= best.known * 0.8 && below.known * 2 >= below.columns)
    return below;
  return best;
}

function rate(
  row: Row,
  widest: number,
  isKnown: (text: string) => boolean,
): (HeaderRow & { readonly score: number }) | undefined {
  const cells = row.cells().filter((it) => fold(it.text) !== '');
  const texts = cells.map((it) => it.text);
  const words = cells.filter((it) => it.kind === 'text' && isWord(it.text));
  const wordy = words.length;
  if (cells.length === 0 || wordy * 2 < cells.length) return undefined;
  const known = words.filter((it) => isKnown(it.text)).length;
  const distinct = new Set(texts.map(fold)).size;
  const full = widest === 0 ? 0 : cells.length / widest;
  const score = known * 3 + 4 * full * (wordy / cells.length) * (distinct / cells.length);
  return { number: row.number, columns: cells.length, known, score };
}

/** Whether a person might write this text above a column. */
function isWord(text: string): boolean {
  const it = text.trim();
  if (it.length > LONGEST_HEADER || !/\p{L}/u.test(it) || /@/.test(it)) return false;
  const date = /^\d{4}\s*年\s*\d{1,2}\s*月|^\d{4}-\d{2}-\d{2}[Tt]/;
  return !date.test(it) && !/^[A-Za-z]*[-_]?\d{3,}/.test(it);
}
