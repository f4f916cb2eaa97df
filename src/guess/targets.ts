import { type Field, leafFields } from '../model/field.js';
import { type Operation, shownPath } from '../model/operation.js';
import { WORD_TABLES } from '../platform/operations/operation-words.js';
import {
  type HeaderReading,
  headerForms,
  isForeign,
  likeness,
  meaningOf,
  readingsOf,
  squash,
} from './header-meaning.js';

/** A name of a field with its certainty. A name of several fields is only likely. */
export interface Synonym {
  readonly text: string;
  readonly certainty: 'surely' | 'likely' | 'perhaps';
}

/**
 * Names of fields in headers of spreadsheets, by field name. If a field occurs in several tables (`limitStartDate` of an
 * asset and of a product), `table.name` is the field of one table. Names are compared by the meaning of their words.
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

/** A field that a column may fill. */
export interface TargetField {
  /** Wire path from the top of the request. */
  readonly path: readonly string[];
  /** Wire path of the table that contains it; empty at the top. */
  readonly level: string;
  /** As users write it: without the items' array. */
  readonly shown: string;
  readonly field: Field;
  /** True in a revocation, where an order's number identifies a different order than in a purchase. */
  readonly revokes: boolean;
}

const PRODUCT_LISTS: ReadonlySet<string> = new Set(['products', 'licenseOrderProductList']);

/** Every leaf of an operation, except fields that the program sets and packages inside packages. */
export function targetsOf(operation: Operation): readonly TargetField[] {
  // The program sets `sequence`.
  const leaves = [...leafFields(operation.shape)].filter(({ field }) => field.name !== 'sequence');
  return leaves.map(({ path, field }) => ({
    path,
    field,
    revokes: operation.revokes !== undefined,
    level: path.slice(0, -1).join('.'),
    shown: shownPath(path.join('.'), operation),
  }));
}

/** The names of the field, the most usual first. */
export function namesOf(target: TargetField): readonly string[] {
  return synonymsOf(target).map((it) => it.text);
}

/** The names of a field with their certainty; the same list for the same field. */
export function synonymsOf(target: TargetField): readonly Synonym[] {
  const { name } = target.field;
  const table = target.path.at(-2) ?? '';
  const specific = (target.revokes ? SYNONYMS[`delete.${name}`] : undefined) ?? SYNONYMS[`${table}.${name}`];
  if (specific) return specific;
  const product = PRODUCT_LISTS.has(table) ? SYNONYMS[`products.${name}`] : undefined;
  // Assets have their own dates, but a single pair of dates belongs to the product.
  return product ?? SYNONYMS[name] ?? NONE;
}

const NONE: readonly Synonym[] = [];

/** The last part of a level: `products`. */
export function tableOf(level: string): string {
  return level.split('.').at(-1) ?? '';
}

/** A header that is prepared for the comparison with all fields. */
export interface HeaderWords {
  readonly text: string;
  readonly squashed: string;
  readonly forms: ReturnType<typeof headerForms>;
  readonly readings: readonly HeaderReading[];
  readonly foreign: boolean;
  /** Number of concepts in its first reading. */
  readonly specific: number;
}

export function headerWords(header: string): HeaderWords {
  const known = CACHE.get(header);
  if (known) return known;
  if (CACHE.size >= CACHE_SIZE) CACHE.clear();
  const readings = readingsOf(header);
  const words = {
    text: header.trim(),
    squashed: squash(header),
    forms: headerForms(header),
    readings,
    specific: readings[0]?.key.split(' ').length ?? 0,
    foreign: isForeign(header),
  };
  CACHE.set(header, words);
  return words;
}

const CACHE_SIZE = 500;
const CACHE = new Map<string, HeaderWords>();

/** Scores of names by certainty; below 0.9 the job has a question for the user. */
const WORTH: Readonly<Record<Synonym['certainty'], number>> = { surely: 0.97, likely: 0.8, perhaps: 0.72 };
/** Factor for a header with unknown words next to the known ones. */
const BESIDE = 0.84;
/** Maximum score of a similar name, which may be misspelt or another word. */
const NEARLY = 0.85;

/** How well a header names a field, 0 to 1; 0.9 and more only if it has no other meaning. */
export function nameScore(header: HeaderWords, target: TargetField): number {
  const { squashed, readings, foreign } = header;
  if (squashed === squash(target.shown) || squashed === squash(target.path.join('.'))) return 1;
  if (header.text === target.field.name) return 0.999;
  const names = namesFor(target);
  const exact = names.exact.get(squashed);
  if (exact !== undefined) return exact;
  if (foreign) return 0;
  let best = 0;
  for (const reading of readings) {
    if (reading.unknown === 'head') continue;
    const worth = names.byMeaning.get(reading.key);
    // An ambiguous name with an unknown word next to it is too uncertain.
    if (worth === undefined || (reading.unknown === 'beside' && worth < WORTH.surely)) continue;
    best = Math.max(best, worth * reading.weight * (reading.unknown === 'beside' ? BESIDE : 1));
  }
  // If every word is known, the header has another meaning, however similar it looks.
  if (best > 0 || readings.every((it) => it.unknown === 'none')) return best;
  for (const [name, worth] of names.exact) best = Math.max(best, likeness(header.forms, name) * worth);
  return Math.min(NEARLY, best);
}

interface FieldNames {
  /** Squashed names with their worth. */
  readonly exact: ReadonlyMap<string, number>;
  readonly byMeaning: ReadonlyMap<string, number>;
}

const known = new WeakMap<readonly Synonym[], FieldNames>();

function namesFor(target: TargetField): FieldNames {
  const synonyms = synonymsOf(target);
  const cached = known.get(synonyms);
  if (cached) return cached;
  const exact = new Map<string, number>();
  const byMeaning = new Map<string, number>();
  for (const { text, certainty } of synonyms) {
    const name = squash(text);
    if (!exact.has(name)) exact.set(name, certainty === 'surely' ? 0.99 : WORTH[certainty]);
    const { key, unknown, tasks } = meaningOf(text);
    // Of names with the same meaning the least certain one is used. A task that isn't part of the key would be lost:
    // `Locks wanted` is not `Locks`.
    const isLost = tasks.length > 0 && !/return|applied|order/.test(key);
    if (key !== '' && unknown === 'none' && !isLost)
      byMeaning.set(key, Math.min(byMeaning.get(key) ?? 1, WORTH[certainty]));
  }
  // Always adds the field's own name, unless the list contains it, as with `Customer ID`.
  const fieldName = squash(target.field.name);
  if (!exact.has(fieldName)) exact.set(fieldName, WORTH.surely);
  const names = { exact, byMeaning };
  known.set(synonyms, names);
  return names;
}
