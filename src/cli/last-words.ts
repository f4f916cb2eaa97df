import { failureOf } from '../app/failure.js';
import { message, render } from '../errors/message.js';
import { EXIT } from '../model/exit-code.js';
import { printFailure } from './exit.js';
import { languageOf } from './language.js';

/** From now on a fault that nobody caught, and output that can't be written, are told in the program's own words. */
export function tellLastWords(): void {
  const language = languageOf(process.env);

  // A reader that went away (`| head`) is no fault. Anything else (a full disk behind `>`) is told, and the work, which
  // is in the ledger and the result file, ends as it would.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    const reason = error.code ?? error.message;
    process.stderr.write(`license-sync: ${render(message('cli.output_lost', { reason }), language)}\n`);
  });

  // Node's own last words would show every property of the error, secrets too.
  const crash = (error: unknown): void => {
    printFailure(failureOf(error, language));
    process.exit(EXIT.internal);
  };
  process.on('uncaughtException', crash);
  process.on('unhandledRejection', crash);
}
