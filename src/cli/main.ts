import { message, render } from '../errors/message.js';
import { EXIT } from '../model/exit-code.js';
import { failureOf, printFailure } from './exit.js';
import { languageOf } from './language.js';
import { program } from './program.js';

const language = languageOf(process.env);

// Nobody listens to stderr any more (`2>&1 | head`): what goes on must not end for want of a listener.
process.stderr.on('error', () => {});

// A reader that went away (`| head`) is no fault. Anything else (a full disk behind `>`) is told, and the work, which
// is in the ledger and the result file, ends as it would.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') return;
  const reason = error.code ?? error.message;
  process.stderr.write(`license-sync: ${render(message('cli.output_lost', { reason }), language)}\n`);
});

/** The last words of a fault that nobody caught: Node's own would show every property of the error, secrets too. */
function crash(error: unknown): void {
  printFailure(failureOf(error, language));
  process.exit(EXIT.internal);
}
process.on('uncaughtException', crash);
process.on('unhandledRejection', crash);

await program().parseAsync(process.argv);
