import { stopRun } from '../../app/stop.js';
import { type ListedWorker, listWorkers, workersData } from '../../app/workers.js';
import { type Language, message, render } from '../../errors/message.js';
import { EXIT } from '../../model/exit-code.js';
import { guarded } from '../exit.js';
import { shownPath } from '../shown-path.js';
import { table } from '../table.js';

interface TeamFlags {
  readonly json?: boolean;
  readonly ledger?: string;
}

/** `stop RUN` */
export async function stop(id: string, flags: TeamFlags): Promise<void> {
  await guarded(flags, async (context) => {
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
