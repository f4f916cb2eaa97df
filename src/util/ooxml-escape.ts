// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must go
const UNSHOWABLE = /[\u0000-\u0008\u000b-\u001f\u007f\ufffe\uffff]|[\ud800-\udfff]/gu;

/** Text for notes and names, without characters that XML can't contain. */
export function showable(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(UNSHOWABLE, ' ');
}

const MARKUP: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Showable text within XML, also within an attribute. */
export function xmlText(text: string): string {
  return text.replace(/[&<>"]/g, (char) => MARKUP[char]!);
}

const SEEMING_ESCAPE = /_(?=x[0-9A-Fa-f]{4}_)/g;

/** Escapes text that looks like an escape (`_x0041_`), so that it is shown as it was and not as an A. */
export function withoutSeemingEscapes(xml: string): string {
  return xml.replace(SEEMING_ESCAPE, '_x005F_');
}
