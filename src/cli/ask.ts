import { createInterface } from 'node:readline';
import type { Ask } from '../run/consent.js';

/** Asks on the terminal when there is one (both ways); elsewhere nobody can be asked. */
export function askOnTerminal(say: (text: string) => void): Ask {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return { kind: 'nobody' };
  return {
    kind: 'terminal',
    confirm: async ({ job, operation, connection, items, canary, doubtful }) => {
      say(`About to carry out ${operation.name} (${operation.purpose})`);
      say(
        `  job ${job}, connection ${connection.name}${connection.baseUrl ? ` at ${connection.baseUrl}` : ''}, ${items} items`,
      );
      if (doubtful)
        say(
          `  ${doubtful.rows} rows of run ${doubtful.run} are unknown: they may have been carried out already, and would be again`,
        );
      if (canary)
        say(`  the canary is through: ${canary.good} of ${canary.settled} items; these are the rest`);
      return /^(y|yes|是)$/i.test(await answer('Go on? [y/N] '));
    },
  };
}

/** What is typed; the empty text when the terminal is closed instead, or Ctrl-C pressed. */
function answer(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  return new Promise<string>((resolve) => {
    lines.once('close', () => resolve(''));
    // While a line is read, the terminal gives Ctrl-C to its reader alone; those who wait for the signal must hear it.
    lines.once('SIGINT', () => {
      process.emit('SIGINT');
      lines.close();
    });
    lines.question(question, (text) => {
      resolve(text.trim());
      lines.close();
    });
  });
}
