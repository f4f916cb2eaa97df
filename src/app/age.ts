import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';

const UNIT_MS: Readonly<Record<string, number>> = {
  d: 86_400_000,
  h: 3_600_000,
  m: 60_000,
  s: 1000,
};

/** `90d`, `12h`, `30m` or `45s` in milliseconds; a number is given back. @throws ProductError usage for anything else. */
export function ageMs(age: string | number): number {
  if (typeof age === 'number') return age;
  const parts = /^(\d{1,6})([dhms])$/.exec(age);
  const unit = UNIT_MS[parts?.[2] ?? ''];
  if (!parts || unit === undefined) throw new ProductError('usage', message('cli.bad_age', { text: age }));
  return Number(parts[1]) * unit;
}
