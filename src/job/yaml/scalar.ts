import { stringify, Scalar as YamlScalar } from 'yaml';
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
 * For each UTF-16 unit of a scalar's value, its index in the source of the scalar (quotes and block headers included);
 * undefined if value and source cannot be aligned.
 */
export function alignScalar(source: string, value: string, type: string | undefined): number[] | undefined {
  const single = type === YamlScalar.QUOTE_SINGLE;
  const double = type === YamlScalar.QUOTE_DOUBLE;
  const block = type === YamlScalar.BLOCK_LITERAL || type === YamlScalar.BLOCK_FOLDED;
  let at = single || double ? 1 : block ? source.indexOf('\n') + 1 : 0;
  const offsets: number[] = [];
  for (let index = 0; index < value.length; index += 1) {
    const character = value[index]!;
    while (double && /^\\\r?\n/.test(source.slice(at, at + 3))) at = skipSpace(source, at + 1);
    if (double && source[at] === '\\') {
      offsets.push(at);
      const length = { x: 4, u: 6, U: 10 }[source[at + 1] ?? ''] ?? 2;
      // Beyond the basic plane one escape is two UTF-16 units.
      if (length === 10 && value.codePointAt(index)! > 0xffff) {
        offsets.push(at);
        index += 1;
      }
      at += length;
    } else if (SPACE.test(character)) {
      offsets.push(at);
      // A folded line break is one space in the value and a break with indentation in the source.
      if (SPACE.test(source[at] ?? '')) at += 1;
    } else {
      at = skipSpace(source, at);
      if (source[at] !== character) return undefined;
      offsets.push(at);
      at += single && character === "'" ? 2 : 1;
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
 * Inside `{ }` and `[ ]` YAML ends a text at the first brace, so that `{ file: out-{job}.xlsx }` or `[${NAME}]` would be
 * rejected although they are unambiguous. Before parsing, two Unicode noncharacters, which no text may contain, replace a pair of
 * braces on one line that directly follows a text, and `{job}` and `{run}` anywhere. Positions don't change.
 */
const OPEN = '\uFDD0';
const CLOSE = '\uFDD1';
const GLUED = /(?<=[^\s,[\]{}:"'])\{([^{}"'\r\n]*)\}|\{(job|run)\}/g;

export function hideBraces(text: string): string {
  if (text.includes(OPEN) || text.includes(CLOSE)) return text;
  // Twice: in `{job}{run}` the second pair follows a brace that the first pass replaces.
  const hide = (part: string) =>
    part.replace(GLUED, (_, glued?: string, word?: string) => `${OPEN}${glued ?? word}${CLOSE}`);
  return hide(hide(text));
}

export function showBraces(text: string): string {
  return text.replaceAll(OPEN, '{').replaceAll(CLOSE, '}');
}

const PLAIN = /^[\p{L}_][\p{L}\p{N}_ .()（）-]*$/u;

/** A value on one line that is valid within brackets too, in quotes if YAML would read it differently. */
export function scalarText(value: Scalar): string {
  if (typeof value !== 'string') return String(value);
  const text = escapedText(value);
  const plain = PLAIN.test(text) && stringify(text, { lineWidth: 0 }) === `${text}\n`;
  return plain ? text : JSON.stringify(text);
}

/** Escapes `${`, which begins a variable in a job file. */
export function escapedText(text: string): string {
  return text.replaceAll('${', () => '$${');
}

/** A text with `${NAME}` replaced; `origin[i]` is the index in the original text that unit `i` comes from. */
interface Substituted {
  readonly text: string;
  readonly origin: readonly number[];
  /** True if a variable was replaced. */
  readonly used: boolean;
  readonly faults: readonly VariableFault[];
}

type VariableFault =
  | { readonly kind: 'missing'; readonly name: string; readonly at: number }
  | { readonly kind: 'malformed'; readonly found: string; readonly at: number };

const MARK = /\$\$\{|\$\{([^}]*)(\})?/g;
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** `${NAME}` becomes the variable's value, `$${` becomes `${`. */
export function substitute(text: string, env: NodeJS.ProcessEnv): Substituted {
  const parts: string[] = [];
  const origin: number[] = [];
  const faults: VariableFault[] = [];
  let used = false;
  let from = 0;
  const copyUntil = (until: number) => {
    parts.push(text.slice(from, until));
    for (let index = from; index < until; index += 1) origin.push(index);
  };
  for (const match of text.matchAll(MARK)) {
    copyUntil(match.index);
    from = match.index + match[0].length;
    const name = match[1] ?? '';
    if (match[0] === '$${') append('${', match.index);
    else if (!match[2] || !NAME.test(name))
      faults.push({ kind: 'malformed', found: match[0], at: match.index });
    else {
      used = true;
      const value = Object.hasOwn(env, name) ? env[name] : undefined;
      if (value === undefined) faults.push({ kind: 'missing', name, at: match.index });
      else append(value, match.index);
    }
  }
  copyUntil(text.length);
  return { text: parts.join(''), origin, used, faults };

  function append(value: string, at: number): void {
    parts.push(value);
    for (let count = 0; count < value.length; count += 1) origin.push(at);
  }
}
