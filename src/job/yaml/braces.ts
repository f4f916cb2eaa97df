/**
 * Inside `{ }` and `[ ]` YAML ends a text at the first brace, so that `{ file: out-{job}.xlsx }` or `[${NAME}]` would
 * be refused although only one thing can be meant. A brace pair on one line that is glued to the text before it, and
 * `{job}` and `{run}` anywhere, are hidden from the parser behind two characters that no text may hold (Unicode
 * noncharacters); nothing moves, so that positions stay.
 */
const OPEN = '\uFDD0';
const CLOSE = '\uFDD1';
const GLUED = /(?<=[^\s,[\]{}:"'])\{([^{}"'\r\n]*)\}|\{(job|run)\}/g;

export function hideBraces(text: string): string {
  if (text.includes(OPEN) || text.includes(CLOSE)) return text;
  // Twice, as in `{job}{run}` the second pair is glued to a brace that is hidden only then.
  const hide = (it: string) =>
    it.replace(GLUED, (_, glued?: string, word?: string) => `${OPEN}${glued ?? word}${CLOSE}`);
  return hide(hide(text));
}

export function showBraces(text: string): string {
  return text.replaceAll(OPEN, '{').replaceAll(CLOSE, '}');
}
