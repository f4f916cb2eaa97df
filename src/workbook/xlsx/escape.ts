/**
 * Characters that XML 1.0 can't hold, or that its readers change (a carriage return becomes a line feed), and text
 * that looks like the escape itself.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must be escaped
const TROUBLE = /[\u0000-\u0008\u000b-\u001f\u007f\ufffe\uffff]|[\ud800-\udfff]|_(?=x[0-9A-Fa-f]{4}_)/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must go
const UNSHOWABLE = /[\u0000-\u0008\u000b-\u001f\u007f\ufffe\uffff]|[\ud800-\udfff]/gu;

/** Text as a cell stores it, with `_xHHHH_` for what XML can't hold; spreadsheets show it as it was. */
export function escaped(text: string): string {
  return text.replace(
    TROUBLE,
    (char) => `_x${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
  );
}

/** Text for notes and names, where nobody undoes escapes. */
export function showable(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(UNSHOWABLE, ' ');
}

const MARKUP: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Showable text within XML, also within an attribute. */
export function xmlText(text: string): string {
  return text.replace(/[&<>"]/g, (char) => MARKUP[char]!);
}
