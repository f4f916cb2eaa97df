import { createInterface } from 'node:readline/promises';
import type { Ask } from '../run/consent.js';

/** Asks on the terminal when there is one (both ways); elsewhere nobody can be asked. */
export function askOnTerminal(say: (text: string) => void): Ask {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return { kind: 'nobody' };
  return {
    kind: 'terminal',
    confirm: async ({ job, operation, connection, items, canary }) => {
      say(`About to carry out ${operation.name} (${operation.purpose})`);
      say(
        `  job ${job}, connection ${connection.name}${connection.baseUrl ? ` at ${connection.baseUrl}` : ''}, ${items} items`,
      );
      if (canary)
        say(`  the canary is through: ${canary.good} of ${canary.settled} items; these are the rest`);
      const lines = createInterface({ input: process.stdin, output: process.stderr });
      try {
        const answer = await lines.question('Go on? [y/N] ');
        return /^(y|yes|是)$/i.test(answer.trim());
      } finally {
        lines.close();
      }
    },
  };
}
