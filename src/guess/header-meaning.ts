import { type Word, wordsOf } from './lexicon/lexicon.js';

/** What a header says by its words. */
export interface Meaning {
  /** Its concepts in a fixed order: two headers with the same key mean the same. */
  readonly key: string;
  /** What it says is to be done: `Locks to disable`. */
  readonly deeds: readonly string[];
  /** Holds a word that makes the column nobody's: a remark, a price, what was once. */
  readonly foreign: boolean;
  /** Words that aren't known: none, some beside the words that matter, or the one that says what stands there. */
  readonly unknown: 'none' | 'beside' | 'head';
}

export interface HeaderReading extends Meaning {
  /** How much a match of this part of the header is worth, up to 1. */
  readonly weight: number;
}

const BRACKETS = /[(（【[〔<]([^)）】\]〕>]*)[)）】\]〕>]/gu;
const CLAUSE = /\s(?:after|at|for|in|with|under|according to|as of)\s.*$/is;
const LONGEST = 200;

/** A header as people mean it: whole, without what stands in brackets, and each part of one in several parts. */
export function readingsOf(given: string): readonly HeaderReading[] {
  const header = given
    .slice(0, LONGEST)
    .normalize('NFKC')
    .replace(/[’']s\b/g, '')
    .replace(/\(e?s\)/gi, '')
    .replace(/\by{2,4}\W?m{1,2}\W?d{1,2}\b/gi, ' ')
    .replace(/\by\W?m\W?d\b/gi, ' expression ');
  const outside = header.replace(BRACKETS, ' ');
  const parts = header.split(/[\r\n/|\\()（）【】[\]:：]+/u).filter((it) => /\p{L}/u.test(it));
  const readings: HeaderReading[] = [];
  const add = (text: string, weight: number): void => {
    const meaning = meaningOf(text);
    if (
      meaning.key !== '' &&
      !readings.some((it) => it.key === meaning.key && it.unknown === meaning.unknown)
    )
      readings.push({ ...meaning, weight });
  };
  add(header, 1);
  add(outside, 0.98);
  // What follows says more of it: `Address after the move`.
  add(outside.replace(CLAUSE, ''), 0.93);
  if (parts.length > 1) for (const part of parts) add(part, 0.85);
  return readings;
}

/** Whether a header names what no field takes; what is in brackets counts, as in `Name (sales rep)`. */
export function isForeign(header: string): boolean {
  return meaningOf(header.slice(0, LONGEST).replace(/[’']s\b/g, '')).foreign;
}

export function meaningOf(text: string): Meaning {
  const words = wordsOf(text);
  const concepts = new Set<string>();
  const deeds = new Set<string>();
  let foreign = false;
  let original = false;
  for (const word of words) {
    if (word?.kind === 'concept') concepts.add(word.concept);
    else if (word?.kind === 'deed') deeds.add(word.deed);
    else if (word?.kind === 'foreign') foreign = true;
    else if (word?.kind === 'original') original = true;
  }
  if (original) {
    // What somebody's name or address was once is nothing to send; the order of old is asked for.
    if (['order', 'slip', 'licence'].some((it) => concepts.has(it))) concepts.add('source');
    else foreign = true;
  }
  settle(concepts, deeds);
  return { key: [...concepts].sort().join(' '), deeds: [...deeds], foreign, unknown: unknownIn(words) };
}

function unknownIn(words: readonly (Word | undefined)[]): Meaning['unknown'] {
  if (words.every((it) => it !== undefined)) return 'none';
  return words.at(-1) === undefined ? 'head' : 'beside';
}

/** Concepts that say nothing more beside another: `first` has said it all, so the rest of the row goes. */
const IMPLIED: readonly (readonly [first: readonly string[], rest: readonly string[]])[] = [
  [
    ['start', 'end'],
    ['date', 'valid', 'duration', 'licence', 'month', 'year', 'daycount', 'limit', 'accumulated'],
  ],
  [['node'], ['count', 'number', 'licence', 'limit', 'buy']],
  [
    ['month', 'year', 'daycount'],
    ['count', 'number', 'licence', 'accumulated', 'valid', 'date', 'duration', 'buy'],
  ],
  [['phone'], ['number']],
  [['email'], ['number', 'address', 'name']],
  [['enterprise'], ['account']],
  [['crm', 'admin'], ['system']],
  [['branch'], ['region']],
  [['address'], ['customer', 'enterprise', 'name', 'number', 'slip']],
  [
    ['uri', 'pid', 'appkey'],
    ['number', 'mnemonic', 'unique'],
  ],
  [['admin'], ['customer', 'enterprise', 'contact', 'cloud']],
  [['buyer', 'secure', 'operator'], ['contact']],
  [['operator'], ['phone', 'email', 'name', 'identity', 'account', 'number']],
  [['lock', 'order', 'crm', 'channel'], ['number']],
  [['lock', 'product'], ['licence']],
  [['count', 'duration'], ['licence']],
  [['number', 'name', 'type'], ['unique']],
];

function settle(concepts: Set<string>, deeds: ReadonlySet<string>): void {
  const has = (...names: string[]): boolean => names.some((it) => concepts.has(it));
  const drop = (...names: readonly string[]): void => {
    for (const it of names) concepts.delete(it);
  };
  // `Number of the customer` tells which one, `number of nodes` how many.
  if (has('count') && has('crm', 'channel', 'customer', 'order', 'branch')) {
    drop('count');
    concepts.add('number');
  }
  // `1-0-0`: years, months and days in one.
  const parts = ['year', 'month', 'daycount', 'date'].filter((it) => concepts.has(it));
  if (parts.length >= 2 && has('duration') && !has('start', 'end')) {
    drop(...parts);
    concepts.add('expression');
  }
  if (has('branch', 'source')) drop('participant');
  if (has('participant'))
    drop('account', 'phone', 'email', 'identity', 'name', 'number', 'lock', 'cloud', 'node');
  if (has('slip') || (concepts.size === 1 && has('number'))) asSlip(concepts, deeds);
  else if (has('order') && deeds.has('return')) concepts.add('return');
  for (const [first, rest] of IMPLIED) if (has(...first)) drop(...rest.filter((it) => !first.includes(it)));
  if (concepts.size > 1 && !has('trial', 'lent', 'transfer', 'strict', 'default')) drop('flag');
}

/** A slip's number is its order's; that of a return or a purchase too, though it isn't called an order. */
function asSlip(concepts: Set<string>, deeds: ReadonlySet<string>): void {
  const had = concepts.delete('slip');
  if (deeds.has('apply') && !deeds.has('return')) {
    concepts.delete('number');
    concepts.add('order').add('applied');
  } else if (deeds.has('return')) {
    concepts.delete('number');
    concepts.add('return');
  } else if (had || deeds.has('buy')) {
    concepts.delete('number');
    concepts.add('order');
  }
}
