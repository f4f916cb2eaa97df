import { dateCell, number } from '../lay-out.js';
import { type Draft, judge, type Laid, text } from '../sheet.js';
import { type Awkwardness, anyPlace, isMapped } from './kinds.js';

function whole(
  name: string,
  verdict: 'data' | 'maybe' | 'fault',
  make: (value: number, draft: Draft) => Laid,
  format?: 'xlsx' | 'csv',
): Awkwardness {
  return {
    name,
    phase: 'cells',
    ...(format ? { format } : {}),
    apply(draft) {
      const place = anyPlace(draft, (column) => isMapped(column) && column.type === 'whole');
      if (!place) return false;
      place.line.cells[place.at] = make(Number(place.value), draft);
      if (verdict !== 'data') judge(place.line, verdict, name);
      return true;
    },
  };
}

const wide = (it: number): string =>
  String(it).replace(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0));

export const NUMBERS: readonly Awkwardness[] = [
  whole('a number stored as text', 'data', (value) => text(String(value))),
  whole('a number with blanks around it', 'data', (value, { random }) =>
    text(random.pick([` ${value}`, `${value} `, `${value}\u00a0`])),
  ),
  whole(
    'a number by formula',
    'data',
    (value) => ({
      kind: 'formula',
      formula: `${value}*1`,
      result: number(value),
    }),
    'xlsx',
  ),
  whole(
    'a number shown with a unit by its format',
    'data',
    (value) => ({ kind: 'number', number: value, format: '0"个"' }),
    'xlsx',
  ),
  whole('full-width digits in a number', 'maybe', (value) => text(wide(value))),
  whole('a number with decimals of nothing', 'maybe', (value) => text(`${value}.0`)),
  whole('a number with a unit', 'fault', (value) => text(`${value}个`)),
  whole('a number with separators', 'fault', () => text('1,200')),
  whole('a fraction where a whole number belongs', 'fault', (value) => number(value + 0.5)),
  whole('a negative number', 'fault', (value) => number(-value)),
  whole('a number beyond 32 bits', 'fault', () => number(3_000_000_000)),
  whole('an exponent', 'fault', () => text('1e3')),
  whole('a boolean where a number belongs', 'fault', () => ({ kind: 'boolean', boolean: true }), 'xlsx'),
  whole('a date where a number belongs', 'fault', () => dateCell({ year: 2026, month: 3, day: 4 }), 'xlsx'),
];
