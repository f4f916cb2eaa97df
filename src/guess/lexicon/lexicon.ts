import { FILLING, FOREIGN, ORIGINAL } from './asides.js';
import { DEEDS } from './deeds.js';
import { KINDS } from './kinds.js';
import { THINGS } from './things.js';

/** What a word says: what a column is about, what is done, that it is nobody's, or nothing. */
export type Word =
  | { readonly kind: 'concept'; readonly concept: string }
  | { readonly kind: 'deed'; readonly deed: string }
  | { readonly kind: 'foreign' | 'filling' | 'original' };

/** Common short forms, as they stand in exported headers. */
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
export function unitsOf(text: string): readonly string[] {
  const parted = text.normalize('NFKC').replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ');
  const units = parted.toLowerCase().match(/[\u3400-\u9fff]|[^\P{L}\u3400-\u9fff]+|#/gu) ?? [];
  return units.map(plain);
}

const JOINT = ' ';
let longest = 1;
const WORDS = new Map<string, Word>();

/** `(经办|执行)(人|人员)` stands for each of the first with each of the second. */
function spread(text: string): readonly string[] {
  const group = /\(([^()]*)\)/.exec(text);
  if (!group) return [text];
  const [whole, choices = ''] = group;
  return choices.split('|').flatMap((it) => spread(text.replace(whole, () => it)));
}

function learn(words: string, word: Word): void {
  for (const text of words.split(/[,\n]/).flatMap(spread)) {
    const units = unitsOf(text);
    if (units.length === 0) continue;
    longest = Math.max(longest, units.length);
    const key = units.join(JOINT);
    if (!WORDS.has(key)) WORDS.set(key, word);
  }
}

learn(ORIGINAL, { kind: 'original' });
for (const [concept, words] of Object.entries({ ...THINGS, ...KINDS }))
  learn(words, { kind: 'concept', concept });
for (const [deed, words] of Object.entries(DEEDS)) learn(words, { kind: 'deed', deed });
learn(FOREIGN, { kind: 'foreign' });
learn(FILLING, { kind: 'filling' });

interface Parting {
  readonly words: readonly (Word | undefined)[];
  readonly unknown: number;
}

/**
 * A text as the words that are known, undefined for each that isn't: parted so that the least is left over, and into
 * the longest words. The longest one at each place would not do, as `所在地` in `所在地址`.
 */
export function wordsOf(text: string): readonly (Word | undefined)[] {
  const units = unitsOf(text);
  const best: Parting[] = [{ words: [], unknown: 0 }];
  for (let end = 1; end <= units.length; end += 1) {
    const before = best[end - 1]!;
    let found: Parting = { words: [...before.words, undefined], unknown: before.unknown + 1 };
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
