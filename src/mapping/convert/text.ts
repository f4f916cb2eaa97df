import { type Message, message } from '../../errors/message.js';

/** Nothing but these: no need to look closer. */
const ORDINARY = /^[\x21-\x7e\u4e00-\u9fff]*$/;
const INVISIBLE = /[\s\p{Cf}\p{Default_Ignorable_Code_Point}]/u;
const VISIBLE = /[^\s\p{Cf}\p{Default_Ignorable_Code_Point}]/u;
/** What looks like nothing, or like a plain space, inside an identifier (contract section 4, Cells). */
const HIDDEN_INSIDE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u00a0\u2007\u202f]/u;
/** Control characters have no place in any text; tab and line breaks do. */
const CONTROL = /[^\P{Cc}\t\n\r]|\p{Cs}/u;

/** A conversion's result as it stands: such are made for most cells of a sheet. */
export type Cleaned =
  | { readonly kind: 'value'; readonly value: string }
  | { readonly kind: 'fault'; readonly message: Message };

/** Only spaces and invisible characters, or nothing: an empty cell. */
export function isBlank(text: string): boolean {
  const first = text.charCodeAt(0);
  if (first > 0x20 && first < 0x7f) return false;
  return !VISIBLE.test(text);
}

/** Without spaces, no-break spaces and invisible characters at both ends. */
export function trimInvisible(text: string): string {
  // By hand: a pattern anchored at the end takes quadratic time on a long run of spaces inside.
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

/** An identifier's text: trimmed; an invisible character inside is a fault that names it. */
export function cleanIdentifier(text: string): Cleaned {
  if (ORDINARY.test(text)) return { kind: 'value', value: text };
  const trimmed = trimInvisible(text);
  const found = HIDDEN_INSIDE.exec(trimmed);
  if (!found) return { kind: 'value', value: trimmed };
  return { kind: 'fault', message: hidden('mapping.invisible', trimmed, found) };
}

/** Other text: as it is; a control character in it is a fault. */
export function cleanText(text: string): Cleaned {
  if (ORDINARY.test(text)) return { kind: 'value', value: text };
  const found = CONTROL.exec(text);
  if (!found) return { kind: 'value', value: text };
  return { kind: 'fault', message: hidden('mapping.control', text, found) };
}

/** Full-width letters, digits and signs (as Chinese input methods type them) in their ordinary form. */
export function narrow(text: string): string {
  if (!/[\uff01-\uff5e\u3000]/.test(text)) return text;
  return text
    .replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replaceAll('\u3000', ' ');
}

const AROUND = 20;

function hidden(
  code: 'mapping.invisible' | 'mapping.control',
  text: string,
  found: RegExpExecArray,
): Message {
  const character = found[0];
  const name = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  const before = text.slice(Math.max(0, found.index - AROUND), found.index);
  const after = text.slice(found.index + character.length, found.index + character.length + AROUND);
  const shown = `${before}[${name}]${after.replace(new RegExp(HIDDEN_INSIDE, 'gu'), ' ')}`;
  return message(code, { character: name, position: [...text.slice(0, found.index)].length + 1, shown });
}
