// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must go
const UNSHOWABLE = /[\u0000-\u0008\u000b-\u001f\u007f\ufffe\uffff]|[\ud800-\udfff]/gu;

/** Text for notes and names, where nobody undoes escapes. */
export function showable(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(UNSHOWABLE, ' ');
}

const MARKUP: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Showable text within XML, also within an attribute. */
export function xmlText(text: string): string {
  return text.replace(/[&<>"]/g, (char) => MARKUP[char]!);
}
