import { hash } from 'node:crypto';
import { type Field, isDateField } from '../model/field.js';
import type { Json } from '../model/json.js';

/** Milliseconds since 1970 of 2030-01-01 UTC: a time that any date field takes. */
const SOME_TIME_MS = 1_893_456_000_000;
const SPREAD = 1_000_000;

/**
 * A stand-in for a value that isn't known yet, of the field's type. Equal seeds give equal values, and others very likely
 * different ones, so that repeats and contradictions are found as they will be with the real values.
 */
export function givenValue(field: Field, seed: string, unit: 'milliseconds' | 'seconds'): Json {
  const [allowed] = field.values ?? [];
  const digest = hash('sha256', seed, 'hex');
  const text = allowed === undefined ? `given-${digest.slice(0, 16)}` : String(allowed.value);
  const number = Number.parseInt(digest.slice(0, 8), 16) % SPREAD;
  switch (field.type) {
    case 'String array':
      return [text];
    case 'Boolean':
      return false;
    case 'Integer':
    case 'Long':
    case 'Date':
      if (allowed) return allowed.value;
      if (!isDateField(field)) return Math.max(field.least ?? 1, 1) + number;
      return (unit === 'seconds' ? SOME_TIME_MS / 1000 : SOME_TIME_MS) + number;
    default:
      return text;
  }
}

const GIVEN_TEXT = /^given-[0-9a-f]{16}$/;

/** Whether a text is a stand-in. */
export function isGiven(text: string): boolean {
  return GIVEN_TEXT.test(text);
}

/** What people are shown in place of a stand-in. */
export const GIVEN = '<given>';

/** A value as people are shown it: `<given>` in place of texts that are stand-ins. Numbers can't be told from real ones. */
export function shownGiven(value: Json): Json {
  if (typeof value === 'string') return isGiven(value) ? GIVEN : value;
  if (Array.isArray(value)) return value.map(shownGiven);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, it]) => [name, shownGiven(it)]));
}
