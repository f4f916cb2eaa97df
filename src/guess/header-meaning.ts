import { type Word, wordsOf } from './lexicon/lexicon.js';

/** The meaning of a header's words. */
interface Meaning {
  /** Its concepts in a fixed order. Headers with the same key mean the same. */
  readonly key: string;
  /** Tasks that it names: `Locks to disable`. */
  readonly tasks: readonly string[];
  /** It has a word of columns that no field takes: a remark, a price, a former value. */
  readonly foreign: boolean;
  /** Unknown words: none, some beside the known ones, or the last one, which says what the column is. */
  readonly unknown: 'none' | 'beside' | 'head';
}

export interface HeaderReading extends Meaning {
  /** How much a match of this part of the header is worth, up to 1. */
  readonly weight: number;
}

const BRACKETS = /[(（【[〔<]([^)）】\]〕>]*)[)）】\]〕>]/gu;
const CLAUSE = /\s(?:after|at|for|in|with|under|according to|as of)\s.*$/is;
const LONGEST = 200;

/** The readings of a header: as a whole, without brackets, and each of its parts. */
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

/** Whether a header names something that no field takes; brackets count, as in `Name (sales rep)`. */
export function isForeign(header: string): boolean {
  return meaningOf(header.slice(0, LONGEST).replace(/[’']s\b/g, '')).foreign;
}

export function meaningOf(text: string): Meaning {
  const words = wordsOf(text);
  const concepts = new Set<string>();
  const tasks = new Set<string>();
  let foreign = false;
  let original = false;
  for (const word of words) {
    if (word?.kind === 'concept') concepts.add(word.concept);
    else if (word?.kind === 'task') tasks.add(word.task);
    else if (word?.kind === 'foreign') foreign = true;
    else if (word?.kind === 'original') original = true;
  }
  if (original) {
    // Former names and addresses aren't sent; the original order is a field.
    if (['order', 'slip', 'licence'].some((it) => concepts.has(it))) concepts.add('source');
    else foreign = true;
  }
  removeImplied(concepts, tasks);
  return { key: [...concepts].sort().join(' '), tasks: [...tasks], foreign, unknown: unknownIn(words) };
}

function unknownIn(words: readonly (Word | undefined)[]): Meaning['unknown'] {
  if (words.every((it) => it !== undefined)) return 'none';
  return words.at(-1) === undefined ? 'head' : 'beside';
}

/** Concepts that are implied by another: if one of `first` is there, those of `rest` are dropped. */
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

function removeImplied(concepts: Set<string>, tasks: ReadonlySet<string>): void {
  const has = (...names: string[]): boolean => names.some((it) => concepts.has(it));
  const drop = (...names: readonly string[]): void => {
    for (const it of names) concepts.delete(it);
  };
  // `Number of the customer` is an identifier, `number of nodes` a count.
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
  if (has('slip') || (concepts.size === 1 && has('number'))) asSlip(concepts, tasks);
  else if (has('order') && tasks.has('return')) concepts.add('return');
  for (const [first, rest] of IMPLIED) if (has(...first)) drop(...rest.filter((it) => !first.includes(it)));
  if (concepts.size > 1 && !has('trial', 'lent', 'transfer', 'strict', 'default')) drop('flag');
}

/** A slip's number is that of its order; so is the number of a return or a purchase. */
function asSlip(concepts: Set<string>, tasks: ReadonlySet<string>): void {
  const had = concepts.delete('slip');
  if (tasks.has('apply') && !tasks.has('return')) {
    concepts.delete('number');
    concepts.add('order').add('applied');
  } else if (tasks.has('return')) {
    concepts.delete('number');
    concepts.add('return');
  } else if (had || tasks.has('buy')) {
    concepts.delete('number');
    concepts.add('order');
  }
}
