import type { Row } from '../model/row.js';
import { fold } from '../util/fold.js';
import { headerForms, likeness, squash } from './header-forms.js';
import { SYNONYMS } from './synonyms.js';
import { textDate } from './text-dates.js';

/** A header stands among the first rows of its sheet. */
export const ROWS_LOOKED_AT = 40;
const LONGEST_HEADER = 60;

const NAMES: ReadonlySet<string> = new Set(
  Object.entries(SYNONYMS).flatMap(([key, names]) => [
    squash(key),
    squash(key.split('.').at(-1) ?? ''),
    ...names.map(squash),
  ]),
);

/** A text that could be the header of some field's column. */
function isKnownHeader(text: string): boolean {
  const forms = headerForms(text);
  if (NAMES.has(squash(text.split('.').at(-1) ?? '')) || forms.some((it) => NAMES.has(it.text))) return true;
  return [...NAMES].some((name) => likeness(forms, name) >= 0.78);
}

export interface HeaderRow {
  /** As Excel shows it. */
  readonly number: number;
  readonly columns: number;
  /** How many of its cells could be headers of fields. */
  readonly known: number;
}

/** The header row among a sheet's first rows: titles stand above it, data below. Undefined when none looks like one. */
export function findHeaderRow(rows: readonly Row[]): HeaderRow | undefined {
  const widest = Math.max(0, ...rows.map((row) => row.cells().length));
  const candidates = rows.flatMap((row) => {
    const found = rate(row, widest);
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

function rate(row: Row, widest: number): (HeaderRow & { readonly score: number }) | undefined {
  const cells = row.cells().filter((it) => fold(it.text) !== '');
  const texts = cells.map((it) => it.text);
  const words = cells.filter((it) => it.kind === 'text' && isWord(it.text));
  const wordy = words.length;
  if (cells.length === 0 || wordy * 2 < cells.length) return undefined;
  const known = words.filter((it) => isKnownHeader(it.text)).length;
  const distinct = new Set(texts.map(fold)).size;
  const full = widest === 0 ? 0 : cells.length / widest;
  const score = known * 3 + 4 * full * (wordy / cells.length) * (distinct / cells.length);
  return { number: row.number, columns: cells.length, known, score };
}

/** Something that a person would write above a column. */
function isWord(text: string): boolean {
  const it = text.trim();
  if (it.length > LONGEST_HEADER || !/\p{L}/u.test(it) || /@/.test(it)) return false;
  return textDate(it) === undefined && !/^[A-Za-z]*[-_]?\d{3,}/.test(it);
}
