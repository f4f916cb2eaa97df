import { type Message, message } from '../../errors/message.js';
import { fold } from '../../util/fold.js';
import { excerpt } from './conversion.js';
import { lookAlike } from './look-alikes.js';

/** What people and programs write where there is nothing (contract section 4, "Identifiers"), folded. */
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
/** Quotes of all kinds, and signs that are typed for them. */
const QUOTE = `'"\`\\u00b4\\u02b9-\\u02bc\\u2018-\\u201f\\u2032\\u2033\\u2035\\u2036\\u300c-\\u300f\\uff02\\uff07\\uff40`;
const QUOTED_END = new RegExp(`^[${QUOTE}]|[${QUOTE}]$`, 'u');
/** An apostrophe or a backquote at the start, which a program writes to mark a text. */
const MARKER = /^['`\u00b4\u2018\u2019\u2032\uff07\uff40]/u;
const APOSTROPHES = /['`\u00b4\u2018\u2019\u2032\uff07\uff40]/gu;
/** Digits grouped by commas, with or without decimals: `8,300,000,008`; in Chinese also by four. */
const GROUPED = /(?<![\w.,，])\d{1,3}(?:(?:[,，]\d{3})+|(?:[,，]\d{4})+)(?:\.\d+)?(?![\w,，])/;
const GROUPED_WITH_BLANKS = /^\s*\d{1,3}(?:\s*[,，]\s*\d{3})+\s*$/;
const DECIMAL_ZEROS = /^\d+\.0+$/;
/** The characters of an asset number (contract section 4, "Identifiers"). */
const OTHER_CHARACTER = /[^A-Za-z0-9_.-]/u;
const RANGE = /^(\d{6,})(?:-{1,2}|\.{2,3})(\d{6,})$/;
const GROUPED_BY_POINTS = /^\d{1,3}(?:\.\d{3}){2,}$/;

/** Whether a text says that there is nothing: NULL, n/a, 无, 待定, `-`. */
export function saysNothing(text: string): boolean {
  if (text.length > LONGEST_NOTHING) return false;
  if (SIGNS_ONLY.test(text)) return true;
  const folded = fold(text);
  return NOTHING.has(folded) || NOTHING.has(BRACKETED.exec(folded)?.[1]?.trim() ?? '');
}

/** Whether a text begins with an apostrophe or a backquote that has no counterpart. */
export function beginsWithMarker(text: string): boolean {
  return MARKER.test(text) && (text.match(APOSTROPHES)?.length ?? 0) === 1;
}

/** The error of an identifier that isn't written as identifiers are; undefined if there is none. */
export function identifierFault(text: string): Message | undefined {
  if (saysNothing(text)) return message('mapping.nothing_in_identifier', { text: excerpt(text) });
  if (QUOTED_END.test(text)) return message('mapping.quote_in_identifier', { text: excerpt(text) });
  if (DECIMAL_ZEROS.test(text)) {
    return message('mapping.zeros_in_identifier', { text: excerpt(text), digits: text.split('.')[0]! });
  }
  const character = lookAlike(text);
  if (character === undefined) return undefined;
  const code = `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
  return message('mapping.look_alike', { text: excerpt(text), character, code });
}

/** The error of digits that are grouped by commas: they would be read as several values of a list. */
export function groupingFault(text: string): Message | undefined {
  const found = (GROUPED.exec(text) ?? GROUPED_WITH_BLANKS.exec(text))?.[0];
  if (found === undefined) return undefined;
  const digits = found.replace(/\.\d+$/, '').replace(/\D/g, '');
  return message('mapping.grouped_digits', { text: excerpt(found), digits });
}

/** Two numbers side by side have more digits than the longest number (E.164). */
const MOST_PHONE_DIGITS = 15;

/** The error of a text that is not one phone number. */
export function phoneFault(text: string): Message | undefined {
  const digits = text.replace(/\D/g, '').length;
  if (/^\+?\d[\d -]*$/.test(text) && digits <= MOST_PHONE_DIGITS) return undefined;
  return message('mapping.not_phone', { text: excerpt(text) });
}

/** Numbers of 10 digits that begin with 8 or 6 are whole asset numbers (§4.8). */
const JOINED = /^[68]\d{9}(?:([-._])[68]\d{9})+$/;

/** The error of an asset number that is none. */
export function assetNumberFault(text: string): Message | undefined {
  const [, first = '', last = ''] = RANGE.exec(text) ?? [];
  if (first !== '' && first.length === last.length && last > first) {
    return message('mapping.range_of_numbers', { text: excerpt(text) });
  }
  const other = OTHER_CHARACTER.exec(text)?.[0];
  if (other !== undefined) {
    return message('mapping.not_asset_number', { text: excerpt(text), character: other });
  }
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
