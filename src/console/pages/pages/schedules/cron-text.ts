import type { TEXTS } from '../../words/texts.js';

type Code = keyof typeof TEXTS & `schedule.every_${string}`;

const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
/** A Sunday. */
const SUNDAY = Date.UTC(2024, 0, 7);
const DAY_MS = 86_400_000;

/** The times of a cron expression in words, if it has a common form: `every Monday at 06:00`. */
export function cronText(
  cron: string,
  language: string,
  t: (code: Code, params: Readonly<Record<string, string | number>>) => string,
): string | undefined {
  const [minute = '', hour = '', day, month, weekday = ''] = cron.trim().toLowerCase().split(/\s+/);
  if (day !== '*' || month !== '*') return undefined;
  const step = Number(/^\*\/(\d+)$/.exec(minute)?.[1]);
  // With another step, the last interval of an hour is shorter.
  if (hour === '*' && weekday === '*' && step > 1 && step < 60 && 60 % step === 0)
    return t('schedule.every_minutes', { count: step });
  if (!/^\d+$/.test(minute) || !/^\d+$/.test(hour)) return undefined;
  const time = `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`;
  if (weekday === '*') return t('schedule.every_day', { time });
  if (weekday === '1-5' || weekday === 'mon-fri') return t('schedule.every_workday', { time });
  const number = /^[0-7]$/.test(weekday) ? Number(weekday) : WEEKDAYS.indexOf(weekday);
  if (number < 0) return undefined;
  const name = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' });
  return t('schedule.every_weekday', { day: name.format(SUNDAY + number * DAY_MS), time });
}
