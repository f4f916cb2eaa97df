import { createHash } from 'node:crypto';
import path from 'node:path';
import type { Message } from '../../errors/message.js';
import { CRON_FIELDS, type CronField } from '../../util/cron.js';
import type { ExportedFile } from '../../util/service-files.js';
import type { PassedFlags } from '../child.js';
import type { ScheduledJob } from '../scheduled-job.js';
import { nextTimes } from '../timetable.js';

/** What one field of an expression allows. */
export type Values = 'every' | readonly number[];

/**
 * A cron expression as plain numbers, which every scheduler reads in the same way: they differ in the meaning of a star in
 * `*`+`/2` next to a day of the week, and in whether Sunday is 7. If both `day` and `weekday` are lists, either may match.
 */
export type PlainFields = Readonly<Record<CronField, Values>>;

type FieldsReading =
  | { readonly ok: true; readonly fields: PlainFields }
  /** Syntax that only this program supports: `L`, `W`, `#`. */
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

/** Reads an expression that `readCron` accepts. */
export function plainFields(text: string): FieldsReading {
  const words = text.trim().split(/\s+/);
  const values = new Map<CronField, Values>();
  for (const [index, field] of CRON_FIELDS.entries()) {
    const value = words[index] ?? '*';
    const found = valuesOf(field, value);
    if (!found) return { ok: false, field, value };
    values.set(field, found);
  }
  const of = (field: CronField): Values => values.get(field) ?? 'every';
  const fields = { minute: of('minute'), hour: of('hour'), month: of('month') };
  const days = { day: of('day'), weekday: of('weekday') };
  // If both are given, either may match. Then a field that allows every day makes the other one ineffective.
  const bothGiven = !isStar(words[2]) && !isStar(words[4]);
  const isUnrestricted = bothGiven && (days.day === 'every' || days.weekday === 'every');
  return { ok: true, fields: { ...fields, ...(isUnrestricted ? { day: 'every', weekday: 'every' } : days) } };
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
  const index = names.indexOf(word.toUpperCase());
  return index < 0 ? undefined : index + (field === 'month' ? 1 : 0);
}

/** The expression in numbers, in cron's format. */
export function plainCron(fields: PlainFields): string {
  return CRON_FIELDS.map((field) => {
    const values = fields[field];
    return values === 'every' ? '*' : values.join(',');
  }).join(' ');
}

const HASH_LENGTH = 8;

/**
 * A job's name as a valid unit or resource name: Latin letters, digits and '-', at most `longest`. A hash is appended to a
 * changed name to keep it unique.
 */
export function plainName(name: string, rule: { readonly lower: boolean; readonly longest: number }): string {
  const plain = (rule.lower ? name.toLowerCase() : name)
    .replace(/[^A-Za-z0-9-]+/g, '-')
    .replace(/^-+|-+$/g, '');
  if (plain === name && plain.length <= rule.longest) return plain;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, HASH_LENGTH);
  const kept = plain.slice(0, rule.longest - HASH_LENGTH - 1).replace(/-+$/, '');
  return kept === '' ? `job-${hash}` : `${kept}-${hash}`;
}

/** A path relative to a folder if it is within it, otherwise unchanged. */
export function within(folder: string, file: string): string {
  const relative = path.relative(folder, file);
  return relative === '' || relative.startsWith('..') || path.isAbsolute(relative) ? file : relative;
}

export function tokenVariable({ configured }: ScheduledJob): string | undefined {
  return configured?.token.kind === 'env' ? configured.token.name : undefined;
}

export type ExportFormat = 'systemd' | 'cron' | 'kubernetes';

/** Where and how exported schedules run. */
export interface ExportEnvironment {
  /** Absolute path of the folder of `license-sync.yaml`, to which paths are relative. */
  readonly home: string;
  /** The ledger, unless `license-sync.yaml` locates it. */
  readonly movedLedger?: string;
  /** The program and its first arguments. */
  readonly program: readonly string[];
  readonly passed: PassedFlags;
  /** Container image, for Kubernetes. */
  readonly image: string;
  readonly version: string;
}

/** A job whose schedule other programs can express. */
export interface PlainJob {
  readonly job: ScheduledJob;
  readonly fields: PlainFields;
}

export interface Exported {
  readonly files: readonly ExportedFile[];
  /** What the format cannot express. */
  readonly notes: readonly Message[];
}

/** The shortest interval between the next 200 times, in milliseconds. */
export function shortestGap(job: PlainJob['job']): number {
  const times = nextTimes(job.timetable, Date.now(), 200);
  const gaps = times.slice(1).map((due, index) => due - (times[index] ?? due));
  return Math.min(...gaps);
}
