import type { Row } from '../model/row.js';
import { fold } from '../util/fold.js';
import type { SheetInfo, Source } from './contract.js';

/** A header stands among the first rows of its sheet. */
const ROWS_LOOKED_AT = 40;
const LONGEST_HEADER = 60;

/** The first rows of a sheet, among which its header stands. */
export async function firstRows(source: Source, sheet: SheetInfo): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for await (const page of source.rows(sheet)) {
    rows.push(...page.slice(0, ROWS_LOOKED_AT - rows.length));
    if (rows.length >= ROWS_LOOKED_AT) break;
  }
  return rows;
}

export interface HeaderRow {
  /** As Excel shows it. */
  readonly number: number;
  readonly columns: number;
  /** How many of its cells are known to be headers. */
  readonly known: number;
}

/**
 * The header row among a sheet's first rows: titles stand above it, data below. Undefined when none looks like one.
 * @param isKnown whether a text is the header of some column that is looked for
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
  // Two lines of headers, in two languages perhaps: the data begin after the lower one.
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

/** Something that a person would write above a column. */
function isWord(text: string): boolean {
  const it = text.trim();
  if (it.length > LONGEST_HEADER || !/\p{L}/u.test(it) || /@/.test(it)) return false;
  const date = /^\d{4}\s*年\s*\d{1,2}\s*月|^\d{4}-\d{2}-\d{2}[Tt]/;
  return !date.test(it) && !/^[A-Za-z]*[-_]?\d{3,}/.test(it);
}
