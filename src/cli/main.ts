import { exitAsLost, refuseMissingFolder } from './program/leave.js';
import { program } from './program.js';

// A closed stdout or stderr (`2>&1 | head`) must not end a run.
process.stdout.on('error', exitAsLost);
process.stderr.on('error', () => {});

/** `EXIT.internal`: a command whose promise is never resolved has failed. Without this, Node would exit with 0. */
const STALLED = 5;
const stalled = (): void => {
  process.exitCode = STALLED;
};
process.once('beforeExit', stalled);

void program()
  .parseAsync(process.argv)
  .catch(async (error) => {
    if (error?.code !== 'commander.unknownCommand') throw error;
    refuseMissingFolder();
    await (await import('./wrong-arguments.js')).explainUnknownCommand(error);
  })
  .then(() => process.off('beforeExit', stalled));
