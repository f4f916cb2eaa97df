import type { Row } from '../model/row.js';
import { findHeaderRow as findByVocabulary, type HeaderRow } from '../source/header-row.js';
import { headerForms, likeness, squash } from './header-forms.js';
import { SYNONYMS } from './synonyms.js';

const NAMES: ReadonlySet<string> = new Set(
  Object.entries(SYNONYMS).flatMap(([key, names]) => [
    squash(key),
    squash(key.split('.').at(-1) ?? ''),
    ...names.map((it) => squash(it.text)),
  ]),
);

/** A text that could be the header of some field's column. */
function isKnownHeader(text: string): boolean {
  const forms = headerForms(text);
  if (NAMES.has(squash(text.split('.').at(-1) ?? '')) || forms.some((it) => NAMES.has(it.text))) return true;
  return [...NAMES].some((name) => likeness(forms, name) >= 0.78);
}

/** The header row among a sheet's first rows, known by the names that fields' columns go by. */
export function findHeaderRow(rows: readonly Row[]): HeaderRow | undefined {
  return findByVocabulary(rows, isKnownHeader);
}
