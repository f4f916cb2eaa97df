import { z } from 'zod';
import { LONGEST_TIMER_MS } from '../../util/clock.js';
import type { JobCode } from '../problem.js';

/**
 * Pieces that several schemas share. A check's own code stands in zod's `error`; it is given `{key}` and `{value}`
 * when it becomes a problem.
 */
const code = <C extends JobCode>(it: C) => ({ error: it });

const DURATION = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|m|h)$/;
const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Milliseconds of `30s`, `500ms`, `2m`, `1h`, `1.5s`; NaN for anything else. */
export function durationMs(text: string): number {
  const [, amount, unit] = DURATION.exec(text) ?? [];
  return amount === undefined ? Number.NaN : Math.round(Number(amount) * UNITS[unit!]!);
}

export const duration = z
  .string()
  .regex(DURATION, code('job.bad_duration'))
  .refine(
    (text) =>
      Number.isNaN(durationMs(text)) || (durationMs(text) >= 1 && durationMs(text) <= LONGEST_TIMER_MS),
    {
      error: 'job.bad_duration' satisfies JobCode,
    },
  );

export const text = z.string().min(1, code('job.empty_text'));

/** A program with its arguments; no shell is involved. */
export const argv = z.array(text).min(1, code('job.empty_command'));

/** Where a secret is found; one that is written down in its place is refused by a code of its own. */
export function secretPlace<More extends z.ZodRawShape>(what: string, inlined: JobCode, more: More) {
  const env = text.regex(/^[A-Za-z_][A-Za-z0-9_]*$/, code('job.bad_variable_name')).optional();
  return z.strictObject(
    {
      env: env.describe(`Environment variable that holds the ${what}.`),
      file: text.optional().describe(`File that holds the ${what}, from the folder of this file.`),
      ...more,
    },
    { error: (issue) => (issue.code === 'invalid_type' ? inlined : undefined) },
  );
}

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
