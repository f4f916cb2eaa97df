import { createRequire } from 'node:module';
import { type Message, message } from '../errors/message.js';

/** What is used of the package re2js. */
interface Re2 {
  compile(pattern: string): { test(text: string): boolean; programSize(): number };
  /** From JavaScript's syntax. */
  translateRegExp(pattern: string): string;
}

/** Loaded for the first pattern: few jobs have one, and loading takes a tenth of a small run's time. */
let loaded: Re2 | undefined;
function linearMatcher(): Re2 {
  loaded ??= (createRequire(import.meta.url)('re2js') as { RE2JS: Re2 }).RE2JS;
  return loaded;
}

/** A pattern that is compiled for one row only must be cheap to compile; one in the job file may be long. */
const LONGEST_FROM_A_CELL = 1000;
/** Instructions of a compiled pattern. */
const LARGEST = 20_000;
/** Patterns from cells that are kept compiled. */
const KEPT = 100;

/** What JavaScript's `\s` matches; RE2's own has ASCII blanks only, and cells have no-break and ideographic ones. */
const BLANK =
  '\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}';
const NOT_BLANK =
  '\\x00-\\x08\\x0e-\\x1f!-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}';

/** JavaScript's `.` */
const NOT_LINE_END = '[^\\n\\r\\x{2028}\\x{2029}]';

const LOOKAROUND = /^\(\?<?[=!]/;
const BACKREFERENCE = /^\\(?:[1-9]|k<)/;

/** A pattern of `matches()`. Its time grows with the text's length only, whatever the pattern is (RE2). */
export interface LinearPattern {
  /** Instructions of its program: the time for a text is at most proportional to its length times these. */
  readonly size: number;
  test(text: string): boolean;
}

type Compiled = LinearPattern | { readonly refused: Message };

/**
 * Compiles a pattern as JavaScript reads it, as far as a linear-time matcher can: no backreferences, no lookaround.
 * Where JavaScript refuses a pattern, RE2's syntax applies (`(?i)`, `\x{4e00}`).
 */
export function compilePattern(pattern: string): Compiled {
  const refused = (why: Message): Compiled => ({ refused: why });
  const unsupported = tokensOf(pattern).find((it) => LOOKAROUND.test(it) || BACKREFERENCE.test(it));
  if (unsupported !== undefined) {
    const kind = LOOKAROUND.test(unsupported) ? 'expression.lookaround' : 'expression.backreference';
    return refused(message(kind, { pattern, part: unsupported }));
  }
  try {
    const matcher = linearMatcher();
    const compiled = matcher.compile(asInJavaScript(matcher.translateRegExp(pattern)));
    const size = compiled.programSize();
    if (size > LARGEST) return refused(message('expression.pattern_size', { pattern, limit: LARGEST }));
    return { size, test: (text) => compiled.test(text) };
  } catch (error) {
    const { error: what, input = '' } = error as { error?: string; input?: string | null };
    const detail = [what ?? String((error as Error).message), input ?? ''].filter(Boolean).join(': ');
    return refused(message('expression.pattern', { pattern, detail }));
  }
}

const kept = new Map<string, Compiled>();

/** A pattern that comes from a row, compiled once for rows with the same one. */
export function patternOfRow(pattern: string): Compiled {
  let found = kept.get(pattern);
  if (!found) {
    found =
      pattern.length > LONGEST_FROM_A_CELL
        ? {
            refused: message('expression.pattern_size', {
              pattern: `${pattern.slice(0, 50)}…`,
              limit: LONGEST_FROM_A_CELL,
            }),
          }
        : compilePattern(pattern);
    if (kept.size >= KEPT) kept.clear();
    kept.set(pattern, found);
  }
  return found;
}

/** At least the instructions that a pattern compiles to. RE2 allows at most 1000 repetitions, nested ones multiplied. */
export function estimatedSize(pattern: string): number {
  let repeats = 1;
  for (const [, from = '', to = ''] of pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g))
    repeats = Math.min(1000, repeats * Math.max(1, Number(from), Number(to)));
  return pattern.length * repeats;
}

/** The parts of a pattern outside of character classes that could be unsupported: escapes and openings of groups. */
function tokensOf(pattern: string): readonly string[] {
  const found: string[] = [];
  let inClass = false;
  for (const [token] of pattern.matchAll(/\\(?:k<|[\s\S])|\(\?<?[=!]|[[\]]/g)) {
    if (token === '[') inClass = true;
    else if (token === ']') inClass = false;
    else if (!inClass) found.push(token);
  }
  return found;
}

/** The shorthands with which RE2 means fewer characters than JavaScript. */
function asInJavaScript(pattern: string): string {
  const dot = /\(\?[a-z]*s/i.test(pattern) ? '.' : NOT_LINE_END;
  let inClass = false;
  return pattern.replace(/\\[\s\S]|[[\].]/g, (token) => {
    if (token === '[') inClass = true;
    else if (token === ']') inClass = false;
    else if (token === '\\s') return inClass ? BLANK : `[${BLANK}]`;
    else if (token === '\\S') return inClass ? NOT_BLANK : `[^${BLANK}]`;
    else if (token === '.' && !inClass) return dot;
    return token;
  });
}
