import { chinese, isoDay, type Moment, packed, pointOfTime, serial, slashed } from '../days.js';
import { dateCell, isMoment, number } from '../lay-out.js';
import { type Column, type Draft, dataLines, judge, type Laid, type Page, text } from '../sheet.js';
import { type Awkwardness, anyPlace, isMapped } from './kinds.js';

const isDate = (column: Column): boolean =>
  isMapped(column) && (column.type === 'date' || column.type === 'end');

/** An ambiguous date. */
function unreadable(
  name: string,
  format: 'xlsx' | undefined,
  make: (moment: Moment, draft: Draft, column: Column) => Laid | undefined,
): Awkwardness {
  return {
    name,
    phase: 'cells',
    ...(format ? { format } : {}),
    apply(draft) {
      const place = anyPlace(draft, (column, value) => isDate(column) && isMoment(value));
      const cell = place && make(place.value as Moment, draft, place.column);
      if (!cell) return false;
      place.line.cells[place.at] = cell;
      judge(place.line, 'fault', name);
      return true;
    },
  };
}

/** A whole column written in one way, its map naming the format. */
function column(
  name: string,
  make: (moment: Moment, column: Column, draft: Draft) => Laid | undefined,
  format: string | readonly string[] | undefined,
  fits: (column: Column, draft: Draft) => boolean = () => true,
): Awkwardness {
  return {
    name,
    phase: 'cells',
    apply(draft) {
      const place = anyPlace(draft, (it, value) => isDate(it) && isMoment(value) && fits(it, draft));
      if (!place) return false;
      const untouched = dataLines(place.page).every((it) => it.verdict === 'data');
      if (!untouched || (format !== undefined && hasTimes(place.page, place.column))) return false;
      if (format === undefined) delete place.column.format;
      else place.column.format = format;
      each(place.page, place.column, (moment) => make(moment, place.column, draft));
      return true;
    },
  };
}

function each(page: Page, wanted: Column, make: (moment: Moment) => Laid | undefined): void {
  const at = page.columns.indexOf(wanted);
  for (const line of dataLines(page)) {
    const value = line.record.get(wanted);
    if (value === undefined || !isMoment(value)) continue;
    line.cells[at] = make(value) ?? line.cells[at];
  }
}

/** Whether dates of the column have times of day, which a text of the day alone would lose. */
function hasTimes(page: Page, wanted: Column): boolean {
  const values = dataLines(page).map((it) => it.record.get(wanted));
  return values.some((it) => it !== undefined && isMoment(it) && it.seconds !== undefined);
}

const american = ({ year, month, day }: Moment): string =>
  `${String(month).padStart(2, '0')}/${String(day).padStart(2, '0')}/${year}`;

export const DATES: readonly Awkwardness[] = [
  unreadable('a date that lost its format', undefined, (moment, { book }) =>
    number(serial(moment, book.date1904)),
  ),
  unreadable('20260105 as a number', undefined, (moment, _, { format }) =>
    format === 'yyyyMMdd' ? undefined : number(Number(packed(moment))),
  ),
  unreadable('a point of time in the other unit', undefined, (moment, { settings }) =>
    number(pointOfTime(moment, settings.unit === 'seconds' ? 'milliseconds' : 'seconds', false)),
  ),
  unreadable('a date with the year last and no format', undefined, (moment, _, { format }) =>
    format === undefined ? text(american(moment)) : undefined,
  ),
  unreadable('a date in another form than its format', undefined, (moment, _, { format }) =>
    format === undefined ? undefined : text(format === 'yyyyMMdd' ? isoDay(moment) : packed(moment)),
  ),
  unreadable('a date before 1990', 'xlsx', (moment) => dateCell({ ...moment, year: 1985 })),
  unreadable('a day that does not exist', undefined, (_, __, { format }) =>
    format === undefined ? text('2027-02-30') : undefined,
  ),
  unreadable('a month without a day', undefined, (moment) => text(isoDay(moment).slice(0, 7))),
  unreadable('a year alone', undefined, (moment) => number(moment.year)),
  unreadable('a negative number as a date', undefined, () => number(-5)),
  unreadable('a time without a day', 'xlsx', () => ({
    kind: 'number',
    number: 0.5,
    format: 'h:mm',
    shown: '12:00',
  })),
  column('dates with slashes and a format', (moment) => text(slashed(moment)), 'yyyy/M/d'),
  column('dates as numbers by their format', (moment) => number(Number(packed(moment))), 'yyyyMMdd'),
  column('Chinese dates by their format', (moment) => text(chinese(moment)), 'yyyy年M月d日'),
  column(
    'points of time as numbers',
    (moment, _, { settings }) => number(pointOfTime(moment, settings.unit, false)),
    undefined,
    ({ type }) => type === 'date',
  ),
  column(
    'dates in two forms',
    (moment, _, { random }) => text(random.pick([isoDay(moment), slashed(moment)])),
    ['yyyy-MM-dd', 'yyyy/M/d'],
  ),
  {
    name: 'dates that two forms read differently',
    phase: 'cells',
    apply(draft) {
      const place = anyPlace(draft, (it, value) => isDate(it) && isMoment(value));
      if (!place || !dataLines(place.page).every((it) => it.verdict === 'data')) return false;
      if (hasTimes(place.page, place.column)) return false;
      place.column.format = ['MM/dd/yyyy', 'dd/MM/yyyy'];
      each(place.page, place.column, (moment) => text(american(moment)));
      for (const line of dataLines(place.page)) {
        const moment = line.record.get(place.column) as Moment | undefined;
        if (moment && moment.day <= 12 && moment.day !== moment.month)
          judge(line, 'fault', 'a date that two forms read differently');
      }
      return true;
    },
  },
  {
    name: 'dates with times',
    phase: 'cells',
    apply(draft) {
      const place = anyPlace(draft, (it, value) => isDate(it) && isMoment(value) && it.format === undefined);
      if (!place) return false;
      const moment = { ...(place.value as Moment), seconds: draft.random.whole(1, 1439) * 60 };
      place.line.record.set(place.column, moment);
      place.line.cells[place.at] =
        draft.format === 'xlsx' ? dateCell(moment) : text(dateCellText(moment, draft));
      return true;
    },
  },
];

function dateCellText(moment: Moment, draft: Draft): string {
  const shown = dateCell(moment);
  const written = shown.kind === 'date' ? shown.shown : '';
  return draft.random.chance(0.5) ? written : written.replace(' ', 'T');
}
