import { FILLER, NO_FIELD, ORIGINAL, TASKS } from './no-field-words.js';
import { SUBJECTS } from './subject-words.js';
import { VALUES } from './value-words.js';

/** A word's meaning: what a column is about, what is to be done, that no field takes the column, or nothing. */
export type Word =
  | { readonly kind: 'concept'; readonly concept: string }
  | { readonly kind: 'task'; readonly task: string }
  | { readonly kind: 'foreign' | 'filling' | 'original' };

/** Abbreviations that are common in headers. */
const SHORT: Readonly<Record<string, string>> = {
  acct: 'account',
  addr: 'address',
  adm: 'admin',
  chan: 'channel',
  cust: 'customer',
  ent: 'enterprise',
  exp: 'expiry',
  lic: 'licence',
  license: 'licence',
  mgr: 'manager',
  mob: 'mobile',
  nbr: 'number',
  num: 'number',
  nr: 'number',
  nos: 'no',
  ord: 'order',
  org: 'organisation',
  prod: 'product',
  pkg: 'package',
  qty: 'quantity',
  ser: 'serial',
};

/** A word in full and in the singular. */
function plain(word: string): string {
  const full = Object.hasOwn(SHORT, word) ? SHORT[word]! : word;
  if (full.length < 4 || /(?:ss|us|is)$/.test(full)) return full;
  if (full.endsWith('ies')) return `${full.slice(0, -3)}y`;
  if (/(?:ch|sh|ss|x)es$/.test(full)) return full.slice(0, -2);
  const one = full.endsWith('s') ? full.slice(0, -1) : full;
  return Object.hasOwn(SHORT, one) ? SHORT[one]! : one;
}

/** Words of Latin letters whole and in the singular, Chinese by character. */
function unitsOf(text: string): readonly string[] {
  const parted = text.normalize('NFKC').replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ');
  const units = parted.toLowerCase().match(/[\u3400-\u9fff]|[^\P{L}\u3400-\u9fff]+|#/gu) ?? [];
  return units.map(plain);
}

const JOINT = ' ';
let longest = 1;
const WORDS = new Map<string, Word>();

/** Expands `(经办|执行)(人|人员)` to each of the first with each of the second. */
function expand(text: string): readonly string[] {
  const group = /\(([^()]*)\)/.exec(text);
  if (!group) return [text];
  const [whole, choices = ''] = group;
  return choices.split('|').flatMap((it) => expand(text.replace(whole, () => it)));
}

function learn(words: string, word: Word): void {
  for (const text of words.split(/[,\n]/).flatMap(expand)) {
    const units = unitsOf(text);
    if (units.length === 0) continue;
    longest = Math.max(longest, units.length);
    const key = units.join(JOINT);
    if (!WORDS.has(key)) WORDS.set(key, word);
  }
}

learn(ORIGINAL, { kind: 'original' });
for (const [concept, words] of Object.entries({ ...SUBJECTS, ...VALUES }))
  learn(words, { kind: 'concept', concept });
for (const [task, words] of Object.entries(TASKS)) learn(words, { kind: 'task', task });
learn(NO_FIELD, { kind: 'foreign' });
learn(FILLER, { kind: 'filling' });

interface Split {
  readonly words: readonly (Word | undefined)[];
  readonly unknown: number;
}

/**
 * Splits a text into known words, with undefined for each unknown unit: as few unknown units as possible, then as few words
 * as possible. Taking the longest word at each place would be wrong, as with `所在地` in `所在地址`.
 */
export function wordsOf(text: string): readonly (Word | undefined)[] {
  const units = unitsOf(text);
  const best: Split[] = [{ words: [], unknown: 0 }];
  for (let end = 1; end <= units.length; end += 1) {
    const before = best[end - 1]!;
    let found: Split = { words: [...before.words, undefined], unknown: before.unknown + 1 };
    for (let length = Math.min(longest, end); length > 0; length -= 1) {
      const word = WORDS.get(units.slice(end - length, end).join(JOINT));
      if (!word) continue;
      const { words, unknown } = best[end - length]!;
      const isBetter =
        unknown < found.unknown || (unknown === found.unknown && words.length + 1 < found.words.length);
      if (isBetter) found = { words: [...words, word], unknown };
    }
    best.push(found);
  }
  return best.at(-1)!.words;
}
