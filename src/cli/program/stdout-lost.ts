/** `EXIT.internal`: what is loaded before the command is known holds nothing but the shapes of commands. */
const LOST = 5;

let lost = false;

/**
 * For errors of stdout. What a command found out did not reach whoever asked for it (a full disk behind `>`), so it ends
 * with 5, whatever it did; a reader that went away (`| head`) is no fault.
 */
export function exitAsLost({ code }: NodeJS.ErrnoException): void {
  if (lost || code === 'EPIPE') return;
  lost = true;
  // Last of all: the command sets its own exit code when its work is done.
  process.once('exit', () => {
    process.exitCode = LOST;
  });
}

/** The exit code of a command that leaves at once, before its streams could tell of an error. */
export function orLost(exitCode: number): number {
  const { errored } = process.stdout;
  return errored && (errored as NodeJS.ErrnoException).code !== 'EPIPE' ? LOST : exitCode;
}
