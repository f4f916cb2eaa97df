import { headerForms, likeness, squash } from './header-forms.js';
import { type HeaderReading, isForeign, meaningOf, readingsOf } from './header-meaning.js';
import type { Synonym } from './synonyms.js';
import { synonymsOf, type TargetField } from './targets.js';

/** A header, read once for all fields that it is compared with. */
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
  const known = REMEMBERED.get(header);
  if (known) return known;
  if (REMEMBERED.size >= MOST_REMEMBERED) REMEMBERED.clear();
  const readings = readingsOf(header);
  const words = {
    text: header.trim(),
    squashed: squash(header),
    forms: headerForms(header),
    readings,
    specific: readings[0]?.key.split(' ').length ?? 0,
    foreign: isForeign(header),
  };
  REMEMBERED.set(header, words);
  return words;
}

const MOST_REMEMBERED = 500;
const REMEMBERED = new Map<string, HeaderWords>();

/** What a name is worth by how far it tells its field; below 0.9 a person is asked. */
const WORTH: Readonly<Record<Synonym['tells'], number>> = { surely: 0.97, likely: 0.8, perhaps: 0.72 };
/** Words that aren't known beside those that are: hardly more than likely. */
const BESIDE = 0.84;
/** A name that is only nearly the same may be misspelt, or another word. */
const NEARLY = 0.85;

/** How well a header names a field, 0 to 1; 0.9 and more only where nothing else could be meant by it. */
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
    // A name that leaves open which field is meant leaves it open twice beside a word that isn't known.
    if (worth === undefined || (reading.unknown === 'beside' && worth < WORTH.surely)) continue;
    best = Math.max(best, worth * reading.weight * (reading.unknown === 'beside' ? BESIDE : 1));
  }
  // Where every word is known the header means something else, however alike it looks.
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
  for (const { text, tells } of synonyms) {
    const name = squash(text);
    if (!exact.has(name)) exact.set(name, tells === 'surely' ? 0.99 : WORTH[tells]);
    const { key, unknown, deeds } = meaningOf(text);
    // Names that mean the same are worth what the least certain of them is.
    // A deed that made no other thing of the rest was lost: `Locks wanted` is not `Locks`.
    const isLost = deeds.length > 0 && !/return|applied|order/.test(key);
    if (key !== '' && unknown === 'none' && !isLost)
      byMeaning.set(key, Math.min(byMeaning.get(key) ?? 1, WORTH[tells]));
  }
  // Its own name in other letters, but where that fits other fields as well: `Customer ID`.
  const own = squash(target.field.name);
  if (!exact.has(own)) exact.set(own, WORTH.surely);
  const names = { exact, byMeaning };
  known.set(synonyms, names);
  return names;
}
