import { type Code, type Language, type Message, type Params, render } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { isWideCharacter } from '../util/text-width.js';
import { lineOf, type Place, positionOf } from './yaml/node.js';

export type JobCode = Extract<Code, `job.${string}`>;

/** Codes of problems with a position in a file. */
type PlacedCode = {
  [C in JobCode]: 'where' extends keyof Params<C> ? C : never;
}[JobCode];

/** A problem in a job file, in `license-sync.yaml`, or in a `--set` argument (then `file` is `--set`). */
export interface Problem {
  readonly file: string;
  /** 1-based; columns in UTF-16 units, as editors count. */
  readonly line: number;
  readonly column: number;
  readonly code: PlacedCode;
  /** Starts with file, line, column and code. */
  readonly message: Message;
  /** The problem is an unknown key; `meant`: the known key that is probably misspelt. */
  readonly unknownKey?: { readonly meant?: string };
  /** The line with the error; absent if it may contain a secret or is too long. */
  readonly excerpt?: string;
}

const LONGEST_EXCERPT = 200;

export function problemAt<C extends PlacedCode>(
  place: Place,
  code: C,
  params: Omit<Params<C>, 'where'>,
): Problem {
  const { line, column, usedAt } = positionOf(place);
  const file = place.text.name;
  const used = usedAt === undefined ? '' : ` (use: ${usedAt})`;
  const where = `${file}:${line}:${column}${used} ${code}`;
  const message: Message = { code, params: { where, ...params } };
  const { confidential } = place.text;
  const secret = typeof confidential === 'function' ? confidential(line) : confidential;
  const isShown = !secret && column <= LONGEST_EXCERPT;
  const excerpt = isShown ? lineOf(place.text, line).slice(0, LONGEST_EXCERPT) : undefined;
  return { file, line, column, code, message, excerpt };
}

/** Adds a problem and returns undefined, the result of a reader that found one. */
export function refuse<C extends PlacedCode>(
  problems: Problem[],
  place: Place,
  code: C,
  params: Omit<Params<C>, 'where'>,
): undefined {
  problems.push(problemAt(place, code, params));
  return undefined;
}

/** All problems of a job or configuration file; `detail` is the first, `others` are the rest. */
export class ProblemsError extends ProductError {
  readonly problems: readonly Problem[];

  /** @param problems at least one */
  constructor(problems: readonly Problem[]) {
    const files = [...new Set(problems.map(({ file }) => file))];
    const sorted = [...problems].sort((a, b) => byPlace(a, b, files));
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

/** Problems that leave a value missing. */
const MISSING_VALUES: ReadonlySet<string> = new Set([
  'job.missing_variable',
  'job.bad_variable',
  'job.unknown_alias',
  'job.custom_tag',
]);

/** Problems that drop a fragment, so that its fields are missing. */
const MISSING_FRAGMENTS: ReadonlySet<string> = new Set([
  'job.bad_use',
  'job.use_without_settings',
  'job.use_without_maps',
  'job.unknown_fragment',
  'job.unknown_fragment_far',
  'job.fragment_circle',
  'job.fragment_no_mapping',
  'job.maps_no_mapping',
]);
const MISSING_FIELDS: ReadonlySet<string> = new Set(['job.map_lacks', 'job.branch_lacks']);

/** Removes problems that only result from a missing value on the same line, or from a dropped fragment. */
export function withoutFollowingErrors(all: readonly Problem[]): readonly Problem[] {
  const incomplete = all.some(({ code }) => MISSING_FRAGMENTS.has(code));
  const problems = incomplete ? all.filter(({ code }) => !MISSING_FIELDS.has(code)) : all;
  const line = (problem: Problem) => `${problem.file}:${problem.line}`;
  const incompleteLines = new Set(problems.filter(({ code }) => MISSING_VALUES.has(code)).map(line));
  return problems.filter(
    (problem) =>
      MISSING_VALUES.has(problem.code) || problem.unknownKey || !incompleteLines.has(line(problem)),
  );
}

function byPlace(a: Problem, b: Problem, files: readonly string[]): number {
  return (
    Number(a.file === '--set') - Number(b.file === '--set') ||
    files.indexOf(a.file) - files.indexOf(b.file) ||
    a.line - b.line ||
    a.column - b.column
  );
}

/** Each problem on its own line, `jobs/x.yaml:12:5 job.unknown_key: …`, with the line and a caret under the error. */
export function renderProblems(problems: readonly Problem[], language: Language = 'en'): string {
  return problems.map((problem) => renderProblem(problem, language)).join('\n');
}

function renderProblem(problem: Problem, language: Language): string {
  const text = render(problem.message, language);
  if (problem.excerpt === undefined) return text;
  const gutter = `  ${problem.line} | `;
  const before = problem.excerpt.slice(0, problem.column - 1);
  // Tabs stay tabs and wide characters take two columns, so that the caret is under its character.
  const pad = [...before].map((char) => (char === '\t' ? '\t' : isWideCharacter(char) ? '  ' : ' ')).join('');
  return `${text}\n${gutter}${problem.excerpt}\n${' '.repeat(gutter.length)}${pad}^`;
}
