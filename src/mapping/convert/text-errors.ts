import { type Message, message } from '../../errors/message.js';
import { fold, narrow } from '../../util/text.js';
import { excerpt } from './conversion.js';

/** Blanks of other widths, dashes other than the hyphen-minus, and an ellipsis, which marks text that was cut off. */
const SIGNS = '\\u1680\\u2000-\\u200a\\u205f\\u3000\\u2010-\\u2015\\u2043\\u2212\\u2026\\u22ef';
/**
 * Circled, Roman, superscript and other numerals, and digits of other scripts. 〇 is excluded as an ordinary Chinese
 * character.
 */
const NUMERALS = new RegExp(`[${SIGNS}\\p{No}]|(?!\\u3007)\\p{Nl}|(?![0-9\\uff10-\\uff19])\\p{Nd}`, 'u');
/** Chinese and Japanese characters that look like a zero or a dash between Latin letters and digits. */
const BETWEEN_ASCII = /(?<=[0-9A-Za-z])[\u3007\u25cb\u25ef\u30fc\u4e00](?=[0-9A-Za-z])/;
const OTHER_SCRIPT = /[\p{Script=Cyrillic}\p{Script=Greek}]/u;
const LATIN = /[A-Za-z]/;
/** Cyrillic and Greek letters that look like Latin letters. */
const LATIN_SHAPE = /[АВЕЅІЈКМНОРСТУХЬаеѕіјорсухьΑΒΕΖΗΙΚΜΝΟΡΤΥΧοναυχ]/u;
/** Letters, numbers and symbols. Other compatibility characters, such as （, are typed by input methods. */
const COMPATIBLE = /(?![\uff00-\uffef])[\p{L}\p{N}\p{S}]/u;
const ORDINARY = /^[\x20-\x7e\u3400-\u4dff\u4e01-\u9fff]*$/;

/**
 * The first character of an identifier that looks like another character (`C–1`, `C①`, a Cyrillic С); undefined if there is none.
 * Otherwise two texts that look the same would be different identifiers.
 */
function lookAlike(text: string): string | undefined {
  if (ORDINARY.test(text)) return undefined;
  const found = NUMERALS.exec(text) ?? BETWEEN_ASCII.exec(text);
  if (found) return found[0];
  for (const character of text) {
    if (COMPATIBLE.test(character) && character.normalize('NFKC') !== character) return character;
  }
  if (!OTHER_SCRIPT.test(text)) return undefined;
  const letters = [...text].filter((it) => OTHER_SCRIPT.test(it));
  // A text entirely in the other script is intended, unless all its letters look like Latin ones.
  const foreign = !LATIN.test(text) && !letters.every((it) => LATIN_SHAPE.test(it));
  return foreign ? undefined : letters[0];
}

