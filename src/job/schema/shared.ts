import { z } from 'zod';
import type { JobCode } from '../problem.js';

/**
 * Pieces that several schemas share. A check's own code stands in zod's `error`; it is given `{key}` and `{value}`
 * when it becomes a problem.
 */
const code = <C extends JobCode>(it: C) => ({ error: it });

const DURATION = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|m|h)$/;
const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
/** The longest that a timer of Node can wait, in milliseconds. */
const LONGEST = 2 ** 31 - 1;

/** Milliseconds of `30s`, `500ms`, `2m`, `1h`, `1.5s`; NaN for anything else. */
export function durationMs(text: string): number {
  const [, amount, unit] = DURATION.exec(text) ?? [];
  return amount === undefined ? Number.NaN : Math.round(Number(amount) * UNITS[unit!]!);
}

export const duration = z
  .string()
  .regex(DURATION, code('job.bad_duration'))
  .refine(
    (text) => Number.isNaN(durationMs(text)) || (durationMs(text) >= 1 && durationMs(text) <= LONGEST),
    {
      error: 'job.bad_duration' satisfies JobCode,
    },
  );

export const text = z.string().min(1, code('job.empty_text'));

export const rate = z.number().gt(0).max(100_000);

export const timezone = text.refine(isTimezone, { error: 'job.unknown_timezone' satisfies JobCode });

function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
