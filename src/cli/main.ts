import { refuseMissingFolder } from './program/shapes.js';
import { exitAsLost } from './program/stdout-lost.js';
import { program } from './program.js';

// Nobody reads stdout or stderr any more (`2>&1 | head`): what goes on must not end for want of a reader.
process.stdout.on('error', exitAsLost);
process.stderr.on('error', () => {});

/** `EXIT.internal`: a command that waits for what never comes has not succeeded. Node alone would exit with 0. */
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
    (await import('./wrong-arguments.js')).explainUnknownCommand(error);
  })
  .then(() => process.off('beforeExit', stalled));
