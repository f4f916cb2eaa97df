import { CRON_FIELDS, type CronField } from '../../util/cron.js';

/** What one field of an expression allows. */
export type Values = 'every' | readonly number[];

/**
 * A cron expression as plain numbers, which every scheduler reads alike: what a star in `*`+`/2` means beside a day
 * of the week, or whether Sunday is 7, differs between them. Where both `day` and `weekday` are lists, either will do.
 */
export type PlainFields = Readonly<Record<CronField, Values>>;

type FieldsReading =
  | { readonly ok: true; readonly fields: PlainFields }
  /** Something that only this program knows: `L`, `W`, `#`. */
  | { readonly ok: false; readonly field: CronField; readonly value: string };

const BOUNDS: Readonly<Record<CronField, readonly [number, number]>> = {
  minute: [0, 59],
  hour: [0, 23],
  day: [1, 31],
  month: [1, 12],
  weekday: [0, 7],
};
const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
export const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];
const PART = /^(?:([*?])|(\w+)(?:-(\w+))?)(?:\/(\d+))?$/;

/** Reads an expression that `readCron` has found good. */
export function plainFields(text: string): FieldsReading {
  const written = text.trim().split(/\s+/);
  const values = new Map<CronField, Values>();
  for (const [index, field] of CRON_FIELDS.entries()) {
    const value = written[index] ?? '*';
    const found = valuesOf(field, value);
    if (!found) return { ok: false, field, value };
    values.set(field, found);
  }
  const of = (field: CronField): Values => values.get(field) ?? 'every';
  const fields = { minute: of('minute'), hour: of('hour'), month: of('month') };
  const days = { day: of('day'), weekday: of('weekday') };
  // With both given either will do, so one that allows every day makes the other say nothing.
  const both = !isStar(written[2]) && !isStar(written[4]);
  const none = both && (days.day === 'every' || days.weekday === 'every');
  return { ok: true, fields: { ...fields, ...(none ? { day: 'every', weekday: 'every' } : days) } };
}

function isStar(value: string | undefined): boolean {
  return value === undefined || value === '*' || value === '?';
}

function valuesOf(field: CronField, text: string): Values | undefined {
  const [low, high] = BOUNDS[field];
  const found = new Set<number>();
  for (const part of text.split(',')) {
    const [, star, first, last, step = '1'] = PART.exec(part) ?? [];
    if (star === undefined && first === undefined) return undefined;
    const from = first === undefined ? low : numberOf(field, first);
    const to = last === undefined ? (first === undefined ? high : from) : numberOf(field, last);
    if (from === undefined || to === undefined) return undefined;
    for (let value = from; value <= to; value += Number(step)) {
      found.add(field === 'weekday' ? value % 7 : value);
    }
  }
  const all = field === 'weekday' ? 7 : high - low + 1;
  return found.size === all ? 'every' : [...found].sort((a, b) => a - b);
}

function numberOf(field: CronField, word: string): number | undefined {
  if (/^\d+$/.test(word)) return Number(word);
  const names = field === 'month' ? MONTHS : field === 'weekday' ? WEEKDAYS : [];
  const at = names.indexOf(word.toUpperCase());
  return at < 0 ? undefined : at + (field === 'month' ? 1 : 0);
}

/** The expression in numbers, for cron itself and what reads its format. */
export function plainCron(fields: PlainFields): string {
  return CRON_FIELDS.map((field) => {
    const values = fields[field];
    return values === 'every' ? '*' : values.join(',');
  }).join(' ');
}
