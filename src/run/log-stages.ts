import { workOf } from '../model/job.js';
import type { RunContext } from './run-context.js';
import type { RunEnd } from './run-end.js';
import type { RunSettings, StepsSettings } from './settings.js';

/** Does the work and logs the run's beginning, a stop at the moment it is asked for, and the run's end. */
export async function withRunLog(
  { services, id: run, kind, settings }: RunContext<RunSettings | StepsSettings>,
  resumed: boolean,
  work: () => Promise<RunEnd>,
): Promise<RunEnd> {
  const { log, stop } = services;
  if (!log) return work();
  const { job, connection } = settings;
  const operation = workOf(job);
  const event = resumed ? 'run_resumed' : 'run_started';
  log.add({ run, event, job: job.name, operation, connection: connection.name, kind });
  const onStop = (): void => {
    const { cause } = stop;
    if (!cause) return;
    const reason = cause.kind === 'safety' ? cause.reason : undefined;
    log.add({ run, event: 'stopping', cause: cause.kind, reason });
  };
  if (stop.cause) onStop();
  stop.signal.addEventListener('abort', onStop, { once: true });
  try {
    const end = await work();
    const { status, exitCode, requests, retries, executeMs } = end;
    log.add({ run, event: 'run_ended', status, exitCode, requests, retries, executeMs });
    return end;
  } finally {
    stop.signal.removeEventListener('abort', onStop);
  }
}

/** Logs the number of rows, items and batches that the plan made. */
export async function logPlan({
  services: { log, ledger },
  id: run,
}: Pick<RunContext, 'services' | 'id'>): Promise<void> {
  if (!log) return;
  const rows = (await ledger.runs.get(run))?.rows ?? 0;
  const { items, batches } = await ledger.execution.remaining(run);
  log.add({ run, event: 'plan_finished', rows, items, batches });
}
