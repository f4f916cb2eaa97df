import { runWorker, type WorkerInput } from '../../app/worker.js';
import { message, render } from '../../errors/message.js';
import { EXIT } from '../../model/exit-code.js';
import { StopSignal } from '../../util/stop-signal.js';
import { guarded } from '../exit.js';
import { programOf, tellExported } from '../exported.js';
import { pauseLine } from '../progress.js';
import { shownText } from '../shown-path.js';
import { stopOnSignals, untilSignal } from '../signals.js';

interface WorkerFlags extends WorkerInput {
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly ledger?: string;
}

/** `worker`: carries out queued runs until it is stopped. */
export async function worker(flags: WorkerFlags): Promise<void> {
  await guarded(flags, async (context) => {
    const { language } = context;
    const say = (text: string): boolean => process.stderr.write(`${shownText(text)}\n`);
    const tell = (text: string): unknown => flags.quiet || say(text);
    const stop = new StopSignal();
    const release = stopOnSignals(stop, () => tell(render(message('team.worker_stopping'), language)));
    try {
      const watch = {
        note: (it: Parameters<typeof render>[0]) => tell(render(it, language)),
        aside: (it: Parameters<typeof render>[0]) =>
          say(render(message('progress.warning', { text: render(it, language) }), language)),
        printed: say,
        paused: (pause: Parameters<typeof pauseLine>[0] | undefined) =>
          pause && tell(pauseLine(pause, language)),
        following: untilSignal,
      };
      const { worker: name, ...sums } = await runWorker({ ...context, stop, watch }, flags);
      const text = flags.json
        ? JSON.stringify({ worker: name, ...sums })
        : render(message('team.worker_over', { name, ...sums }), language);
      process.stdout.write(`${text}\n`);
      return EXIT.ok;
    } finally {
      release();
    }
  });
}

interface ExportFlags extends WorkerFlags {
  readonly format: 'systemd' | 'kubernetes';
  readonly output?: string;
  readonly program?: string;
  readonly image?: string;
}

/** `worker --export` */
export async function exportWorker(flags: ExportFlags): Promise<void> {
  await guarded(flags, async (context) => {
    const { format, output } = flags;
    const { workerFiles } = await import('../../app/worker-export.js');
    const files = await workerFiles(context, { ...flags, program: programOf(flags) });
    await tellExported(files, format, output);
    return EXIT.ok;
  });
}
