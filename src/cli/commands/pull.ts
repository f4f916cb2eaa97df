import type { AppContext } from '../../app/context.js';
import { type PulledSheet, type PullInput, pulledData, pullRecords } from '../../app/pull.js';
import { type Language, type Message, message, render } from '../../errors/message.js';
import type { Reconciled } from '../../model/comparison.js';
import { printJson, shownPath, shownText } from '../shown-text.js';
import { type RunFlags, terminalContext } from '../terminal.js';

/** `pull asset` and `pull enterprise` */
export async function pull(
  { language }: AppContext,
  flags: RunFlags & PullInput & { readonly what: Reconciled },
): Promise<number> {
  const context = terminalContext(flags, { stopping: 'pull.stopping' });
  const pulled = await pullRecords(context, flags.what, flags).finally(context.release);
  if (flags.json) printJson(pulledData(pulled, language));
  else process.stdout.write(pulledText(pulled, language));
  return pulled.exitCode;
}

function pulledText(it: PulledSheet, language: Language): string {
  const connection = it.sandbox ? `${it.connection} (SANDBOX)` : it.connection;
  const { what, status, keys, empty, unanswered, requests, retries } = it;
  const seconds = (it.durationMs / 1000).toFixed(1);
  const lines: Message[] = [
    message('pull.counts', { records: it.records, keys, empty, unanswered }),
    message('summary.requests', { requests, retries }),
  ];
  if (it.reason) lines.push(it.reason);
  if (status === 'interrupted') lines.push(message('pull.interrupted'));
  if (it.output !== undefined) lines.push(message('summary.result', { file: shownPath(it.output) }));
  const head = render(message('pull.summary', { what, status, connection, seconds }), language);
  return `${[head, ...lines.map((line) => `  ${shownText(render(line, language))}`)].join('\n')}\n`;
}
