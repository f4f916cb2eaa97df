import { type Message, message } from '../../errors/message.js';
import { excerpt } from './conversion.js';
import { narrow } from './text.js';

const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
/**
 * As programs write large numbers: `1.23457E+17`, `1E+15`. Not `3E-01`, which is a code as well as a number that nothing
 * is named by.
 */
const EXPONENT = /^[+-]?\d+(?:[.,]\d+[eE][+-]?\d+|[eE]\+\d+)$/;
/** As Excel shows what it took for a day, and writes it into .csv files: 3-4 becomes `4-Mar` or `3月4日`, 3-45 `Mar-45`. */
const SHORT_DAY = new RegExp(
  `^(?:\\d{1,2}-${MONTH}(?:-\\d{2}|-\\d{4})?|${MONTH}-\\d{2}|\\d{1,2}月\\d{1,2}日|\\d{4}年\\d{1,2}月)$`,
);
/** The same of 1-1-1, which becomes 2001/1/1: a day, however it is written. */
const DAY = /^(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{4}年\d{1,2}月\d{1,2}日)$/;
/** Days with their year and times as programs write what was taken for one: `2026/3/4`, `3/4/2026`, `1:02:00`. */
const DAY_OR_TIME = new RegExp(
  `${DAY.source}|^\\d{1,2}/\\d{1,2}/\\d{2,4}$|^\\d{1,2}:\\d{2}(?::\\d{2})?(?: [AP]M)?$`,
);
/** `8100000001.0`, as programs write a number that they keep with decimal places. */
const DECIMAL = /^\d+\.\d+$/;
/** What people write for "the same as above"; apart from its neighbours it says nothing. */
const DITTO = /^(?:["\u201d\u2033\u3003]|''|同上|ditto)$/i;
const TRUTH = /^(?:TRUE|FALSE)$/;
/** Letters and digits, and the signs that stand between them in accounts and numbers. */
const WIDE = /[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\uff0d\uff0e\uff20\uff3f]/;
/** What none of these begins with: no need to look closer. */
const SUSPECT = /^(?:[+-]?\d+(?:[.,eE]|-[A-Z]|[年月])|TRUE|FALSE|[A-Z][a-z]{2}-\d)/;
/** `1-0-0`, also with the unit after each number (`1y-0m-0d`): the interface names the order, not the units. */
const DURATION = /^\d+\p{L}?-\d+\p{L}?-\d+\p{L}?$/u;

/** What a spreadsheet or an input method made of an identifier; undefined where it looks as it was typed. */
export function mangledIdentifier(text: string): Message | undefined {
  if (WIDE.test(text)) {
    return message('mapping.wide_in_identifier', { text: excerpt(text), narrow: excerpt(narrow(text)) });
  }
  if (!SUSPECT.test(text)) return undefined;
  if (EXPONENT.test(text)) return message('mapping.exponent_in_identifier', { text });
  if (SHORT_DAY.test(text)) return message('mapping.date_in_text', { text });
  return TRUTH.test(text) ? truthInIdentifier(text) : undefined;
}

/** The same of the number of an asset, which is no day, no time and has no decimal places, however they are written. */
export function mangledNumber(text: string): Message | undefined {
  if (DECIMAL.test(text)) return message('mapping.point_in_number', { text: excerpt(text) });
  return DAY_OR_TIME.test(text) ? message('mapping.date_in_text', { text }) : undefined;
}

/** Any text that only points to the cell above it. */
export function faultOfDitto(text: string): Message | undefined {
  return text.length <= LONGEST_DITTO && DITTO.test(text)
    ? message('mapping.ditto', { text: excerpt(text) })
    : undefined;
}

export function truthInIdentifier(text: string): Message {
  return message('mapping.truth_in_identifier', { text });
}

/** Why a text is no length of time, years-months-days (§2.3); undefined where it is one. */
export function faultOfDuration(text: string): Message | undefined {
  return (
    faultOfTime(text) ??
    (DURATION.test(text) ? undefined : message('mapping.not_duration', { text: excerpt(text) }))
  );
}

/** The same where any writing will do but a length that was taken for a day. */
export function faultOfTime(text: string): Message | undefined {
  const day = DAY.test(text) && !(DURATION.test(text) && Number(text.slice(0, 4)) > LAST_MANGLED);
  return day || SHORT_DAY.test(text) ? message('mapping.date_in_duration', { text }) : undefined;
}

/**
 * A spreadsheet makes 1-1-1 the year 2001: up to here a day is a length of time that was mangled. Later ones may be
 * meant, as §2.3 only recommends a length.
 */
const LAST_MANGLED = 2015;

const LONGEST_DITTO = 5;
