import { type Message, message } from '../../errors/message.js';
import { compileFormat, type DateFormat, type FormatReading } from '../../util/date-format.js';
import { readIso } from '../../util/iso-date.js';
import type { LocalMs } from '../../util/zoned-time.js';
import { excerpt } from './conversion.js';

type Read =
  | { readonly kind: 'read'; readonly reading: FormatReading & { readonly kind: 'local' | 'impossible' } }
  | { readonly kind: 'fault'; readonly message: Message };

/**
 * Reads a text by the first of the column's formats that matches. If another format reads it as a different time, it is a
 * fault: nobody can know which was meant.
 */
export function readByFormats(text: string, formats: readonly DateFormat[]): Read {
  let first: { readonly format: DateFormat; readonly reading: FormatReading & { kind: 'local' } } | undefined;
  let impossible = false;
  for (const format of formats) {
    const reading = format.read(text);
    if (reading.kind === 'impossible') impossible = true;
    if (reading.kind !== 'local') continue;
    if (!first) first = { format, reading };
    else if (reading.local !== first.reading.local) {
      return {
        kind: 'fault',
        message: message('mapping.date_ambiguous', {
          text: excerpt(text),
          format: first.format.source,
          date: shown(first.reading.local),
          otherFormat: format.source,
          otherDate: shown(reading.local),
        }),
      };
    }
  }
  if (first) return { kind: 'read', reading: first.reading };
  if (impossible) return { kind: 'read', reading: { kind: 'impossible' } };
  return { kind: 'fault', message: noDate(text, formats) };
}

/** Formats with another order than the year first, as offices write them. */
const OTHER_ORDERS = ['/', '.', '-', ' ']
  .flatMap((sign) =>
    ['d{}M{}yyyy', 'M{}d{}yyyy', 'd{}MMM{}yyyy', 'd{}M{}yy', 'M{}d{}yy'].map((it) =>
      it.replaceAll('{}', sign),
    ),
  )
  .flatMap((it) => [it, `${it} H:mm`, `${it} H:mm:ss`]);

/** The formats by which a text can be read. */
export function formatsFor(text: string): readonly string[] {
  return OTHER_ORDERS.filter((it) => {
    const compiled = compileFormat(it);
    return compiled.ok && compiled.format.read(text).kind === 'local';
  });
}

function noDate(text: string, formats: readonly DateFormat[]): Message {
  const params = { text: excerpt(text), format: formats.map((it) => it.source).join(', ') };
  const iso = readIso(text).kind === 'local' && text.length === 10;
  return iso ? message('mapping.not_date_format_iso', params) : message('mapping.not_date_format', params);
}

function shown(local: LocalMs): string {
  const text = new Date(local).toISOString().slice(0, 19);
  return text.endsWith('T00:00:00') ? text.slice(0, 10) : text;
}
