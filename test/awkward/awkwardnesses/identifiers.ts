import { dateCell } from '../lay-out.js';
import { type Column, type Draft, judge, type Laid, text } from '../sheet.js';
import { day } from '../words.js';
import { type Awkwardness, anyPlace, isIdentifier, isMapped, relay } from './kinds.js';

/** A cell of an identifier becomes another one, and it cannot be determined what it was. */
function mangled(
  name: string,
  format: 'xlsx' | 'csv' | undefined,
  make: (draft: Draft, value: string) => Laid | undefined,
  wanted = isIdentifier,
): Awkwardness {
  return {
    name,
    phase: 'cells',
    ...(format ? { format } : {}),
    apply(draft) {
      const place = anyPlace(draft, wanted);
      const cell = place && make(draft, String(place.value));
      if (!cell) return false;
      for (const line of relay(place, cell)) judge(line, 'fault', name);
      if (draft.joined && place.column.key) draft.refusal = 'may';
      return true;
    },
  };
}

/** The text is written another way, and still means what it meant. */
function disguised(
  name: string,
  verdict: 'data' | 'maybe',
  make: (draft: Draft, value: string) => Laid | undefined,
  format?: 'xlsx' | 'csv',
): Awkwardness {
  return {
    name,
    phase: 'cells',
    ...(format ? { format } : {}),
    apply(draft) {
      const place = anyPlace(draft, (column, value) => isIdentifier(column) && !String(value).includes(','));
      const cell = place && make(draft, String(place.value));
      if (!cell) return false;
      const lines = relay(place, cell);
      if (verdict === 'maybe') for (const line of lines) judge(line, 'maybe', name);
      return true;
    },
  };
}

const wide = (it: string): string =>
  it.replace(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0));

const inside = (draft: Draft, value: string, put: string): string => {
  const at = draft.random.whole(1, value.length - 1);
  return value.slice(0, at) + put + value.slice(at);
};

const isLock = (column: Column): boolean => isMapped(column) && column.type === 'lock';
/** Identifiers that may not be a person's name, an address or a password. */
const isChecked = (column: Column): boolean =>
  isIdentifier(column) && !/(?:operatorIdentity|Email|passwords|source)$/i.test(column.field ?? '');
const isWhole = (value: string): boolean => /^[1-9]\d{0,14}$/.test(value);

export const IDENTIFIERS: readonly Awkwardness[] = [
  mangled(
    'a word for nothing where an identifier belongs',
    undefined,
    ({ random }) =>
      text(random.pick(['NULL', '\\N', 'nan', 'N/A', '(空白)', '无', '暂无', '待定', '见备注', '-', '——'])),
    isChecked,
  ),
  mangled(
    'a character that looks like another one in an identifier',
    undefined,
    (draft, value) =>
      text(inside(draft, value, draft.random.pick(['\u2013', '\u2212', '①', 'Ⅳ', '²', '\u0421']))),
    isChecked,
  ),
  mangled(
    'a quote around an identifier',
    undefined,
    ({ random }, value) => text(random.pick([`\`${value}`, `‘${value}’`, `“${value}”`])),
    isChecked,
  ),
  mangled(
    'several locks by what does not separate them, a range or a remark',
    undefined,
    ({ random }) =>
      text(
        random.pick([
          '8300000101/8300000102',
          '8300000111-8300000113',
          '2把',
          '8300000132（旧）',
          '8300000101+2',
        ]),
      ),
    isLock,
  ),
  mangled(
    'digits grouped by commas in an identifier',
    undefined,
    ({ random }) => text(random.pick(['8,300,000,008', '1,003'])),
    isChecked,
  ),
  mangled(
    'a number with zeros after the point in an identifier',
    'csv',
    (_, value) => (isWhole(value) ? text(`${value}.0`) : undefined),
    isChecked,
  ),
  mangled(
    'a formula in a text file',
    'csv',
    ({ random }) => {
      const formula = random.pick(['=A2', '=1003']);
      return { kind: 'text', text: formula, asIs: formula };
    },
    isChecked,
  ),
  disguised(
    'a number format on an identifier',
    'data',
    ({ random }, value) =>
      isWhole(value)
        ? {
            kind: 'number',
            number: Number(value),
            ...random.pick([
              { format: '#,##0.00', shown: `${Number(value).toLocaleString('en-US')}.00` },
              { format: '0.0', shown: `${value}.0` },
              { format: '"LK"0', shown: `LK${value}` },
            ]),
          }
        : undefined,
    'xlsx',
  ),
  disguised(
    'an apostrophe before the digits of a text file',
    'data',
    (_, value) => (isWhole(value) ? { kind: 'text', text: `'${value}` } : undefined),
    'csv',
  ),
  mangled(
    'a number turned into a date',
    'xlsx',
    ({ random }) => dateCell(day(random, 2026)),
    (column) => isIdentifier(column) || (isMapped(column) && column.type === 'name'),
  ),
  mangled('a boolean where an identifier belongs', 'xlsx', ({ random }) => ({
    kind: 'boolean',
    boolean: random.chance(0.5),
  })),
  mangled('scientific notation in an identifier', undefined, ({ random }) =>
    text(random.pick(['1.23457E+17', '8.1E+09', '2.6e+6'])),
  ),
  mangled('a number of 18 digits', 'xlsx', () => ({ kind: 'number', number: 440106199001011200 })),
  mangled('full-width digits in an identifier', undefined, (_, value) =>
    /\d/.test(value) ? text(wide(value)) : undefined,
  ),
  mangled('an invisible character inside an identifier', undefined, (draft, value) =>
    text(inside(draft, value, draft.random.pick(['\u200b', '\u200e', '\u202d', '\ufeff']))),
  ),
  mangled(
    'a character that was lost',
    undefined,
    (draft, value) => text(inside(draft, value, '\ufffd')),
    isMapped,
  ),
  mangled(
    'a blank inside a lock number',
    undefined,
    (draft, value) => text(inside(draft, value.split(',')[0]!, draft.random.pick([' ', '\u00a0', '\u3000']))),
    (column) => isMapped(column) && column.type === 'lock',
  ),
  disguised('blanks around an identifier', 'data', ({ random }, value) =>
    text(random.pick([` ${value}`, `${value}  `, `\u00a0${value}`, `${value}\u3000`, `${value}\t`])),
  ),
  disguised("an invisible character at an identifier's end", 'maybe', ({ random }, value) =>
    text(value + random.pick(['\u200b', '\u200e', '\ufeff'])),
  ),
  disguised(
    'a text kept by ="…"',
    'data',
    ({ random }, value) => {
      if (/["\r\n,;\t|]/.test(value)) return undefined;
      const asIs = random.chance(0.5) ? `="${value}"` : `"=""${value}"""`;
      return { kind: 'text', text: value, asIs };
    },
    'csv',
  ),
];
