/** The start of a formula, optionally after apostrophes, which can be removed again. */
const DANGEROUS = /^'*[=+\-@\t\r]/;
const GUARDED = /^''*[=+\-@\t\r]/;

/**
 * A value that a spreadsheet would read as a formula gets an apostrophe in front, and so does one that already has
 * apostrophes before such a start; `unneutralise` restores every value.
 */
export function neutralise(text: string): string {
  return DANGEROUS.test(text) ? `'${text}` : text;
}

export function unneutralise(text: string): string {
  return GUARDED.test(text) ? text.slice(1) : text;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must go
const UNSHOWABLE = /[\u0000-\u0008\u000b-\u001f\u007f\ufffe\uffff]|[\ud800-\udfff]/gu;

/** Text for notes and names, without characters that XML cannot contain. */
export function showable(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(UNSHOWABLE, ' ');
}

const MARKUP: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Valid text within XML, also within an attribute. */
export function xmlText(text: string): string {
  return text.replace(/[&<>"]/g, (char) => MARKUP[char]!);
}

const SEEMING_ESCAPE = /_(?=x[0-9A-Fa-f]{4}_)/g;

/** Escapes text that looks like an escape (`_x0041_`), so that it is shown unchanged and not as an A. */
export function withoutSeemingEscapes(xml: string): string {
  return xml.replace(SEEMING_ESCAPE, '_x005F_');
}

/** 1 is A, 27 is AA. */
export function columnLetters(column: number): string {
  let letters = '';
  for (let rest = column; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  }
  return letters;
}

/** `D7` for column 4, row 7. */
export function cellAddress(column: number, row: number): string {
  return columnLetters(column) + row;
}
