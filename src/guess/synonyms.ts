import { WORD_TABLES } from '../platform/operations/words.js';

/** A name of a field, and how certain it is: a name that several fields may have is only likely. */
export interface Synonym {
  readonly text: string;
  readonly certainty: 'surely' | 'likely' | 'perhaps';
}

/**
 * Names of fields in the headers of spreadsheets, by field name. If a field occurs in several tables (`limitStartDate` of an
 * asset and of a product), `table.name` is that of one table. They are compared by the meaning of their words.
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
  return { text, certainty: marks === 0 ? 'surely' : marks === 1 ? 'likely' : 'perhaps' };
}
