import { type LocalMs, localTime } from './zoned-time.js';

/** A text read as ISO 8601; `other`: it is not in that form. */
export type IsoReading =
  | { readonly kind: 'local'; readonly local: LocalMs; readonly timed: boolean }
  | { readonly kind: 'instant'; readonly ms: number }
  | { readonly kind: 'impossible' }
  | { readonly kind: 'other' };

const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|z|[+-]\d{2}(?::?\d{2})?)?)?$/;

/** A date, or a date with a time of day and perhaps an offset. */
export function readIso(text: string): IsoReading {
  const match = ISO.exec(text);
  if (!match) return { kind: 'other' };
  const [, year, month, day, hour, minute, second = '0', fraction = '', offset] = match;
  const local = localTime(
    Number(year),
    Number(month),
    Number(day),
    Number(hour ?? 0),
    Number(minute ?? 0),
    Number(second),
    Number(fraction.slice(0, 3).padEnd(3, '0')),
  );
  if (local === undefined) return { kind: 'impossible' };
  if (offset === undefined) return { kind: 'local', local, timed: hour !== undefined };
  const minutes = offsetMinutes(offset);
  return minutes === undefined ? { kind: 'impossible' } : { kind: 'instant', ms: local - minutes * 60_000 };
}

const YEAR_FIRST =
  /^(\d{4})(?:([-/.])(\d{1,2})\2(\d{1,2})|年(\d{1,2})月(\d{1,2})日)(?:[Tt ](\d{1,2}):(\d{2})(?::(\d{2}))?)?$/;

/** `readIso`, or a text whose year comes first: `2027/12/31`, `2027.1.5`, `2027年12月31日`, perhaps with a time of day. */
export function readYearFirst(text: string): IsoReading {
  const iso = readIso(text);
  const match = iso.kind === 'other' ? YEAR_FIRST.exec(text) : null;
  if (!match) return iso;
  const [, year = '', , month = match[5], day = match[6], , , hour, minute, second] = match;
  const two = (part = ''): string => part.padStart(2, '0');
  const time = hour === undefined ? '' : ` ${two(hour)}:${minute}:${second ?? '00'}`;
  return readIso(`${year}-${two(month)}-${two(day)}${time}`);
}

/** No place on earth is further from UTC than 14 hours. */
function offsetMinutes(offset: string): number | undefined {
  if (offset === 'Z' || offset === 'z') return 0;
  const digits = offset.slice(1).replace(':', '');
  const hours = Number(digits.slice(0, 2));
  const minutes = Number(digits.slice(2) || 0);
  if (minutes > 59 || hours * 60 + minutes > 14 * 60) return undefined;
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}
