import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import path from 'node:path';
import { message, render } from '../errors/message.js';
import { languageOf, type MessageSurface } from '../errors/message-surface.js';
import { ProductError } from '../errors/product-error.js';
import { ProblemsError, renderProblems } from '../job/problem.js';
import { type ExpectedArgument, wrongArgument } from '../job/wrong-argument.js';
import { EXIT } from '../model/run-outcome.js';
import { DISK_FULL } from '../util/atomic-file.js';
import { ownFile } from '../util/own-package.js';
import { redactKnown } from '../util/secrets.js';

/** The error that ended a use case before it had a result, as text. */
export interface Failure {
  readonly exitCode: number;
  readonly code: string;
  readonly text: string;
  /** Further problems found at the same time. */
  readonly others: readonly string[];
  /** `text` already contains `others`. */
  readonly includesOthers?: boolean;
}

/** Describes an error. An internal error includes its stack. Fetched credentials are redacted in every text. */
export function failureOf(error: unknown, language: MessageSurface): Failure {
  const failure = described(error, language);
  return { ...failure, text: redactKnown(failure.text), others: failure.others.map(redactKnown) };
}

function described(error: unknown, language: MessageSurface): Failure {
  if (!(error instanceof ProductError)) {
    const file = lostPart(error);
    if (file !== undefined) {
      const text = render(message('cli.program_replaced', { file }), language);
      return { exitCode: EXIT.internal, code: 'cli.program_replaced', text, others: [] };
    }
    if (error instanceof Error && DISK_FULL.has((error as NodeJS.ErrnoException).code ?? '')) {
      const text = render(message('cli.disk_full', { reason: error.message }), language);
      return { exitCode: EXIT.internal, code: 'cli.disk_full', text, others: [] };
    }
    const text = error instanceof Error ? sourceStack(error.stack ?? error.message) : String(error);
    return { exitCode: EXIT.internal, code: 'internal', text, others: [] };
  }
  const { exitCode, code } = error;
  const others = error.others.map((it) => render(it, language));
  // For a job file: the position of each problem, with its line.
  if (error instanceof ProblemsError) {
    const text = `\n${renderProblems(error.problems, languageOf(language))}`;
    return { exitCode, code, text, others, includesOthers: true };
  }
  return { exitCode, code, text: render(error.detail, language), others };
}

/** A missing file of the program: modules are loaded when first needed, and an update may have replaced them. */
function lostPart(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, message: text } = error as NodeJS.ErrnoException;
  if (code !== 'MODULE_NOT_FOUND' && code !== 'ERR_MODULE_NOT_FOUND') return undefined;
  return text.includes(ownFile('dist')) ? /'([^']+)'/.exec(text)?.[1] : undefined;
}

/** The same as plain data. */
export function failureData(error: unknown, language: MessageSurface = 'en') {
  const { code, text, others } = failureOf(error, language);
  return { code, message: text, others };
}

/** A position in a file of the bundle, in Node's stack format. */
const POSITION = /(?<=\(|at )([^()\n]*[\\/]dist[\\/][^()\n]*\.cjs):(\d+):(\d+)/g;

/**
 * The stack with positions in the sources instead of the bundle. Mapped only when an error is shown, because
 * `--enable-source-maps` would read every map at the start of every command.
 */
export function sourceStack(stack: string): string {
  const maps = new Map<string, SourceMap>();
  return stack.replace(POSITION, (place, file: string, line: string, column: string) => {
    try {
      const map = maps.get(file) ?? new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')));
      maps.set(file, map);
      const found = map.findEntry(Number(line) - 1, Number(column) - 1);
      if (!('originalSource' in found)) return place;
      const source = found.originalSource.replace(/^(\.\.[\\/])+/, '');
      return `${source}:${found.originalLine + 1}:${found.originalColumn + 1}`;
    } catch {
      return place;
    }
  });
}

/** The failure if an argument is of another kind than expected; undefined if it may be valid. */
export async function argumentFailure(
  { cwd, language }: { readonly cwd: string; readonly language: MessageSurface },
  given: string,
  expected: ExpectedArgument,
): Promise<Failure | undefined> {
  const wrong = wrongArgument(given, expected, cwd);
  const mayBeResult = wrong?.code === 'argument.is_spreadsheet' || given.toLowerCase().endsWith('.ndjson');
  // Loaded only if needed: every command checks its arguments, and few receive a result.
  const results = mayBeResult ? await import('../source/result-file.js') : undefined;
  const run = await results?.runOfResult(path.resolve(cwd, given));
  const what = message(`argument.no_${expected}`);
  const detail =
    run === undefined ? wrong : message('argument.is_result', { given, what, ...wrong?.params, run });
  return detail && failureOf(new ProductError('usage', detail), language);
}
