const NUMBER_SIGN = 0x23;
const LETTER_E = 0x45;
/** White space beyond ASCII that a text may begin with. */
const WIDE_BLANKS: ReadonlySet<number> = new Set([0xa0, 0x3000, 0xfeff]);
/** What spreadsheets show in place of a value, in any language: `#N/A`, `#REF!`, `#NAME?`, `#WERT!`; and `########`. */
const ERROR_TEXT = /^(?:#(?:#+|N\/A|NV|GETTING_DATA|\p{Lu}[\p{Lu}\d_/]*[!?])|Err:\d{3})$/u;

/** Whether a cell's whole text is an error value that was saved as text, or a column that was too narrow. */
export function isErrorText(text: string): boolean {
  const first = text.charCodeAt(0);
  // Asked of every text: nearly all are told by their first character.
  if (first > NUMBER_SIGN && first !== LETTER_E && !WIDE_BLANKS.has(first)) return false;
  return ERROR_TEXT.test(text.trim());
}
