import { type Message, message } from '../../errors/message.js';
import { narrow } from '../../util/fold.js';
import { excerpt } from './conversion.js';

const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
/** Scientific notation, as programs write large numbers: `1.23457E+17`, `1E+15`, `1e5`. A code like that needs `asIs`. */
const EXPONENT = /^[+-]?\d+(?:[.,]\d+)?[eE][+-]?\d+$/;
/** Text that Excel took for a day, as it writes it into .csv files: 3-4 becomes `4-Mar` or `3月4日`, 3-45 `Mar-45`. */
const SHORT_DAY = new RegExp(
  `^(?:\\d{1,2}-${MONTH}(?:-\\d{2}|-\\d{4})?|${MONTH}-\\d{2}|\\d{1,2}月\\d{1,2}日|\\d{4}年\\d{1,2}月)$`,
);
/** A day in any writing: 1-1-1 becomes 2001/1/1. */
const DAY = /^(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{4}年\d{1,2}月\d{1,2}日)$/;
/** Days with a year, and times of day: `2026/3/4`, `3/4/2026`, `1:02:00`. */
const DAY_OR_TIME = new RegExp(
  `${DAY.source}|^\\d{1,2}/\\d{1,2}/\\d{2,4}$|^\\d{1,2}:\\d{2}(?::\\d{2})?(?: [AP]M)?$`,
);
/** `8100000001.0`: a number that a program stored with decimal places. */
const DECIMAL = /^\d+\.\d+$/;
/** Signs and words for "the same as above". */
const DITTO = /^(?:["\u201d\u2033\u3003]|''|同上|ditto)$/i;
const TRUTH = /^(?:TRUE|FALSE)$/;
/** Full-width letters, digits and the signs that occur in identifiers. */
const WIDE = /[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\uff0d\uff0e\uff20\uff3f]/;
/** A quick check: text that doesn't match it matches none of the patterns above. */
const SUSPECT = /^(?:[+-]?\d+(?:[.,eE]|-[A-Z]|[年月])|TRUE|FALSE|[A-Z][a-z]{2}-\d)/;
/** `1-0-0`, or with units (`1y-0m-0d`): the interface gives the order, not the units. */
const DURATION = /^\d+\p{L}?-\d+\p{L}?-\d+\p{L}?$/u;

/** The fault of an identifier that a spreadsheet or an input method changed; undefined if it looks as typed. */
export function mangledIdentifier(text: string): Message | undefined {
  if (WIDE.test(text)) {
    return message('mapping.wide_in_identifier', { text: excerpt(text), narrow: excerpt(narrow(text)) });
  }
  if (!SUSPECT.test(text)) return undefined;
  if (EXPONENT.test(text)) return message('mapping.exponent_in_identifier', { text });
  if (SHORT_DAY.test(text)) return message('mapping.date_in_text', { text });
  return TRUTH.test(text) ? truthInIdentifier(text) : undefined;
}

/** The same for an asset number, which is never a day or a time and has no decimal places. */
export function mangledNumber(text: string): Message | undefined {
  if (DECIMAL.test(text)) return message('mapping.point_in_number', { text: excerpt(text) });
  return DAY_OR_TIME.test(text) ? message('mapping.date_in_text', { text }) : undefined;
}

/** The fault of a text that only refers to the cell above. */
export function faultOfDitto(text: string): Message | undefined {
  return text.length <= LONGEST_DITTO && DITTO.test(text)
    ? message('mapping.ditto', { text: excerpt(text) })
    : undefined;
}

export function truthInIdentifier(text: string): Message {
  return message('mapping.truth_in_identifier', { text });
}

/** The fault of a text that is no duration in years-months-days (§2.3). */
export function faultOfDuration(text: string): Message | undefined {
  return (
    faultOfTime(text) ??
    (DURATION.test(text) ? undefined : message('mapping.not_duration', { text: excerpt(text) }))
  );
}

/** The fault of a duration that a spreadsheet took for a day; any other text is accepted. */
export function faultOfTime(text: string): Message | undefined {
  const day = DAY.test(text) && !(DURATION.test(text) && Number(text.slice(0, 4)) > LAST_MANGLED);
  return day || SHORT_DAY.test(text) ? message('mapping.date_in_duration', { text }) : undefined;
}

/**
 * A spreadsheet turns the duration 1-1-1 into the year 2001, so days up to this year are taken for such. Later ones may be
 * intended, as §2.3 only recommends a duration.
 */
const LAST_MANGLED = 2015;

const LONGEST_DITTO = 5;
