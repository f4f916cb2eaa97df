import { Scalar as YamlScalar } from 'yaml';
import type { Scalar } from '../../model/map.js';

/** Types a plain scalar by the core schema of YAML 1.2. */
export function typeScalar(text: string): Scalar | null {
  if (/^(?:|~|null|Null|NULL)$/.test(text)) return null;
  if (/^(?:true|True|TRUE)$/.test(text)) return true;
  if (/^(?:false|False|FALSE)$/.test(text)) return false;
  if (/^[-+]?[0-9]+$/.test(text)) return Number(text);
  if (/^0o[0-7]+$/.test(text) || /^0x[0-9a-fA-F]+$/.test(text)) return Number(text);
  if (/^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/.test(text)) return Number(text);
  return text;
}

const SPACE = /\s/;

/**
 * For each UTF-16 unit of a scalar's value, its index in the source between the scalar's first and last character
 * (quotes and block headers included); undefined where the two cannot be matched up.
 */
export function alignScalar(source: string, value: string, type: string | undefined): number[] | undefined {
  const single = type === YamlScalar.QUOTE_SINGLE;
  const double = type === YamlScalar.QUOTE_DOUBLE;
  const block = type === YamlScalar.BLOCK_LITERAL || type === YamlScalar.BLOCK_FOLDED;
  let at = single || double ? 1 : block ? source.indexOf('\n') + 1 : 0;
  const offsets: number[] = [];
  for (let index = 0; index < value.length; index += 1) {
    const wanted = value[index]!;
    while (double && /^\\\r?\n/.test(source.slice(at, at + 3))) at = skipSpace(source, at + 1);
    if (double && source[at] === '\\') {
      offsets.push(at);
      const length = { x: 4, u: 6, U: 10 }[source[at + 1] ?? ''] ?? 2;
      // Beyond the basic plane one escape stands for two units.
      if (length === 10 && value.codePointAt(index)! > 0xffff) {
        offsets.push(at);
        index += 1;
      }
      at += length;
    } else if (SPACE.test(wanted)) {
      offsets.push(at);
      // A folded line break is one space in the value and a break with indentation in the source.
      if (SPACE.test(source[at] ?? '')) at += 1;
    } else {
      at = skipSpace(source, at);
      if (source[at] !== wanted) return undefined;
      offsets.push(at);
      at += single && wanted === "'" ? 2 : 1;
    }
  }
  return offsets;
}

function skipSpace(source: string, from: number): number {
  let at = from;
  while (at < source.length && SPACE.test(source[at]!)) at += 1;
  return at;
}

/**
 * Inside `{ }` and `[ ]` YAML ends a text at the first brace, so that `{ file: out-{job}.xlsx }` or `[${NAME}]` would
 * be refused although only one thing can be meant. A brace pair on one line that is glued to the text before it, and
 * `{job}` and `{run}` anywhere, are replaced by two Unicode
 * noncharacters, which no text may contain, before the text is parsed. Positions don't change.
 */
const OPEN = '\uFDD0';
const CLOSE = '\uFDD1';
const GLUED = /(?<=[^\s,[\]{}:"'])\{([^{}"'\r\n]*)\}|\{(job|run)\}/g;

export function hideBraces(text: string): string {
  if (text.includes(OPEN) || text.includes(CLOSE)) return text;
  // Twice: in `{job}{run}` the second pair follows a brace that the first pass replaces.
  const hide = (it: string) =>
    it.replace(GLUED, (_, glued?: string, word?: string) => `${OPEN}${glued ?? word}${CLOSE}`);
  return hide(hide(text));
}

export function showBraces(text: string): string {
  return text.replaceAll(OPEN, '{').replaceAll(CLOSE, '}');
}
