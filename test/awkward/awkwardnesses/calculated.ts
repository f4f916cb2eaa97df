import { dateCell, isMoment, number } from '../lay-out.js';
import { type Column, type Draft, judge, keyColumns, type Laid, type Line, text } from '../sheet.js';
import { type Awkwardness, anyPlace, isMapped } from './kinds.js';
import { asideLine, seams } from './lines.js';

const MINUTE = 60;
const NOON = 12 * 60 * MINUTE;
const LABELS = { en: ['Total', 'Count', 'Average'], zh: ['汇总', '计数', '平均值'] } as const;
const ERRORS = ['#¡REF!', '#¿NOMBRE?', '#BEZUG!', '#ССЫЛКА!', '#N/D', 'Loading...', '错误:502', '########'];

/** A date whose format shows its day only. */
function hiddenTime(name: string, seconds: (draft: Draft) => number): Awkwardness {
  const isDate = (column: Column): boolean =>
    isMapped(column) && (column.type === 'date' || column.type === 'end') && column.format === undefined;
  return {
    name,
    phase: 'cells',
    format: 'xlsx',
    apply(draft) {
      const place = anyPlace(
        draft,
        (column, value) => isDate(column) && isMoment(value) && value.seconds === undefined,
      );
      if (!place || !isMoment(place.value)) return false;
      const moment = { ...place.value, seconds: seconds(draft) };
      place.line.cells[place.at] = { ...dateCell(place.value), moment } as Laid;
      if (place.column.type === 'date') place.line.record.set(place.column, moment);
      else if (moment.seconds > MINUTE) judge(place.line, 'fault', name);
      return true;
    },
  };
}

/** What programs store for formulas, and what formats and fonts say of cells. */
export const CALCULATED: readonly Awkwardness[] = [
  hiddenTime('43 seconds that a date does not show', ({ random }) => random.whole(1, MINUTE)),
  hiddenTime('a time of day that a date does not show', ({ random }) => NOON + random.whole(0, 1000)),
  {
    name: 'a formula that was never calculated',
    phase: 'cells',
    format: 'xlsx',
    apply(draft) {
      const place = anyPlace(draft, (column) => isMapped(column) && column.type === 'whole');
      if (!place) return false;
      draft.book.pending = true;
      place.line.cells[place.at] = { kind: 'formula', formula: `${place.value}*1`, result: number(0) };
      judge(place.line, 'fault', 'a formula that was never calculated');
      return true;
    },
  },
  {
    name: 'a result in a file that must be calculated',
    phase: 'cells',
    format: 'xlsx',
    apply(draft) {
      const place = anyPlace(
        draft,
        (column, value) => isMapped(column) && column.type === 'whole' && value !== 0,
      );
      if (!place) return false;
      draft.book.pending = true;
      const result = number(Number(place.value));
      place.line.cells[place.at] = { kind: 'formula', formula: `${place.value}*1`, result };
      return true;
    },
  },
  {
    name: 'a number that is none',
    phase: 'cells',
    format: 'xlsx',
    apply(draft) {
      const place = draft.book.writer === 'by hand' ? anyPlace(draft, isMapped) : undefined;
      if (!place) return false;
      place.line.cells[place.at] = number(draft.random.pick([Number.NaN, Number.POSITIVE_INFINITY]));
      judge(place.line, 'fault', 'a number that is none');
      return true;
    },
  },
  {
    name: 'an error value of another program or language',
    phase: 'cells',
    apply(draft) {
      const place = anyPlace(draft, (column) => isMapped(column) && !column.key);
      if (!place) return false;
      place.line.cells[place.at] = text(draft.random.pick(ERRORS));
      judge(place.line, 'fault', 'an error value of another program or language');
      return true;
    },
  },
  {
    name: 'a struck-out cell',
    phase: 'cells',
    format: 'xlsx',
    apply(draft) {
      const place = anyPlace(draft, isMapped);
      const cell = place?.line.cells[place.at];
      if (!place || cell?.kind !== 'text' || cell.runs || cell.stored !== undefined) return false;
      const half = Math.ceil(cell.text.length / 2);
      const isWhole = draft.random.chance(0.5) || half === cell.text.length;
      const struck = isWhole ? 'whole' : 'part';
      const runs = isWhole ? [cell.text] : [cell.text.slice(0, half), cell.text.slice(half)];
      place.line.cells[place.at] = { ...cell, runs, struck };
      place.line.reasons.push(STRUCK_OUT);
      return true;
    },
  },
  {
    name: 'rows of Data > Subtotal',
    phase: 'lines',
    apply(draft) {
      const { page, random, scenario, settings } = draft;
      const [key, other] = keyColumns(page);
      const places = seams(page);
      const last = page.lines.length;
      if (!key || other || places.length === 0 || settings.until !== undefined) return false;
      if (!scenario.operation.startsWith('order.')) return false;
      const labels = LABELS[scenario.language];
      const word = random.pick(labels);
      for (const at of [...places, last].reverse()) {
        const above = page.lines[at - 1]!;
        const value = above.record.get(key);
        if (value !== undefined) page.lines.splice(at, 0, subtotal(draft, key, `${value} ${word}`));
      }
      return true;
    },
  },
];

export const STRUCK_OUT = 'struck out';

function subtotal({ page, format }: Draft, key: Column, label: string): Line {
  const cells: (Laid | undefined)[] = [];
  cells[page.columns.indexOf(key)] = text(label);
  const sum = page.columns.findIndex((it) => it.type === 'whole' && it !== key);
  if (sum >= 0)
    cells[sum] =
      format === 'xlsx' ? { kind: 'formula', formula: 'SUBTOTAL(9,Z1:Z2)', result: number(3) } : number(3);
  return asideLine(cells, 'fault', 'a row of Data > Subtotal');
}
