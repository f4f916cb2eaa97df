/** The start of a formula, and the same with apostrophes before it, which can be removed again. */
const DANGEROUS = /^'*[=+\-@\t\r]/;
const GUARDED = /^''*[=+\-@\t\r]/;

/**
 * A value that a spreadsheet would take for a formula gets an apostrophe in front. So does one that already has
 * apostrophes before such a start; `unneutralise` gives every value back as it was.
 */
export function neutralise(text: string): string {
  return DANGEROUS.test(text) ? `'${text}` : text;
}

export function unneutralise(text: string): string {
  return GUARDED.test(text) ? text.slice(1) : text;
}
