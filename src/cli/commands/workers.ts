import type { AppContext } from '../../app/context.js';
import type { ListedWorker } from '../../app/queued-runs.js';
import type { WorkerInput, WorkerWatch } from '../../app/worker.js';
import { type Language, type Message, message, render } from '../../errors/message.js';
import { StopSignal } from '../../util/stop-signal.js';
import { printExported, programOf } from '../print-exported.js';
import { stopOnSignals, untilSignal } from '../process.js';
import { pauseLine } from '../progress.js';
import {
  type JsonFlag,
  printJson,
  printMessage,
  printResult,
  shownPath,
  shownText,
  table,
} from '../shown-text.js';

/** `stop RUN` */
export async function stop(context: AppContext, id: string, flags: JsonFlag): Promise<void> {
  const { stopRun } = await import('../../app/queued-runs.js');
  const { run } = await stopRun(context, id);
  const text = message('team.stopped', { run: run.id });
  printResult(flags, { run: run.id, status: run.state }, text, context.language);
}

/** `workers` */
export async function workers(context: AppContext, flags: JsonFlag): Promise<void> {
  const { language } = context;
  const { listWorkers, workersData } = await import('../../app/queued-runs.js');
  const found = await listWorkers(context);
  if (flags.json) return printJson({ workers: workersData(found) });
  if (found.workers.length === 0) printMessage(message('team.no_workers'), language);
  else process.stdout.write(workersText(found.workers, language));
  if (found.waiting.length > 0)
    printMessage(message('team.waiting_runs', { runs: found.waiting.join(', ') }), language);
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

/** `worker`: executes queued runs until it is stopped. */
export async function worker(
  context: AppContext,
  flags: WorkerInput & JsonFlag & Partial<ExportFlags> & { readonly quiet?: boolean },
): Promise<void> {
  if (flags.export) return exportWorker(context, { ...flags, export: flags.export });
  const { language } = context;
  const print = (text: string): boolean => process.stderr.write(`${shownText(text)}\n`);
  const printUnlessQuiet = (text: string): unknown => flags.quiet || print(text);
  const note = (it: Message): unknown => printUnlessQuiet(render(it, language));
  const stop = new StopSignal();
  const release = stopOnSignals(stop, () => note(message('team.worker_stopping')));
  const watch: WorkerWatch = {
    note,
    aside: (it) => print(render(message('progress.warning', { text: render(it, language) }), language)),
    printed: print,
    paused: (pause) => pause && printUnlessQuiet(pauseLine(pause, language)),
    following: untilSignal,
  };
  const { runWorker } = await import('../../app/worker.js');
  const { worker: name, ...sums } = await runWorker({ ...context, stop, watch }, flags).finally(release);
  const text = message('team.worker_over', { name, ...sums });
  printResult(flags, { worker: name, ...sums }, text, language);
}

interface ExportFlags {
  readonly export: 'systemd' | 'kubernetes';
  readonly output?: string;
  readonly program?: string;
  readonly image?: string;
}

/** `worker --export` */
async function exportWorker(context: AppContext, flags: WorkerInput & ExportFlags): Promise<void> {
  const { export: format, output, program } = flags;
  const { workerFiles } = await import('../../app/worker.js');
  const files = await workerFiles(context, { ...flags, format, program: programOf({ program, format }) });
  await printExported(files, format, output);
}
