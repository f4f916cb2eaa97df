import { type Message, message } from '../../errors/message.js';
import { type Converted, fault, value, type Warning } from './conversion.js';

/** A text of only these characters needs no cleaning. */
const ORDINARY = /^[\x21-\x7e\u4e00-\u9fff]*$/;
const INVISIBLE = /[\s\p{Cf}\p{Default_Ignorable_Code_Point}]/u;
/** Characters that are invisible or look like a space within an identifier (contract section 4, Cells). */
const HIDDEN_INSIDE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u00a0\u2007\u202f]/u;
/** Zero-width characters and direction marks, but no variation selectors, which change the character before. */
const WIDTHLESS = /(?!\p{Variation_Selector})\p{Default_Ignorable_Code_Point}/u;
const ALL_WIDTHLESS = new RegExp(WIDTHLESS, 'gu');
/** Control characters, which no text may contain, other than tab and line breaks. */
const CONTROL = /[^\P{Cc}\t\n\r]|\p{Cs}/u;

/** Removes spaces, no-break spaces and invisible characters from both ends. */
export function trimInvisible(text: string): string {
  // A pattern anchored at the end would take quadratic time on a long run of spaces inside.
  let start = 0;
  let end = text.length;
  while (start < end && isTrimmed(text, start)) start += 1;
  while (end > start && isTrimmed(text, end - 1)) end -= 1;
  return start === 0 && end === text.length ? text : text.slice(start, end);
}

function isTrimmed(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code <= 0x20 || code >= 0x7f ? INVISIBLE.test(text.charAt(at)) : false;
}

/** Trims an identifier. An invisible character inside is an error, which names the character. */
export function cleanIdentifier(text: string): Converted {
  if (ORDINARY.test(text)) return value(text);
  const cleaned = trimInvisible(text);
  const found = HIDDEN_INSIDE.exec(cleaned);
  return found ? fault(message('mapping.invisible', spot(cleaned, found))) : value(cleaned);
}

/** Cleans other text: trims it and drops zero-width characters, with a warning. A control character is an error. */
export function cleanText(text: string): Converted {
  if (ORDINARY.test(text)) return value(text);
  const widthless = WIDTHLESS.exec(text);
  const cleaned = (widthless ? text.replace(ALL_WIDTHLESS, '') : text).trim();
  const control = CONTROL.exec(cleaned);
  if (control) return fault(message('mapping.control', spot(cleaned, control)));
  if (!widthless) return value(cleaned);
  return { kind: 'value', value: cleaned, warning: dropping(text, widthless) };
}

function dropping(text: string, found: RegExpExecArray): Warning {
  const params = spot(text, found);
  return (place): Message => message('mapping.widthless_dropped', { ...place, ...params });
}

/** The text without zero-width characters, as `cleanText` returns it. */
export function withoutWidthless(text: string): string {
  return ORDINARY.test(text) ? text : text.replace(ALL_WIDTHLESS, '');
}

/** True if `cleanText` would drop zero-width characters. */
export function hasWidthless(text: string): boolean {
  return WIDTHLESS.test(text);
}

const AROUND = 20;

/** Describes an invisible character: its name, its position and the text around it. */
function spot(text: string, found: RegExpExecArray): { character: string; position: number; shown: string } {
  const character = found[0];
  const name = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  const before = text.slice(Math.max(0, found.index - AROUND), found.index);
  const after = text.slice(found.index + character.length, found.index + character.length + AROUND);
  const shown = `${before}[${name}]${after.replace(new RegExp(HIDDEN_INSIDE, 'gu'), ' ')}`;
  return { character: name, position: [...text.slice(0, found.index)].length + 1, shown };
}
