/** What a spreadsheet takes for the start of a formula; with our own mark before it, so that it can be undone. */
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
