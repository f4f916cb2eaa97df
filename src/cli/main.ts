import { program } from './program.js';

// A reader that went away (`| head`) must not look like a fault of the program.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

await program().parseAsync(process.argv);
