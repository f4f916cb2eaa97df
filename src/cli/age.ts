import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';

const UNIT_MS: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000 };

/** `90d`, `12h` or `30m` in milliseconds. @throws ProductError usage for anything else. */
export function ageMs(text: string): number {
  const parts = /^(\d{1,6})([dhm])$/.exec(text);
  const unit = UNIT_MS[parts?.[2] ?? ''];
  if (!parts || unit === undefined) throw new ProductError('usage', message('cli.bad_age', { text }));
  return Number(parts[1]) * unit;
}
