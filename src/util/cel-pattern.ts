import { createRequire } from 'node:module';
import type { ASTNode, Environment } from '@marcbachmann/cel-js';
import { UnsignedInt } from '@marcbachmann/cel-js/evaluator';
import { type Message, message } from '../errors/message.js';

/** The part of the package re2js that is used. */
interface Re2 {
  compile(pattern: string): { test(text: string): boolean; programSize(): number };
  translateRegExp(pattern: string): string;
}

/** Loaded with the first pattern: few jobs have one, and loading takes a tenth of a small run's time. */
let loaded: Re2 | undefined;
function linearMatcher(): Re2 {
  loaded ??= (createRequire(import.meta.url)('re2js') as { RE2JS: Re2 }).RE2JS;
  return loaded;
}

/** A pattern compiled for a single row must be cheap to compile; one in the job file may be long. */
const LONGEST_FROM_A_CELL = 1000;
/** Instructions of a compiled pattern. */
const LARGEST = 20_000;
/** Maximum number of compiled patterns from cells in the cache. */
const KEPT = 100;

/** The characters of JavaScript's `\s`; RE2's has ASCII blanks only, and cells have no-break and ideographic ones. */
const BLANK =
  '\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}';
const NOT_BLANK =
  '\\x00-\\x08\\x0e-\\x1f!-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}';

/** JavaScript's `.` */
const NOT_LINE_END = '[^\\n\\r\\x{2028}\\x{2029}]';

const LOOKAROUND = /^\(\?<?[=!]/;
const BACKREFERENCE = /^\\(?:[1-9]|k<)/;

/** A pattern of `matches()`. Its time is linear in the text's length for every pattern (RE2). */
export interface LinearPattern {
  /** Number of its program's instructions: the time is at most proportional to this times the text's length. */
  readonly size: number;
  test(text: string): boolean;
}

type Compiled = LinearPattern | { readonly refused: Message };

/**
 * Compiles a pattern with JavaScript's meaning, as far as a linear-time matcher can: no backreferences, no lookaround.
 * Patterns that JavaScript rejects get RE2's syntax (`(?i)`, `\x{4e00}`).
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

const patternCache = new Map<string, Compiled>();

/** A pattern from a row, compiled once for all rows with the same one. */
export function patternOfRow(pattern: string): Compiled {
  let found = patternCache.get(pattern);
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
    if (patternCache.size >= KEPT) patternCache.clear();
    patternCache.set(pattern, found);
  }
  return found;
}

/** Lower bound of a pattern's instructions. RE2 allows at most 1000 repetitions, nested ones multiplied. */
export function estimatedSize(pattern: string): number {
  let repeats = 1;
  for (const [, from = '', to = ''] of pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g))
    repeats = Math.min(1000, repeats * Math.max(1, Number(from), Number(to)));
  return pattern.length * repeats;
}

/** The parts of a pattern outside of character classes that may be unsupported: escapes and openings of groups. */
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

/** The shorthands that match fewer characters in RE2 than in JavaScript. */
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

/**
 * The library's `int` and `double` convert "" to 0, "0b11" to 3 and "1e3" to 1000. A blank quantity must not be sent as
 * 0, so calls of them use stricter functions of the same meaning: text must be a plain decimal, as in a cell.
 */
const STRICT: Readonly<Record<string, string>> = {
  int: 'strictInt',
  uint: 'strictUint',
  double: 'strictDouble',
};

const WHOLE = /^[+-]?\d{1,19}$/;
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/;

export function registerStrictNumbers(environment: Environment): void {
  const register = (signature: string, handler: (value: never) => unknown): void => {
    environment.registerFunction(signature, handler);
  };
  register('strictInt(string): int', (text: string) => wholeOf(text));
  register('strictInt(int): int', (value: bigint) => value);
  register('strictInt(uint): int', (value: UnsignedInt) => value.value);
  register('strictInt(double): int', (value: number) => BigInt(Math.trunc(value)));
  register('strictInt(google.protobuf.Timestamp): int', (value: Date) =>
    BigInt(Math.floor(value.getTime() / 1000)),
  );
  register('strictUint(string): uint', (text: string) => unsigned(wholeOf(text)));
  register('strictUint(int): uint', (value: bigint) => unsigned(value));
  register('strictUint(uint): uint', (value: UnsignedInt) => value);
  register('strictUint(double): uint', (value: number) => unsigned(BigInt(Math.trunc(value))));
  register('strictDouble(string): double', (text: string) => decimalOf(text));
  register('strictDouble(double): double', (value: number) => value);
  register('strictDouble(int): double', (value: bigint) => Number(value));
  register('strictDouble(uint): double', (value: UnsignedInt) => Number(value.value));
}

/** Replaces the calls in an expression by calls of the stricter functions. */
export function useStrictNumbers(root: ASTNode): void {
  const pending: unknown[] = [root];
  while (pending.length > 0) {
    const next = pending.pop();
    if (Array.isArray(next)) pending.push(...next);
    else if (next !== null && typeof next === 'object' && 'op' in next) {
      const node = next as ASTNode;
      if (node.op === 'call') {
        const call = node.args as [string, ASTNode[]];
        call[0] = Object.hasOwn(STRICT, call[0]) ? STRICT[call[0]]! : call[0];
      }
      pending.push(node.args);
    }
  }
}

function wholeOf(text: string): bigint {
  const trimmed = text.trim();
  if (!WHOLE.test(trimmed)) throw new Error(`"${text}" is not a whole number in plain digits`);
  return BigInt(trimmed);
}

function decimalOf(text: string): number {
  const trimmed = text.trim();
  if (!DECIMAL.test(trimmed)) throw new Error(`"${text}" is not a plain decimal number`);
  return Number(trimmed);
}

function unsigned(value: bigint): UnsignedInt {
  if (value < 0n) throw new Error(`${value} is below 0`);
  return new UnsignedInt(value);
}
