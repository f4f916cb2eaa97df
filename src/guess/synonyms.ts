import { WORD_TABLES } from '../platform/operations/words.js';

/** A name, and how far it tells its field: one that fits several fields asks to be looked at. */
export interface Synonym {
  readonly text: string;
  readonly tells: 'surely' | 'likely' | 'perhaps';
}

/**
 * What people call a field in the headers of their spreadsheets, by field name. Where a name occurs in several tables
 * (`limitStartDate` of an asset and of a product), `table.name` stands for that table alone. Compared by what their
 * words mean.
 */
export const SYNONYMS: Readonly<Record<string, readonly Synonym[]>> = Object.fromEntries(
  WORD_TABLES.flatMap(({ headers = {} }) =>
    Object.entries(headers).map(([field, names]) => [field, namesIn(names)]),
  ),
);

function namesIn(headers: string): readonly Synonym[] {
  return headers
    .split(',')
    .map((it) => it.replace(/\s+/g, ' ').trim())
    .filter((it) => it !== '')
    .map(synonym);
}

function synonym(written: string): Synonym {
  const text = written.replace(/\?+$/, '');
  const marks = written.length - text.length;
  return { text, tells: marks === 0 ? 'surely' : marks === 1 ? 'likely' : 'perhaps' };
}
