import { type Word, wordsOf } from './lexicon.js';

/** A header or a name for comparison: without spaces and signs, folded in width and case. */
export function squash(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .replaceAll('licence', 'license');
}

const SHORT: Readonly<Record<string, string>> = {
  acct: 'account',
  addr: 'address',
  adm: 'admin',
  cust: 'customer',
  ent: 'enterprise',
  exp: 'expiry',
  lic: 'license',
  mob: 'mobile',
  nbr: 'number',
  num: 'number',
  nr: 'number',
  ord: 'order',
  prod: 'product',
};

/** `custName`, `Cust. No.` with their words in full. */
function inFull(header: string): string {
  return header.replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ').replace(/[A-Za-z]+/g, (word) => {
    const short = word.toLowerCase();
    return Object.hasOwn(SHORT, short) ? SHORT[short]! : word;
  });
}

interface HeaderForm {
  readonly text: string;
  /** Weight of a match with this form, up to 1. */
  readonly weight: number;
}

const BRACKETS = /[(（【[〔<][^)）】\]〕>]*[)）】\]〕>]/gu;
const MARKS = /(?:必填|选填|可选|可空|required|optional|mandatory)/giu;

/** Number of characters that are compared. Longer texts are no headers. */
const LONGEST = 200;

/** The forms of a header: complete, without brackets, and each of its parts (languages or lines). */
export function headerForms(given: string): readonly HeaderForm[] {
  const header = given.slice(0, LONGEST);
  const forms = new Map<string, number>();
  const add = (text: string, weight: number): void => {
    const form = squash(text);
    if (form !== '' && !forms.has(form)) forms.set(form, weight);
  };
  add(header, 1);
  add(header.replace(BRACKETS, ' '), 0.98);
  add(header.replace(BRACKETS, ' ').replace(MARKS, ' '), 0.97);
  add(inFull(header), 0.96);
  for (const part of header.split(/[\r\n/|\\()（）【】[\]:：]+/u)) add(part.replace(MARKS, ' '), 0.95);
  return [...forms].map(([text, weight]) => ({ text, weight }));
}

/** Final words of a header that name the kind of its values. */
const KINDS: readonly (readonly string[])[] = [
  [
    '手机号码',
    '手机号',
    '手机',
    '电话号码',
    '电话',
    '联系方式',
    'mobile',
    'phone',
    'cell',
    'tel',
    'telephone',
  ],
  ['邮箱', '邮件', 'email', 'mail'],
  ['日期', '时间', '日', 'date', 'time', 'until', 'from', 'on'],
  ['类型', '类别', '种类', 'type', 'kind', 'category'],
  ['名称', '姓名', 'name'],
  ['账号', '帐号', '账户', 'account', 'login'],
  ['地址', 'address'],
  ['数量', '个数', '金额', '价格', '单价', '总价', 'amount', 'price', 'total', 'count', 'qty', 'quantity'],
  ['编号', '编码', '代码', '号码', '号', 'id', 'no', 'number', 'code', 'num'],
  ['备注', '说明', '描述', '微信', 'qq', 'note', 'notes', 'remark', 'remarks', 'comment', 'description'],
  ['经理', '销售', 'manager', 'sales', 'owner', 'rep'],
];

const KIND_WORDS: ReadonlySet<string> = new Set(KINDS.flat());
const CACHE_SIZE = 5000;
const kinds = new Map<string, number>();

/** Cached, because the same names are compared with every header. */
function kindOf(form: string): number {
  const known = kinds.get(form);
  if (known !== undefined) return known;
  if (kinds.size >= CACHE_SIZE) kinds.clear();
  const found = KINDS.findIndex((words) => words.some((it) => form.endsWith(it)));
  kinds.set(form, found);
  return found;
}

/**
 * Similarity of a header and a name, 0 to 1: equal, one within the other, or nearly equal.
 * @param forms result of `headerForms`
 * @param name squashed
 */
export function likeness(forms: readonly HeaderForm[], name: string): number {
  let best = 0;
  for (const { text, weight } of forms) best = Math.max(best, weight * similarity(text, name));
  return best;
}

function similarity(form: string, name: string): number {
  if (form === name) return 1;
  const [short, long] = form.length < name.length ? [form, name] : [name, form];
  const ratio = short.length / long.length;
  if (ratio < 0.5 || short.length < leastLength(short) || KIND_WORDS.has(form)) return 0;
  const [kind, nameKind] = [kindOf(form), kindOf(name)];
  // -1 is an unknown kind: its word may be misspelt.
  if (kind !== nameKind && kind >= 0 && nameKind >= 0) return 0;
  if (long.includes(short)) return kind === nameKind ? 0.55 + 0.3 * ratio : 0;
  const common = dice(form, name);
  return common >= 0.7 ? 0.25 + 0.55 * common : 0;
}

/** Minimum length: shorter texts occur within many words. */
function leastLength(text: string): number {
  return /[\u3400-\u9fff]/u.test(text) ? 3 : 6;
}

/** Share of letter pairs that two words have in common, 0 to 1. */
function dice(a: string, b: string): number {
  const pairs = (text: string): string[] =>
    [...text].slice(1).map((_, index) => text.slice(index, index + 2));
  const left = pairs(a);
  const right = pairs(b);
  if (left.length + right.length === 0) return 0;
  let shared = 0;
  for (const pair of left) {
    const at = right.indexOf(pair);
    if (at < 0) continue;
    shared += 1;
    right.splice(at, 1);
  }
  return (2 * shared) / (left.length + right.length + shared);
}

/** The meaning of a header's words. */
interface Meaning {
  /** The sorted concepts. Headers with the same key have the same meaning. */
  readonly key: string;
  /** Named tasks: `Locks to disable`. */
  readonly tasks: readonly string[];
  /** True if a word belongs to columns without a field: a remark, a price, a former value. */
  readonly foreign: boolean;
  /** Unknown words: none, some next to known ones, or the last one, which names the kind of the column. */
  readonly unknown: 'none' | 'beside' | 'head';
}

export interface HeaderReading extends Meaning {
  /** Weight of a match with this reading, up to 1. */
  readonly weight: number;
}

const CLAUSE = /\s(?:after|at|for|in|with|under|according to|as of)\s.*$/is;

/** The readings of a header: complete, without brackets, and each of its parts. */
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
  // The clause only qualifies the header: `Address after the move`.
  add(outside.replace(CLAUSE, ''), 0.93);
  if (parts.length > 1) for (const part of parts) add(part, 0.85);
  return readings;
}

/** True for a header of a column without a field. Brackets are included, as in `Name (sales rep)`. */
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

/** Concepts implied by others: if one of `first` is present, those of `rest` are removed. */
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
    for (const name of names) concepts.delete(name);
  };
  // `Number of the customer` is an identifier, `number of nodes` a count.
  if (has('count') && has('crm', 'channel', 'customer', 'order', 'branch')) {
    drop('count');
    concepts.add('number');
  }
  // `1-0-0`: years, months and days in one column.
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

/** The number of a slip, a return or a purchase is treated as that of its order. */
function asSlip(concepts: Set<string>, tasks: ReadonlySet<string>): void {
  const wasSlip = concepts.delete('slip');
  if (tasks.has('apply') && !tasks.has('return')) {
    concepts.delete('number');
    concepts.add('order').add('applied');
  } else if (tasks.has('return')) {
    concepts.delete('number');
    concepts.add('return');
  } else if (wasSlip || tasks.has('buy')) {
    concepts.delete('number');
    concepts.add('order');
  }
}
