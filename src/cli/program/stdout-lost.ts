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
