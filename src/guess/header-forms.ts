/** A header or a name without spaces, signs, width and case, for comparison. */
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
  /** Weight of a match with this part of the header, up to 1. */
  readonly weight: number;
}

const BRACKETS = /[(（【[〔<][^)）】\]〕>]*[)）】\]〕>]/gu;
const MARKS = /(?:必填|选填|可选|可空|required|optional|mandatory)/giu;

/** Longer texts are no headers; only this much is compared. */
const LONGEST = 200;

/** The forms of a header: as a whole, without brackets, and each part of it (several languages or lines). */
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

/** Words at the end of a header that say what kind of value stands under it. */
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

/** Cached, as the same names are compared with every header. */
function kindOf(form: string): number {
  const known = kinds.get(form);
  if (known !== undefined) return known;
  if (kinds.size >= CACHE_SIZE) kinds.clear();
  const found = KINDS.findIndex((words) => words.some((it) => form.endsWith(it)));
  kinds.set(form, found);
  return found;
}

/**
 * How well a header fits a name, 0 to 1: the same, one inside the other, or nearly the same.
 * @param forms of `headerForms`
 * @param name squashed
 */
export function likeness(forms: readonly HeaderForm[], name: string): number {
  let best = 0;
  for (const { text, weight } of forms) best = Math.max(best, weight * alike(text, name));
  return best;
}

function alike(form: string, name: string): number {
  if (form === name) return 1;
  const [short, long] = form.length < name.length ? [form, name] : [name, form];
  const ratio = short.length / long.length;
  if (ratio < 0.5 || short.length < leastLength(short) || KIND_WORDS.has(form)) return 0;
  const [kind, wanted] = [kindOf(form), kindOf(name)];
  // The word for the kind may be misspelt.
  if (kind !== wanted && kind >= 0 && wanted >= 0) return 0;
  if (long.includes(short)) return kind === wanted ? 0.55 + 0.3 * ratio : 0;
  const common = dice(form, name);
  return common >= 0.7 ? 0.25 + 0.55 * common : 0;
}

/** Shorter texts occur within many words. */
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