/** Texts that mean "no value" (contract section 4, "Identifiers"), folded. */
const NOTHING: ReadonlySet<string> = new Set([
  ...['null', 'nil', '\\n', 'nan', 'none', 'n/a', 'undefined', 'unknown', 'blank', 'empty', 'tbd', 'n.a.'],
  ...[
    '空白',
    '无',
    '無',
    '空',
    '没有',
    '沒有',
    '暂无',
    '暫無',
    '未知',
    '不详',
    '不詳',
    '未提供',
    '不适用',
    '不適用',
  ],
  ...[
    '待定',
    '待补充',
    '待补',
    '待确认',
    '待填',
    '待提供',
    '见备注',
    '见附件',
    '详见备注',
    '详见附件',
    '无数据',
  ],
]);
/** `(null)`, `<none>`, `[无]`, `【空白】`. */
const BRACKETED = /^[([{<【《](.*)[)\]}>】》]$/u;
const LONGEST_NOTHING = 16;
const SIGNS_ONLY = /^[\p{P}\p{S}\s]+$/u;
/** Quotes of all kinds, and signs that are typed instead of them. */
const QUOTE = `'"\`\\u00ab\\u00b4\\u00bb\\u02b9-\\u02bc\\u2018-\\u201f\\u2032\\u2033\\u2035\\u2036\\u2039\\u203a\\u300c-\\u300f\\uff02\\uff07\\uff40`;
const QUOTED_END = new RegExp(`^[${QUOTE}]|[${QUOTE}]$`, 'u');
/** A leading apostrophe or backquote, by which programs mark a text. */
const MARKER = /^['`\u00b4\u2018\u2019\u2032\uff07\uff40]/u;
const APOSTROPHES = /['`\u00b4\u2018\u2019\u2032\uff07\uff40]/gu;
/** Digits grouped by commas, with or without decimals: `8,300,000,008`; in Chinese also in groups of four. */
const GROUPED = /(?<![\w.,，])\d{1,3}(?:(?:[,，]\d{3})+|(?:[,，]\d{4})+)(?:\.\d+)?(?![\w,，])/;
const GROUPED_WITH_BLANKS = /^\s*\d{1,3}(?:\s*[,，]\s*\d{3})+\s*$/;
const DECIMAL_ZEROS = /^\d+\.0+$/;
/** The characters of an asset number (contract section 4, "Identifiers"). */
const OTHER_CHARACTER = /[^A-Za-z0-9_.-]/u;
/** A range of numbers, possibly with the same letters before both: `LK000101-LK000105`. */
const RANGE = /^([A-Za-z]*)(\d{6,})(?:-{1,2}|\.{2,3})\1(\d{6,})$/;
/** A range whose second number has only its last digits, after an asset number of 10 digits (§4.8): `8300000159-61`. */
const SHORT_RANGE = /^([68]\d{9})(?:-{1,2}|\.{2,3})(\d{1,9})$/;
/** Letters that were typed for digits in an asset number of 10 digits (§4.8): `83OO000172`. */
const LETTER_FOR_DIGIT = /^(?=.{10}$)[\dOoIl]*?([OoIl])[\dOoIl]*$/;
const SIGN_AT_END = /^[-_.]|[-_.]$/;
const GROUPED_BY_POINTS = /^\d{1,3}(?:\.\d{3}){2,}$/;

/** True for a text that means "no value": NULL, n/a, 无, 待定, `-`. */
export function isNoValueText(text: string): boolean {
  if (text.length > LONGEST_NOTHING) return false;
  if (SIGNS_ONLY.test(text)) return true;
  const folded = fold(text);
  return NOTHING.has(folded) || NOTHING.has(BRACKETED.exec(folded)?.[1]?.trim() ?? '');
}

/** True if a text begins with an unpaired apostrophe or backquote. */
export function beginsWithMarker(text: string): boolean {
  return MARKER.test(text) && (text.match(APOSTROPHES)?.length ?? 0) === 1;
}

/** The error of a text that is not a valid identifier; undefined if there is none. */
export function identifierFault(text: string): Message | undefined {
  if (isNoValueText(text)) return message('mapping.nothing_in_identifier', { text: excerpt(text) });
  if (QUOTED_END.test(text)) return message('mapping.quote_in_identifier', { text: excerpt(text) });
  // In a cell of text Excel stores the formula instead of its result.
  if (text.startsWith('=')) return message('mapping.formula_as_text', { text: excerpt(text) });
  if (DECIMAL_ZEROS.test(text)) {
    return message('mapping.zeros_in_identifier', { text: excerpt(text), digits: text.split('.')[0]! });
  }
  const character = lookAlike(text);
  return character === undefined ? undefined : lookAlikeFault(text, character);
}

function lookAlikeFault(text: string, character: string): Message {
  const code = `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
  return message('mapping.look_alike', { text: excerpt(text), character, code });
}

/** The error of digits grouped by commas, which would be read as several values of a list. */
export function groupingFault(text: string): Message | undefined {
  const found = (GROUPED.exec(text) ?? GROUPED_WITH_BLANKS.exec(text))?.[0];
  if (found === undefined) return undefined;
  const digits = found.replace(/\.\d+$/, '').replace(/\D/g, '');
  return message('mapping.grouped_digits', { text: excerpt(found), digits });
}

/** The longest phone number (E.164). Two numbers in one cell have more digits. */
const MOST_PHONE_DIGITS = 15;

/** The error of a text that is not one phone number. */
export function phoneFault(text: string): Message | undefined {
  const digits = text.replace(/\D/g, '').length;
  if (/^\+?\d[\d -]*$/.test(text) && digits <= MOST_PHONE_DIGITS) return undefined;
  return message('mapping.not_phone', { text: excerpt(text) });
}

/** Several asset numbers in one text: each has 10 digits and begins with 8 or 6 (§4.8). */
const JOINED = /^[68]\d{9}(?:([-._])[68]\d{9})+$/;

function isRange(text: string): boolean {
  const [, , first = '', last = ''] = RANGE.exec(text) ?? [];
  if (first !== '') return first.length === last.length && last > first;
  const [, from = '', digits = ''] = SHORT_RANGE.exec(text) ?? [];
  return from !== '' && digits > from.slice(-digits.length);
}

/** The error of an invalid asset number. */
export function assetNumberFault(text: string): Message | undefined {
  if (isRange(text)) return message('mapping.range_of_numbers', { text: excerpt(text) });
  const character = OTHER_CHARACTER.exec(text)?.[0];
  if (character !== undefined) {
    return message('mapping.not_asset_number', { text: excerpt(text), character });
  }
  const sign = SIGN_AT_END.exec(text)?.[0];
  if (sign !== undefined) return message('mapping.sign_at_end', { text: excerpt(text), character: sign });
  const letter = LETTER_FOR_DIGIT.exec(text)?.[1];
  if (letter !== undefined) return lookAlikeFault(text, letter);
  const joint = JOINED.exec(text)?.[1];
  if (joint !== undefined) {
    return message('mapping.joined_numbers', { text: excerpt(text), character: joint });
  }
  if (GROUPED_BY_POINTS.test(text)) {
    const digits = text.replaceAll('.', '');
    return message('mapping.grouped_digits', { text: excerpt(text), digits });
  }
  return /\d/.test(text) ? undefined : message('mapping.no_digit', { text: excerpt(text) });
}

const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
/** Scientific notation, as programs write large numbers: `1.23457E+17`, `1E+15`, `1e5`. A code in this form requires `asIs`. */
const EXPONENT = /^[+-]?\d+(?:[.,]\d+)?[eE][+-]?\d+$/;
/** Text that Excel converted to a day, as in .csv files: 3-4 becomes `4-Mar` or `3月4日`, 3-45 becomes `Mar-45`. */
const SHORT_DAY = new RegExp(
  `^(?:\\d{1,2}-${MONTH}(?:-\\d{2}|-\\d{4})?|${MONTH}-\\d{2}|\\d{1,2}月\\d{1,2}日|\\d{4}年\\d{1,2}月)$`,
);
/** A full day in any notation: 1-1-1 becomes 2001/1/1. */
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
/** A quick check: a text that doesn't match it matches no pattern above. */
const SUSPECT = /^(?:[+-]?\d+(?:[.,eE]|-[A-Z]|[年月])|TRUE|FALSE|[A-Z][a-z]{2}-\d)/;
/** `1-0-0`, or with units (`1y-0m-0d`): the interface specifies the order, not the units. */
const DURATION = /^\d+\p{L}?-\d+\p{L}?-\d+\p{L}?$/u;

/** The error of an identifier that a spreadsheet or an input method changed; undefined if there is none. */
export function mangledIdentifier(text: string): Message | undefined {
  if (WIDE.test(text)) {
    return message('mapping.wide_in_identifier', { text: excerpt(text), narrow: excerpt(narrow(text)) });
  }
  if (!SUSPECT.test(text)) return undefined;
  if (EXPONENT.test(text)) return message('mapping.exponent_in_identifier', { text });
  if (SHORT_DAY.test(text)) return message('mapping.date_in_text', { text });
  return TRUTH.test(text) ? booleanInIdentifier(text) : undefined;
}

/** As `mangledIdentifier`, for an asset number, which is never a day or a time and has no decimal places. */
export function mangledNumber(text: string): Message | undefined {
  if (DECIMAL.test(text)) return message('mapping.point_in_number', { text: excerpt(text) });
  return DAY_OR_TIME.test(text) ? message('mapping.date_in_text', { text }) : undefined;
}

/** The error of a text that only refers to the cell above. */
export function faultOfDitto(text: string): Message | undefined {
  return text.length <= LONGEST_DITTO && DITTO.test(text)
    ? message('mapping.ditto', { text: excerpt(text) })
    : undefined;
}

export function booleanInIdentifier(text: string): Message {
  return message('mapping.truth_in_identifier', { text });
}

/** The error of a text that is not a duration in years-months-days (§2.3). */
export function faultOfDuration(text: string): Message | undefined {
  return (
    faultOfTime(text) ??
    (DURATION.test(text) ? undefined : message('mapping.not_duration', { text: excerpt(text) }))
  );
}

/** The error of a duration that a spreadsheet converted to a day; any other text is accepted. */
export function faultOfTime(text: string): Message | undefined {
  const day = DAY.test(text) && !(DURATION.test(text) && Number(text.slice(0, 4)) > LAST_MANGLED);
  return day || SHORT_DAY.test(text) ? message('mapping.date_in_duration', { text }) : undefined;
}

/**
 * Spreadsheets convert the duration 1-1-1 to a day in 2001, so that days up to this year are errors. Later days may be intended,
 * because §2.3 only recommends a duration.
 */
const LAST_MANGLED = 2015;

const LONGEST_DITTO = 5;
