import { type Language, message, render } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { ProblemsError, renderProblems } from '../job/problem.js';
import { EXIT } from '../model/exit-code.js';
import { redactKnown } from '../util/known-secrets.js';
import { shownText } from '../util/shown-path.js';
import { sourceStack } from '../util/source-stack.js';
import { languageOf } from './language.js';

const OTHERS_SHOWN = 50;

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
 * What a command says of an error that ended it. A fault of the program itself shows its stack. No credential that
 * was fetched stands in it, wherever the error comes from.
 */
export function failureOf(error: unknown, language: Language): Failure {
  const failure = described(error, language);
  return { ...failure, text: redactKnown(failure.text), others: failure.others.map(redactKnown) };
}

function described(error: unknown, language: Language): Failure {
  if (error instanceof ProblemsError) {
    const others = error.others.map((it) => render(it, language));
    const text = `\n${renderProblems(error.problems, language)}`;
    return { exitCode: EXIT.usage, code: error.detail.code, text, others, told: true };
  }
  if (error instanceof ProductError) {
    const others = error.others.map((it) => render(it, language));
    return {
      exitCode: error.exitCode,
      code: error.detail.code,
      text: render(error.detail, language),
      others,
    };
  }
  const text = error instanceof Error ? sourceStack(error.stack ?? error.message) : String(error);
  return { exitCode: EXIT.internal, code: 'internal', text, others: [] };
}

export function printFailure(failure: Failure): void {
  process.stderr.write(`license-sync: ${shownText(failure.text)}\n`);
  if (failure.told) return;
  for (const other of failure.others.slice(0, OTHERS_SHOWN)) {
    process.stderr.write(`  ${shownText(other)}\n`);
  }
  const left = failure.others.length - OTHERS_SHOWN;
  if (left > 0) {
    const more = render(message('listing.more', { count: left }), languageOf(process.env));
    process.stderr.write(`  ${more}\n`);
  }
}

/** Runs a command's work; whatever ends it becomes words on stderr, with `json` an object on stdout, and an exit code. */
export async function guarded(language: Language, work: () => Promise<number>, json = false): Promise<void> {
  try {
    process.exitCode = await work();
  } catch (error) {
    const failure = failureOf(error, language);
    printFailure(failure);
    if (json) {
      const { code, text, others } = failure;
      process.stdout.write(`${JSON.stringify({ error: { code, message: text, others } })}\n`);
    }
    process.exitCode = failure.exitCode;
  }
}
