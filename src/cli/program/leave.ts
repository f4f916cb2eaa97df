import { CommanderError } from 'commander';
import { faultText, words } from './commander-texts.js';

/** As `leave`, but throws an unknown command, which `wrong-arguments.ts` explains. */
export function leaveOrThrow(error: CommanderError): never {
  if (error.code === 'commander.unknownCommand') throw error;
  return leave(error);
}

/** Exits with 2 for usage errors (contract section 7), with 0 for help and version. */
export function leave(error: CommanderError): never {
  if (error.exitCode !== 0 && process.argv.includes('--json')) {
    const summary = { status: 'stopped', rows: 0, counts: {}, requests: 0, retries: 0 };
    const detail = { code: error.code, message: faultText(error.message), others: [] };
    process.stdout.write(`${JSON.stringify({ ...summary, error: detail })}\n`);
  }
  process.exit(orLost(error.exitCode === 0 ? 0 : 2));
}

/** Exits with 2 if the current folder was deleted: Node cannot name it, and every path would be relative to nothing. */
export function refuseMissingFolder(): void {
  try {
    process.cwd();
  } catch {
    const text = words('help.no_folder');
    process.stderr.write(`license-sync: ${text}\n`);
    leave(new CommanderError(2, 'help.no_folder', text));
  }
}

/** `EXIT.internal`, copied because modules loaded before the command is known must be few. */
const LOST = 5;

let lost = false;

/**
 * Handler for errors of stdout. If the output was lost (a full disk behind `>`), the command exits with 5 whatever its
 * result. A closed pipe (`| head`) is not an error.
 */
export function exitAsLost({ code }: NodeJS.ErrnoException): void {
  if (lost || code === 'EPIPE') return;
  lost = true;
  // Set at exit, because the command sets its own exit code when its work is done.
  process.once('exit', () => {
    process.exitCode = LOST;
  });
}

/** The exit code of a command that exits at once, before its streams could emit an error. */
export function orLost(exitCode: number): number {
  const { errored } = process.stdout;
  return errored && (errored as NodeJS.ErrnoException).code !== 'EPIPE' ? LOST : exitCode;
}
