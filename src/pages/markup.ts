import { plainText } from '../util/plain-text.js';

/** Longest text from outside that a page shows in one place. */
const SHOWN = 2000;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};

/** HTML that may stand in a page as it is. Only `html` makes it from text, and that escapes. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Piece = Markup | string | number | undefined | readonly Piece[];

/**
 * HTML with values put in: text is escaped (in element content and in double quoted attributes alike) and freed of
 * what could hide or reorder it; lists are joined; undefined is nothing. No value may stand in a script, a style, or
 * an attribute that holds an address.
 */
export function html(parts: TemplateStringsArray, ...values: readonly Piece[]): Markup {
  let text = parts[0] ?? '';
  values.forEach((value, index) => {
    text += written(value) + (parts[index + 1] ?? '');
  });
  return new Markup(text);
}

function written(value: Piece): string {
  if (value === undefined) return '';
  if (value instanceof Markup) return value.text;
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return escaped(value);
  return value.map(written).join('');
}

/** Text as it may stand in a page. */
export function escaped(text: string): string {
  return plainText(text, SHOWN).replace(/[&<>"'`]/g, (char) => ENTITIES[char] ?? '');
}
