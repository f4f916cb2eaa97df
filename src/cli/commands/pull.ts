import { type PulledSheet, type PullInput, pulledData, pullRecords } from '../../app/pull.js';
import { type Language, type Message, message, render } from '../../errors/message.js';
import type { Reconciled } from '../../model/comparison.js';
import { StopSignal } from '../../util/stop-signal.js';
import { guarded, stopOnSignals } from '../process.js';
import { ProgressPrinter } from '../progress.js';
import { shownPath, shownText } from '../shown-text.js';

interface PullFlags extends Omit<PullInput, 'keys'> {
  readonly enterprises?: string;
  readonly customers?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** `pull asset` and `pull enterprise` */
export async function pull(what: Reconciled, flags: PullFlags): Promise<void> {
  await guarded(flags, async (context) => {
    const { language } = context;
    const stop = new StopSignal();
    const printer = new ProgressPrinter({
      stream: process.stderr,
      language,
      quiet: flags.quiet === true,
      now: () => performance.now(),
    });
    const release = stopOnSignals(stop, () => printer.print(render(message('pull.stopping'), language)));
    const watch = {
      stop,
      progress: printer.progress.bind(printer),
      warn: printer.warn.bind(printer),
      paused: printer.paused.bind(printer),
    };
    try {
      const keys = flags.enterprises ?? flags.customers ?? '';
      const pulled = await pullRecords({ ...context, ...watch }, what, { ...flags, keys });
      printer.finish();
      if (flags.json) process.stdout.write(`${JSON.stringify(pulledData(pulled, language))}\n`);
      else process.stdout.write(pulledText(pulled, language));
      return pulled.exitCode;
    } finally {
      printer.finish();
      release();
    }
  });
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
