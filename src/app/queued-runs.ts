import { type Message, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { loadConnections } from '../job/connections.js';
import type { Ledger } from '../ledger/contract/ledger.js';
import type { WorkerListing } from '../ledger/contract/queue.js';
import type { Run } from '../ledger/contract/runs.js';
import { isFinished, NEEDS_PROCESS } from '../ledger/rules/run-states.js';
import { liveStateOf } from '../run/live-state.js';
import { SILENT } from '../run/observer.js';
import { refuseStepRun, requireRun } from '../run/run-checks.js';
import { stepRunsOf } from '../run/step-runs.js';
import { systemClock } from '../util/clock.js';
import { currentUser } from '../util/process.js';
import { StopSignal } from '../util/stop-signal.js';
import { endExecutedRun } from '../workers/conclude.js';
import type { SharedLedger } from '../workers/services.js';
import type { AppContext } from './context.js';
import { runNamed, withLedger, withQueue } from './with-ledger.js';

/** How long `stop` waits for requests in flight. No further request is sent from the start. */
const WAIT_MS = 5_000;
const POLL_MS = 200;

/**
 * `stop`: stops a run that workers process, on all machines. A run that is already stopped stays stopped.
 * @throws ProductError usage if no worker processes the run, with the next step
 */
export function stopRun(context: AppContext, id: string): Promise<{ readonly run: Run }> {
  return withQueue(
    'stop',
    context,
    async (ledger, queue, actor) => {
      const run = await runNamed(ledger, id);
      refuseStepRun(run);
      const by = actor.person?.name ?? currentUser();
      await ledger.audit.append({ who: actor.who, act: 'stop', run: id });
      const stopped = await queue.stop(id, { kind: 'interrupted', by });
      if (stopped) await waitForEnd({ ...context, by }, Object.assign(ledger, { queue }), id);
      // Read again, because it may have ended in the meantime.
      const current = (await ledger.runs.get(id)) ?? run;
      if (!stopped && current.state !== 'interrupted' && current.state !== 'stopped') {
        const { state } = current;
        const next = await nextOf(ledger, current);
        throw new ProductError('usage', message('team.not_carried', { run: id, state, next }));
      }
      return { run: current };
    },
    { act: 'stop', run: id },
  );
}

/** Waits until workers end the run after its requests in flight. If no worker is active, the run is ended here. */
async function waitForEnd(
  { env, cwd, language, by }: AppContext & { readonly by: string },
  ledger: SharedLedger,
  id: string,
) {
  const { workerLeaseMs } = await loadConnections(undefined, { env, cwd });
  const services = { ledger, clock: systemClock, observer: SILENT, stop: new StopSignal(), language };
  const steps = await stepRunsOf(ledger, await requireRun(ledger, id));
  const runs = [id, ...steps.flatMap(({ run }) => run?.id ?? [])];
  const until = performance.now() + WAIT_MS;
  while (performance.now() < until) {
    await ledger.queue.work.sweep(workerLeaseMs);
    for (const run of runs) await endExecutedRun(services, run, { by, leaseMs: workerLeaseMs });
    const { job, scope } = await requireRun(ledger, id);
    if (!(await ledger.queue.runsInQueue(job, scope)).includes(id)) return;
    await systemClock.sleep(POLL_MS);
  }
}

async function nextOf(ledger: Ledger, run: Run): Promise<Message> {
  if (isFinished(run) || run.kind !== 'run') return message('team.nothing_left');
  const holder = await ledger.holder(run.job, run.scope);
  if (holder?.run !== run.id) return message('team.queue_it', { run: run.id });
  return message('team.stop_process', { process: String(holder.process), host: holder.host });
}

/** A worker; times by the database's clock. */
export interface ListedWorker extends WorkerListing {
  /** Milliseconds since its last heartbeat. */
  readonly silentMs: number;
}

export interface WorkersListed {
  readonly workers: readonly ListedWorker[];
  /** Queued runs that no active worker processes. */
  readonly waiting: readonly string[];
}

/** Number of runs searched for waiting ones. */
const RUNS_SEARCHED = 200;
/** Leases are renewed every third of their duration. Other workers take over those of a stopped worker within two durations. */
const DEAD_AFTER_LEASES = 2;

/** `workers`: active workers and their runs. */
export function listWorkers(context: AppContext): Promise<WorkersListed> {
  const { env, cwd } = context;
  return withQueue('workers', context, async (ledger, queue): Promise<WorkersListed> => {
    const [found, now] = [await queue.workers(), await queue.now()];
    const workers = found.map((it) => ({ ...it, silentMs: Math.max(0, now - it.heardOf) }));
    const { workerLeaseMs } = await loadConnections(undefined, { env, cwd });
    const alive = workers.filter(({ silentMs }) => silentMs < workerLeaseMs * DEAD_AFTER_LEASES);
    const assigned = new Set(alive.flatMap(({ runs }) => runs));
    const waiting: string[] = [];
    for (const { id, state, job, scope } of await ledger.runs.list(RUNS_SEARCHED)) {
      if (!NEEDS_PROCESS.includes(state) || assigned.has(id)) continue;
      if ((await queue.runsInQueue(job, scope)).includes(id)) waiting.push(id);
    }
    return { workers, waiting };
  }).catch((error: unknown) => {
    // Without a ledger nothing was ever queued.
    if (error instanceof ProductError && error.code === 'ledger.none_there')
      return { workers: [], waiting: [] };
    throw error;
  });
}

/** The workers as plain data, for `--json` and programs. */
export function workersData({ workers }: WorkersListed) {
  return workers.map(({ name, host, process, slots, connections, runs, heardOf }) => ({
    name,
    host,
    process,
    slots,
    connections,
    runs,
    heardOf: new Date(heardOf).toISOString(),
  }));
}

/**
 * Stops a run from the console: one of its own child process, or one of workers. A run that is already stopped stays stopped.
 * @param stopChild asks the run's child process to end and resolves when it has exited; undefined if there is none
 * @throws ProductError usage if another process executes the run, naming it
 */
export async function stopAtConsole(
  context: AppContext,
  id: string,
  stopChild: () => Promise<unknown> | undefined,
): Promise<void> {
  const queue = await withLedger(
    context,
    async ({ ledger, actor }) => {
      const run = await runNamed(ledger, id);
      refuseStepRun(run);
      const exited = stopChild();
      if (exited) {
        await ledger.audit.append({ who: actor.who, act: 'stop', run: id });
        if (!ledger.queue) return false;
        // A child that has just queued the run ignores the stop: workers process the run then.
        await exited;
        return (await ledger.queue.runsInQueue(run.job, run.scope)).includes(id);
      }
      if (ledger.queue) return true;
      if (run.state === 'interrupted' || run.state === 'stopped') return false;
      const holder = await ledger.holder(run.job, run.scope);
      if (holder?.run === id) {
        const next = message('team.stop_process', { process: String(holder.process), host: holder.host });
        throw new ProductError('usage', message('send.not_carried_here', { run: id, next }));
      }
      const state = await liveStateOf(ledger, await runNamed(ledger, id));
      throw new ProductError('usage', message('send.not_under_way', { run: id, state }));
    },
    { act: 'stop', run: id },
  );
  if (queue) await stopRun(context, id);
}
