import type { JOB } from '../errors/catalogue/job.js';
import { type Language, type Message, type Params, render } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { lineOf, type Place, positionOf } from './yaml/text.js';

export type JobCode = keyof typeof JOB;

/** Codes of problems that stand at a place of a file. */
export type PlacedCode = {
  [C in JobCode]: 'where' extends keyof Params<C> ? C : never;
}[JobCode];

/** One thing wrong in a job file, in `license-sync.yaml` or in a `--set` argument (then `file` is `--set`). */
export interface Problem {
  readonly file: string;
  /** 1-based; columns in UTF-16 units, as editors count. */
  readonly line: number;
  readonly column: number;
  readonly code: PlacedCode;
  /** Starts with file, line, column and code. */
  readonly message: Message;
  /** The line at fault; absent where it may hold a secret or is too long to show. */
  readonly excerpt?: string;
}

const LONGEST_EXCERPT = 200;

export function problemAt<C extends PlacedCode>(
  place: Place,
  code: C,
  params: Omit<Params<C>, 'where'>,
): Problem {
  const { line, column } = positionOf(place);
  const file = place.text.name;
  const message: Message = { code, params: { where: `${file}:${line}:${column} ${code}`, ...params } };
  const { confidential } = place.text;
  const secret = typeof confidential === 'function' ? confidential(line) : confidential;
  const shownHere = !secret && column <= LONGEST_EXCERPT;
  const excerpt = shownHere ? { excerpt: lineOf(place.text, line).slice(0, LONGEST_EXCERPT) } : {};
  return { file, line, column, code, message, ...excerpt };
}

/** All problems of a job or configuration file at once; `detail` is the first, `others` are the rest. */
export class ProblemsError extends ProductError {
  readonly problems: readonly Problem[];

  /** At least one problem. */
  constructor(problems: readonly Problem[]) {
    const sorted = [...problems].sort(byPlace);
    const [first, ...rest] = sorted.map((problem) => problem.message);
    super('usage', first!, { others: rest });
    this.problems = sorted;
  }
}

export function throwProblems(problems: readonly Problem[]): void {
  if (problems.length > 0) fail(problems);
}

export function fail(problems: readonly Problem[]): never {
  throw new ProblemsError(problems);
}

/** What leaves a hole where a value should be. */
const HOLES: ReadonlySet<string> = new Set([
  'job.missing_variable',
  'job.bad_variable',
  'job.unknown_alias',
  'job.custom_tag',
]);

/** Other checks stumble over a hole; only the hole itself is worth telling. */
export function withoutEchoes(problems: readonly Problem[]): readonly Problem[] {
  const line = (problem: Problem) => `${problem.file}:${problem.line}`;
  const holes = new Set(problems.filter((one) => HOLES.has(one.code)).map(line));
  return problems.filter(
    (one) => HOLES.has(one.code) || one.code.startsWith('job.unknown_key') || !holes.has(line(one)),
  );
}

function byPlace(a: Problem, b: Problem): number {
  return Number(a.file === '--set') - Number(b.file === '--set') || a.line - b.line || a.column - b.column;
}

/** Each problem on its own line, `jobs/x.yaml:12:5 job.unknown_key: …`, with the line at fault and a caret. */
export function renderProblems(problems: readonly Problem[], language: Language = 'en'): string {
  return problems.map((problem) => renderProblem(problem, language)).join('\n');
}

function renderProblem(problem: Problem, language: Language): string {
  const text = render(problem.message, language);
  if (problem.excerpt === undefined) return text;
  const gutter = `  ${problem.line} | `;
  const before = problem.excerpt.slice(0, problem.column - 1);
  // Tabs are kept and wide characters take two cells, so that the caret stands under its character.
  const pad = [...before].map((char) => (char === '\t' ? '\t' : isWide(char) ? '  ' : ' ')).join('');
  return `${text}\n${gutter}${problem.excerpt}\n${' '.repeat(gutter.length)}${pad}^`;
}

function isWide(char: string): boolean {
  return /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u.test(
    char,
  );
}
