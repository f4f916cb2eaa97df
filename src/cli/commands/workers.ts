import type { ListedWorker } from '../../app/queued-runs.js';
import type { WorkerInput } from '../../app/worker.js';
import { type Language, message, render } from '../../errors/message.js';
import { EXIT } from '../../model/run-outcome.js';
import { StopSignal } from '../../util/stop-signal.js';
import { printExported, programOf } from '../print-exported.js';
import { guarded, stopOnSignals, untilSignal } from '../process.js';
import { pauseLine } from '../progress.js';
import { shownPath, shownText, table } from '../shown-text.js';

interface TeamFlags {
  readonly json?: boolean;
  readonly ledger?: string;
}

/** `stop RUN` */
export async function stop(id: string, flags: TeamFlags): Promise<void> {
  await guarded(flags, async (context) => {
    const { stopRun } = await import('../../app/queued-runs.js');
    const { run } = await stopRun(context, id);
    const text = flags.json
      ? JSON.stringify({ run: run.id, status: run.state })
      : render(message('team.stopped', { run: run.id }), context.language);
    process.stdout.write(`${text}\n`);
    return EXIT.ok;
  });
}

/** `workers` */
export async function workers(flags: TeamFlags): Promise<void> {
  await guarded(flags, async (context) => {
    const { language } = context;
    const { listWorkers, workersData } = await import('../../app/queued-runs.js');
    const found = await listWorkers(context);
    if (flags.json) {
      process.stdout.write(`${JSON.stringify({ workers: workersData(found) })}\n`);
      return EXIT.ok;
    }
    if (found.workers.length === 0) process.stdout.write(`${render(message('team.no_workers'), language)}\n`);
    else process.stdout.write(workersText(found.workers, language));
    if (found.waiting.length > 0) {
      const waiting = message('team.waiting_runs', { runs: found.waiting.join(', ') });
      process.stdout.write(`${render(waiting, language)}\n`);
    }
    return EXIT.ok;
  });
}

function workersText(found: readonly ListedWorker[], language: Language): string {
  const header = (['worker', 'slots', 'connections', 'heard_of', 'runs'] as const).map((it) =>
    render(message(`team.${it}`), language),
  );
  const lines = found.map((it) => [
    shownPath(it.name),
    String(it.slots),
    it.connections.map(shownPath).join(', '),
    render(message('team.ago', { seconds: Math.round(it.silentMs / 1000) }), language),
    it.runs.join(', ') || '-',
  ]);
  return table([header, ...lines]);
}

interface WorkerFlags extends WorkerInput {
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly ledger?: string;
}

/** `worker`: executes queued runs until it is stopped. */
export async function worker(flags: WorkerFlags): Promise<void> {
  await guarded(flags, async (context) => {
    const { language } = context;
    const print = (text: string): boolean => process.stderr.write(`${shownText(text)}\n`);
    const printUnlessQuiet = (text: string): unknown => flags.quiet || print(text);
    const stop = new StopSignal();
    const release = stopOnSignals(stop, () =>
      printUnlessQuiet(render(message('team.worker_stopping'), language)),
    );
    try {
      const watch = {
        note: (it: Parameters<typeof render>[0]) => printUnlessQuiet(render(it, language)),
        aside: (it: Parameters<typeof render>[0]) =>
          print(render(message('progress.warning', { text: render(it, language) }), language)),
        printed: print,
        paused: (pause: Parameters<typeof pauseLine>[0] | undefined) =>
          pause && printUnlessQuiet(pauseLine(pause, language)),
        following: untilSignal,
      };
      const { runWorker } = await import('../../app/worker.js');
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
    const { workerFiles } = await import('../../app/worker.js');
    const files = await workerFiles(context, { ...flags, program: programOf(flags) });
    await printExported(files, format, output);
    return EXIT.ok;
  });
}
