/** What a spreadsheet would take for a formula; a number with a sign is none. */
const FORMULA = /^\s*[=+\-@\t\r]/u;
const NUMBER = /^[+-]?\d+(?:\.\d+)?$/u;

/** A formula as the text of one, which is read as this text again: `="=1+1"`. */
export function harmless(text: string): string {
  if (!FORMULA.test(text) || NUMBER.test(text.trim()) || /^\s*="(?:[^"]|"")*"\s*$/u.test(text)) return text;
  return `="${text.replaceAll('"', '""')}"`;
}

/** Quoted where any reader might see more in it than its text. */
export function csvField(text: string, delimiter: string): string {
  return text.includes(delimiter) || /[",;\t|\r\n]|^\s|\s$/u.test(text)
    ? `"${text.replaceAll('"', '""')}"`
    : text;
}
