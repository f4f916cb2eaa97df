import { createInterface } from 'node:readline';
import { type Language, message, render } from '../errors/message.js';
import type { Operation } from '../model/operation.js';
import type { SendQuestion } from '../run/execute/confirm-sending.js';

/** Asks for confirmations on the terminal; false if input or output is not a terminal. */
export function askOnTerminal(
  print: (text: string) => void,
  language: Language,
): false | ((question: SendQuestion) => Promise<boolean>) {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return false;
  return async ({
    operation,
    uncertain,
    otherLedger,
    changed,
    canary,
    connection: { name, baseUrl: address },
    job,
    items,
    steps,
  }) => {
    // Loaded only here, because few runs need the texts of operations.
    const { purposeOf } = await import('../app/operations.js');
    const aboutOf = (of: Operation) => ({ operation: of.name, purpose: purposeOf(of, language) });
    const where = { job, connection: name, items };
    for (const step of steps ?? [{ operation }])
      print(render(message('listing.about_to', aboutOf(step.operation)), language));
    const lines = [
      address === undefined
        ? message('listing.about_where', where)
        : message('listing.about_where_at', { ...where, address }),
      ...(steps ?? []).map((it) => message('listing.about_step', { step: it.name, items: it.items })),
      ...(uncertain ? [message('listing.about_unknown', uncertain)] : []),
      ...(otherLedger ? [message('listing.about_other_ledger', otherLedger)] : []),
      ...(changed ? [message('listing.about_changed', changed)] : []),
      ...(canary ? [message('listing.about_canary', canary)] : []),
    ];
    for (const line of lines) print(`  ${render(line, language)}`);
    return /^(y|yes|是)$/i.test(await answer(render(message('listing.go_on'), language)));
  };
}

/** The typed line; empty if the terminal is closed or Ctrl-C is pressed. */
function answer(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  return new Promise<string>((resolve) => {
    lines.once('close', () => resolve(''));
    // While a line is read, readline receives Ctrl-C instead of the process, so the signal is emitted here.
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
