import { headerForms, likeness, squash } from './header-forms.js';
import { type HeaderReading, isForeign, meaningOf, readingsOf } from './header-meaning.js';
import type { Synonym } from './synonyms.js';
import { synonymsOf, type TargetField } from './targets.js';

/** A header, prepared once for the comparison with all fields. */
export interface HeaderWords {
  readonly text: string;
  readonly squashed: string;
  readonly forms: ReturnType<typeof headerForms>;
  readonly readings: readonly HeaderReading[];
  readonly foreign: boolean;
  /** How many things its words name. */
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

/** Scores of names by certainty; below 0.9 the user is asked. */
const WORTH: Readonly<Record<Synonym['certainty'], number>> = { surely: 0.97, likely: 0.8, perhaps: 0.72 };
/** Factor for a header with unknown words beside the known ones. */
const BESIDE = 0.84;
/** Limit for a name that is only similar: it may be misspelt, or another word. */
const NEARLY = 0.85;

/** How well a header names a field, 0 to 1. 0.9 and more only if it can't mean anything else. */
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
    // An ambiguous name with an unknown word beside it is too uncertain.
    if (worth === undefined || (reading.unknown === 'beside' && worth < WORTH.surely)) continue;
    best = Math.max(best, worth * reading.weight * (reading.unknown === 'beside' ? BESIDE : 1));
  }
  // If every word is known, the header means something else, however similar it looks.
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
  const there = known.get(synonyms);
  if (there) return there;
  const exact = new Map<string, number>();
  const byMeaning = new Map<string, number>();
  for (const { text, certainty } of synonyms) {
    const name = squash(text);
    if (!exact.has(name)) exact.set(name, certainty === 'surely' ? 0.99 : WORTH[certainty]);
    const { key, unknown, tasks } = meaningOf(text);
    // Of names with the same meaning the least certain one counts. A task that isn't part of the key would be lost:
    // `Locks wanted` is not `Locks`.
    const isLost = tasks.length > 0 && !/return|applied|order/.test(key);
    if (key !== '' && unknown === 'none' && !isLost)
      byMeaning.set(key, Math.min(byMeaning.get(key) ?? 1, WORTH[certainty]));
  }
  // The field's own name in any case, unless a listed name has it already, as with `Customer ID`.
  const own = squash(target.field.name);
  if (!exact.has(own)) exact.set(own, WORTH.surely);
  const names = { exact, byMeaning };
  known.set(synonyms, names);
  return names;
}
