import { exitAsLost } from './program/stdout-lost.js';
import { program } from './program.js';

// Nobody reads stdout or stderr any more (`2>&1 | head`): what goes on must not end for want of a reader.
process.stdout.on('error', exitAsLost);
process.stderr.on('error', () => {});

await program().parseAsync(process.argv);
