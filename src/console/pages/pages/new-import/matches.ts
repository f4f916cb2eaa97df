import type { z } from 'zod';
import type { matchedSchema, matchingSchema } from '../../../routes/import-schemas.js';

/** The columns of a file and the fields of its job. */
export type MatchedAnswer = z.infer<typeof matchedSchema>;

/** A request to match columns. */
type Matching = z.infer<typeof matchingSchema>;

export type FieldChoice = NonNullable<Matching['matches']>[number];
export type FieldEntry = MatchedAnswer['fields'][number];

/** What the user changed, by field and by the job's name of a column. */
export interface Matches {
  readonly fields: Readonly<Record<string, FieldChoice>>;
  readonly renames: Readonly<Record<string, string>>;
}

export const NO_MATCHES: Matches = { fields: {}, renames: {} };

/** A constant without a text is not sent: its field is still asked for. */
export function matchesToSend({ fields, renames }: Matches): Pick<Matching, 'matches' | 'renames'> {
  const matches = Object.values(fields).map(({ value, ...match }) => (value ? { ...match, value } : match));
  const isRenamed = Object.keys(renames).length > 0;
  return { ...(matches.length === 0 ? {} : { matches }), ...(isRenamed ? { renames } : {}) };
}

export interface Matched {
  readonly view: MatchedAnswer;
  readonly matches: Matches;
}

/** What fills a field after the user's changes, which may be newer than the view. */
export function filling({ view, matches }: Matched, { field, column, value }: FieldEntry) {
  const own = matches.fields[field];
  if (!own) return { column, value };
  return { column: view.columns.find((it) => it.header === own.column)?.column, value: own.value };
}

/** Required fields that nothing fills, and columns that the job reads and that are not matched yet. */
export function openQuestions(of: Matched): readonly (FieldEntry | string)[] {
  const fields = of.view.fields.filter((entry) => {
    const { column, value } = filling(of, entry);
    return entry.isRequired && !entry.sheet && !entry.isOther && column === undefined && !value;
  });
  return [...fields, ...of.view.missing.filter((it) => !of.matches.renames[it])];
}
