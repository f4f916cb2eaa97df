import type { AppContext } from '../app/context.js';
import { type Failure, failureData, failureOf } from '../app/failure.js';
import { message, render } from '../errors/message.js';
import { contextOf } from './context.js';
import { languageOf } from './language.js';
import { shownText } from './shown-path.js';

const OTHERS_SHOWN = 50;

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
export async function guarded(
  flags: { readonly json?: boolean; readonly ledger?: string },
  work: (context: AppContext) => Promise<number>,
): Promise<void> {
  const context = contextOf(flags);
  try {
    process.exitCode = await work(context);
  } catch (error) {
    const failure = failureOf(error, context.language);
    printFailure(failure);
    if (flags.json)
      process.stdout.write(`${JSON.stringify({ error: failureData(error, context.language) })}\n`);
    process.exitCode = failure.exitCode;
  }
}
