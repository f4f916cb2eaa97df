import type { Ledger } from '../ledger/contract/ledger.js';
import type { RunKind } from '../ledger/contract/run.js';
import type { StopSignal } from '../util/stop-signal.js';
import type { RunEnd } from './run-end.js';
import type { RunLog } from './run-log.js';
import type { RunSettings } from './settings.js';

interface Logged {
  readonly parts: { readonly log?: RunLog; readonly stop: StopSignal; readonly ledger: Ledger };
  readonly id: string;
  readonly kind: RunKind;
  readonly settings: RunSettings;
}

/** Tells the log of a run's beginning, of its being stopped at the moment that happens, and of its end. */
export async function logged(it: Logged, resumed: boolean, work: () => Promise<RunEnd>): Promise<RunEnd> {
  const { log, stop } = it.parts;
  if (!log) return work();
  const { job, connection } = it.settings;
  const { operation } = job;
  const event = resumed ? 'run_resumed' : 'run_started';
  log.add({ run: it.id, event, job: job.name, operation, connection: connection.name, kind: it.kind });
  const onStop = (): void => {
    const { cause } = stop;
    if (!cause) return;
    const reason = cause.kind === 'safety' ? { reason: cause.reason } : {};
    log.add({ run: it.id, event: 'stopping', cause: cause.kind, ...reason });
  };
  if (stop.cause) onStop();
  stop.signal.addEventListener('abort', onStop, { once: true });
  try {
    const end = await work();
    const { status, exitCode, requests, retries, executeMs } = end;
    log.add({ run: it.id, event: 'run_ended', status, exitCode, requests, retries, executeMs });
    return end;
  } finally {
    stop.signal.removeEventListener('abort', onStop);
  }
}

/** Tells the log what the plan came to. */
export async function logPlan({ parts: { log, ledger }, id: run }: Logged): Promise<void> {
  if (!log) return;
  const rows = (await ledger.runs.get(run))?.rows ?? 0;
  const { items, batches } = await ledger.execution.remaining(run);
  log.add({ run, event: 'plan_finished', rows, items, batches });
}
