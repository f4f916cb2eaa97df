import { createInterface } from 'node:readline';
import { type Language, message, render } from '../errors/message.js';
import type { Operation } from '../model/operation.js';
import type { SendQuestion } from '../run/execute/consent.js';

/** Asks on the terminal when there is one (both ways); elsewhere nobody can be asked. */
export function askOnTerminal(
  say: (text: string) => void,
  language: Language,
): false | ((question: SendQuestion) => Promise<boolean>) {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return false;
  return async ({
    operation,
    doubtful,
    otherLedger,
    canary,
    connection: { name, baseUrl: address },
    job,
    items,
    steps,
  }) => {
    // Loaded where it is asked for: few runs need the words of operations.
    const { purposeOf } = await import('../app/operations.js');
    const aboutOf = (of: Operation) => ({ operation: of.name, purpose: purposeOf(of, language) });
    const where = { job, connection: name, items };
    for (const of of steps ?? [{ operation }])
      say(render(message('listing.about_to', aboutOf(of.operation)), language));
    const lines = [
      address === undefined
        ? message('listing.about_where', where)
        : message('listing.about_where_at', { ...where, address }),
      ...(steps ?? []).map((it) => message('listing.about_step', { step: it.name, items: it.items })),
      ...(doubtful ? [message('listing.about_unknown', doubtful)] : []),
      ...(otherLedger ? [message('listing.about_other_ledger', otherLedger)] : []),
      ...(canary ? [message('listing.about_canary', canary)] : []),
    ];
    for (const line of lines) say(`  ${render(line, language)}`);
    return /^(y|yes|是)$/i.test(await answer(render(message('listing.go_on'), language)));
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
