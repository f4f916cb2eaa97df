import { type Message, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { Ledger } from '../ledger/contract/ledger.js';
import type { Run, RunState } from '../ledger/contract/runs.js';
import type { ItemStatus } from '../model/item.js';
import { EXIT } from '../model/run-outcome.js';
import { systemClock } from '../util/clock.js';
import { distinctMessages } from '../util/error-detail.js';
import { ledgerPatienceMs } from '../util/ledger-address.js';
import type { StopSignal } from '../util/stop-signal.js';
import { isCutOff } from './live-state.js';
import type { RunObserver } from './observer.js';
import { reportExecuted } from './report/conclude.js';
import { requireRun } from './run-checks.js';
import type { RunServices } from './run-context.js';
import { type RunEnd, runEnd } from './run-end.js';
import { type SettingsChange, unpackAny } from './settings.js';
import { hasSteps, stepRunsOf } from './step-runs.js';

interface FollowParts {
  readonly ledger: Ledger;
  readonly observer: Pick<RunObserver, 'progress' | 'warn'>;
  /** Stops the following; the run continues. */
  readonly stop: StopSignal;
}

const OVER: ReadonlySet<RunState> = new Set(['completed', 'invalid', 'stopped', 'interrupted']);
/** Polling interval, for changes whose notification is lost. */
const POLL_MS = 500;
const LATE_MS = 3_000;
/** A worker without a heartbeat for this long is ignored. */
const WORKER_SILENT_MS = 60_000;

/**
 * Follows a run that workers process, and reports its progress.
 * @returns the ended run; undefined if the following was stopped before
 * @throws ProductError usage for a run that is not queued; safety if no worker can take the run for the ledger's
 * maximum wait time; an error of the ledger if it is unavailable for longer than that
 */
export async function followRun(parts: FollowParts, id: string): Promise<Run | undefined> {
  const { ledger, stop } = parts;
  let wake = (): void => {};
  const listening = ledger.queue?.changed(({ run }) => {
    if (run === undefined || run === id) wake();
  });
  const stopListening = listening && (await reportIfLate(parts, listening));
  const onStop = (): void => wake();
  stop.signal.addEventListener('abort', onStop);
  let waitingSince: number | undefined;
  try {
    while (!stop.cause) {
      const found = await reportIfLate(parts, poll(parts, id));
      if ('ended' in found) return found.ended;
      const time = systemClock.monotonic();
      if (found.notTaken && waitingSince === undefined) parts.observer.warn(found.notTaken);
      waitingSince = found.notTaken && (waitingSince ?? time);
      if (found.notTaken && waitingSince !== undefined && time - waitingSince >= ledgerPatienceMs())
        throw new ProductError('safety', found.notTaken);
      const woken = new AbortController();
      wake = () => woken.abort();
      if (!stop.cause) await systemClock.sleep(POLL_MS, woken.signal);
    }
    return undefined;
  } finally {
    stop.signal.removeEventListener('abort', onStop);
    await stopListening?.().catch(() => {});
  }
}

/** Warns once if the ledger takes long to reply. It tolerates an unavailable server for its maximum wait time. */
export async function reportIfLate<T>(
  { observer }: Pick<FollowParts, 'observer'>,
  reply: Promise<T>,
): Promise<T> {
  const replied = new AbortController();
  void systemClock.sleep(LATE_MS, replied.signal).then((late) => {
    if (late) observer.warn(message('team.absent'));
  });
  return reply.finally(() => replied.abort());
}

/** The run, if it has ended; otherwise reports its progress. `notTaken`: why no worker can take it. */
async function poll(
  { ledger, observer }: FollowParts,
  id: string,
): Promise<{ readonly ended: Run } | { readonly notTaken: Message | undefined }> {
  // The state is read first: a run gets its final state before it leaves the queue.
  const before = await requireRun(ledger, id);
  const queued = (await ledger.queue?.runsInQueue(before.job, before.scope))?.includes(id) === true;
  const run = await requireRun(ledger, id);
  if (!queued && OVER.has(run.state)) return { ended: run };
  const counts = await countsOf(ledger, run);
  if (!queued && run.kind !== 'run')
    throw notExecuted(
      run,
      message(run.kind === 'plan' ? 'team.plan_waits' : 'team.nothing_left', { run: id }),
    );
  if (!queued && (await isCutOff(ledger, run)))
    throw notExecuted(run, message('run.cut_off_resume', { run: id }));
  const { pending = 0, open = 0, ...finished } = counts;
  const done = Object.values(finished).reduce((sum, count) => sum + count, 0);
  const { requests, retries } = run;
  const total = done + pending + open;
  if (total > 0)
    observer.progress({ stage: 'execute', done, total, counts: finished, inFlight: open, requests, retries });
  return { notTaken: queued ? await noWorkerReason(ledger, run) : undefined };
}

/** Why none of the active workers can take a queued run; undefined if one can. */
async function noWorkerReason(
  { queue }: Pick<Ledger, 'queue'>,
  { id: run, connection, scope }: Run,
): Promise<Message | undefined> {
  if (!queue) return undefined;
  const now = await queue.now();
  const active = (await queue.workers()).filter((worker) => now - worker.heardOf < WORKER_SILENT_MS);
  const serving = active.filter((worker) => worker.connections.includes(connection));
  if (active.some((worker) => worker.runs.includes(run))) return undefined;
  if (serving.some((worker) => worker.lines?.includes(`${connection} ${scope}`) ?? true)) return undefined;
  const workers = (serving.length > 0 ? serving : active).map((worker) => worker.name).join(', ');
  if (serving.length > 0) return message('team.none_on_platform', { run, connection, scope, workers });
  if (active.length > 0) return message('team.none_on_connection', { run, connection, workers });
  return message('team.none_active', { run, connection });
}

/** For a run of several steps the sum over them. A step that is not planned yet counts with the items of its check. */
async function countsOf(
  ledger: Ledger,
  run: Run,
): Promise<Awaited<ReturnType<Ledger['execution']['itemCounts']>>> {
  if (!hasSteps(run)) return ledger.execution.itemCounts(run.id);
  const sum: Partial<Record<ItemStatus | 'pending' | 'open', number>> = {};
  for (const { run: step } of await stepRunsOf(ledger, run)) {
    if (!step) continue;
    const counts =
      step.state === 'planning' ? { pending: step.items } : await ledger.execution.itemCounts(step.id);
    for (const [status, count] of Object.entries(counts))
      sum[status as keyof typeof sum] = (sum[status as keyof typeof sum] ?? 0) + count;
  }
  return sum;
}

function notExecuted({ id: run, state }: Run, next: Message): ProductError {
  return new ProductError('usage', message('team.not_carried', { run, state, next }));
}

/**
 * Follows a run that workers process until its end, and writes its result here, from the ledger alone.
 * @param change sets the location of the result
 * @throws ProductError usage for a run that is not queued
 */
export async function waitForRun(services: RunServices, id: string, change: SettingsChange): Promise<RunEnd> {
  const { ledger } = services;
  const run = await followRun(services, id);
  if (!run) {
    const current = await requireRun(ledger, id);
    const counts = await ledger.runs.counts(id);
    const sandbox = unpackAny(current.settings).connection.sandbox;
    const reason = message('team.goes_on', { run: id });
    return runEnd(current, sandbox, { status: 'queued', counts, exitCode: EXIT.interrupted, reason });
  }
  const settings = change(unpackAny(run.settings));
  const { state, reason } = run;
  const status = state === 'stopped' || state === 'interrupted' || state === 'invalid' ? state : 'completed';
  const end = await reportExecuted(
    { services, id, kind: run.kind, settings, queue: false },
    { status, reason },
  );
  return { ...end, warnings: distinctMessages(await ledger.plan.warnings(id)) };
}
