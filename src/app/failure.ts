import { languageOf, type Wording } from '../errors/at-page.js';
import { message, render } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { ProblemsError, renderProblems } from '../job/problem.js';
import { EXIT } from '../model/exit-code.js';
import { redactKnown } from '../util/known-secrets.js';
import { ownFile } from '../util/own-package.js';
import { sourceStack } from './source-stack.js';

/** What ended a use case before it had a result, in words. */
export interface Failure {
  readonly exitCode: number;
  readonly code: string;
  readonly text: string;
  /** Further problems found in the same go. */
  readonly others: readonly string[];
  /** `text` holds the others already. */
  readonly told?: boolean;
}

/**
 * What is said of an error. A fault of the program itself shows its stack. No credential that was fetched stands in
 * it, wherever the error comes from.
 */
export function failureOf(error: unknown, language: Wording): Failure {
  const failure = described(error, language);
  return { ...failure, text: redactKnown(failure.text), others: failure.others.map(redactKnown) };
}

function described(error: unknown, language: Wording): Failure {
  if (!(error instanceof ProductError)) {
    const file = lostPart(error);
    if (file !== undefined) {
      const text = render(message('cli.program_replaced', { file }), language);
      return { exitCode: EXIT.internal, code: 'cli.program_replaced', text, others: [] };
    }
    const text = error instanceof Error ? sourceStack(error.stack ?? error.message) : String(error);
    return { exitCode: EXIT.internal, code: 'internal', text, others: [] };
  }
  const { exitCode, code } = error;
  const others = error.others.map((it) => render(it, language));
  // Of a job file: where each problem is, with the line at fault.
  if (error instanceof ProblemsError) {
    const text = `\n${renderProblems(error.problems, languageOf(language))}`;
    return { exitCode, code, text, others, told: true };
  }
  return { exitCode, code, text: render(error.detail, language), others };
}

/** The part of the program that it wanted to load and that isn't there: parts are loaded when they are first needed. */
function lostPart(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, message: said } = error as NodeJS.ErrnoException;
  if (code !== 'MODULE_NOT_FOUND' && code !== 'ERR_MODULE_NOT_FOUND') return undefined;
  return said.includes(ownFile('dist')) ? /'([^']+)'/.exec(said)?.[1] : undefined;
}

/** The same for machines. */
export function failureData(error: unknown, language: Wording = 'en') {
  const { code, text, others } = failureOf(error, language);
  return { code, message: text, others };
}
