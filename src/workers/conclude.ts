import { type Code, type Message, message } from '../errors/message.js';
import type { EndingRun, RunStop } from '../ledger/contract/queue.js';
import type { Run } from '../ledger/contract/runs.js';
import { isFinished, LockLost, stepsLock, TurnPassed } from '../ledger/rules/run-states.js';
import { scopeOf } from '../ledger/rules/scopes.js';
import type { Connection } from '../model/connection.js';
import { concludeExecuted } from '../run/report/conclude.js';
import { requireRun } from '../run/run-checks.js';
import type { RunEnd, StageEnd } from '../run/run-end.js';
import { stepsSettings } from '../run/step-runs.js';
import { updateTotals } from '../run/steps/advance.js';
import { queueSteps } from '../run/steps/execute-steps.js';
import type { StepsContext } from '../run/steps/step-contexts.js';
import type { Clock } from '../util/clock.js';
import { wholeRunOf } from '../util/run-id.js';
import { follow, StopSignal } from '../util/stop-signal.js';
import type { ConcludingServices, SharedLedger } from './services.js';

interface PollTask {
  readonly everyMs: number;
  readonly work: () => Promise<void>;
  wait: AbortController;
  again: boolean;
}

/** Runs tasks periodically. Runs of one task do not overlap; a failed one is repeated at its next time. */
export class PollLoop {
  readonly #clock: Clock;
  readonly #tasks = new Map<string, PollTask>();
  readonly #loops: Promise<void>[] = [];
  #ended = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  every(name: string, everyMs: number, work: () => Promise<void>): void {
    const task = { everyMs, work, wait: new AbortController(), again: false };
    this.#tasks.set(name, task);
    this.#loops.push(this.#loop(task));
  }

  /** Runs the task as soon as possible. */
  now(name: string): void {
    const task = this.#tasks.get(name);
    if (!task) return;
    task.again = true;
    task.wait.abort();
  }

  /** Stops all tasks and waits for running ones. */
  async stop(): Promise<void> {
    this.#ended = true;
    for (const { wait } of this.#tasks.values()) wait.abort();
    await Promise.all(this.#loops);
  }

  async #loop(task: PollTask): Promise<void> {
    while (!this.#ended) {
      if (!task.again) await this.#clock.sleep(task.everyMs, task.wait.signal);
      if (this.#ended) return;
      task.wait = new AbortController();
      task.again = false;
      await task.work().catch(() => {});
    }
  }
}

interface AfterStep {
  readonly ending: EndingRun;
  readonly executeMs: number;
  readonly leaseMs: number;
  readonly connection: Connection | undefined;
}

/**
 * Continues after a concluded step that is still in the queue: the next step replaces it, planned with the values that earlier
 * steps returned, or the whole run ends. Repeating it after a crash at any moment has the same result.
 *
 * Danger: two workers that plan a step at the same time would mix their items. The planning worker holds a session lock of the
 * database and its turn to conclude, which it renews. Both must be lost before another worker starts.
 * @returns the whole run's end; undefined if the next step was queued, or another worker is processing it
 * @throws TurnPassed if another worker concluded it in the meantime
 */
async function afterStep(
  services: ConcludingServices,
  step: Run,
  ended: StageEnd,
  { ending, executeMs, leaseMs, connection }: AfterStep,
): Promise<RunEnd | undefined> {
  const { ledger } = services;
  const parent = await requireRun(ledger, step.parent ?? step.id);
  if (isFinished(parent))
    return concludeExecuted(services, parent.id, ended, { turn: ending.turn, executeMs: 0 });
  const stop = new StopSignal();
  const release = follow(stop, services.stop);
  const settings = stepsSettings(parent);
  const context: StepsContext = {
    services: { ...services, stateFolder: ledger.stateFolder, stop, confirm: false },
    id: parent.id,
    kind: parent.kind,
    settings: { ...settings, connection: connection ?? settings.connection },
    queue: true,
  };
  try {
    await updateTotals(context);
    const next =
      ended.status === 'completed' ? await planNextStep(context, { ending, leaseMs, stop }) : ended;
    if (!next || next.status === 'queued' || stop.cause) return undefined;
    return await concludeExecuted(services, parent.id, next, { turn: ending.turn, executeMs });
  } finally {
    release();
  }
}

/** Plans and queues the next step under a lock; undefined if another worker holds it. */
async function planNextStep(
  context: StepsContext,
  { ending, leaseMs, stop }: Pick<AfterStep, 'ending' | 'leaseMs'> & { readonly stop: StopSignal },
): Promise<StageEnd | undefined> {
  const { services, id, settings } = context;
  const { ledger, clock } = services;
  const answer = await ledger.lock(stepsLock(id), scopeOf(settings.connection), id);
  if (answer.kind !== 'taken') return undefined;
  const loop = new PollLoop(clock);
  const hold = async (): Promise<void> => {
    if (!(await ledger.queue?.work.holdEnd(ending, leaseMs)))
      stop.stop({ kind: 'error', error: new TurnPassed() });
  };
  try {
    await hold();
    if (stop.cause) return undefined;
    loop.every('hold', leaseMs / 3, hold);
    return await queueSteps(context, 'executing', ending);
  } finally {
    await loop.stop();
    await answer.lock.release();
  }
}

interface Concluding {
  /** The name of the concluding worker or user. */
  readonly by: string;
  readonly leaseMs: number;
  /** Returns a connection as configured here. Without it the next step of a run cannot be planned here. */
  readonly connectionOf?: ((name: string) => Connection | undefined) | undefined;
}

/**
 * Ends a run that no worker is processing any more: sets its state, exit code and reason. A second worker that does the same
 * changes nothing. A finished step is followed by the next one.
 * @returns undefined if the run has not finished, or another worker is concluding it
 */
export async function endExecutedRun(
  services: ConcludingServices,
  run: string,
  concluding: Concluding,
): Promise<RunEnd | undefined> {
  const { ledger, log, concluded } = services;
  const { work } = ledger.queue;
  const { by, leaseMs } = concluding;
  const before = await requireRun(ledger, run);
  const connection = concluding.connectionOf?.(before.connection);
  if (before.step !== undefined && !connection && !(await isStopped(ledger, run))) return undefined;
  const begun = await work.beginEnd(run, by, leaseMs);
  if (!begun) return undefined;
  const { stop, turn, sinceBegunMs } = begun;
  const ending: EndingRun = { run, turn, worker: by };
  const ended = await stageEnd(ledger, before, stop);
  const how = { turn, executeMs: sinceBegunMs };
  const conclude = async (): Promise<RunEnd | undefined> => {
    const end = await concludeExecuted(services, run, ended, how);
    return before.step === undefined
      ? end
      : afterStep(services, before, ended, { ending, executeMs: sinceBegunMs, leaseMs, connection });
  };
  const end = await conclude().catch(overtaken);
  if (!end) return undefined;
  await work.ended(run, turn);
  const { status, exitCode } = end;
  log?.add({ run: end.run, event: 'run_concluded', status, exitCode });
  await concluded?.(end);
  return end;
}

async function isStopped({ queue }: SharedLedger, run: string): Promise<boolean> {
  return (await queue.work.news([run]))[0]?.stop !== undefined;
}

async function stageEnd(ledger: SharedLedger, { id }: Run, stop: RunStop | undefined): Promise<StageEnd> {
  if (stop?.kind === 'interrupted') {
    return { status: 'interrupted', reason: forWorkers(message('run.interrupted', { run: id }), id) };
  }
  if (stop) return { status: 'stopped', reason: forWorkers(stop.reason, id) };
  const { items: left } = await ledger.execution.remaining(id);
  if (left === 0) return { status: 'completed' };
  // Only the canary was queued.
  const { items } = await requireRun(ledger, id);
  const counts = await ledger.execution.itemCounts(id);
  const good = (counts.succeeded ?? 0) + (counts.accepted ?? 0) + (counts.skipped ?? 0);
  const waits = message('run.canary_waits', { run: id, good, settled: items - left, left });
  return { status: 'stopped', reason: forWorkers(waits, id) };
}

/** Reasons that name the command to continue with: `license-sync resume {run}`. */
const RESUMABLE: ReadonlySet<string> = new Set<Code>([
  'run.interrupted',
  'run.canary_waits',
  'run.too_many_failures',
  'run.same_refusal',
  'run.patience_over',
  'run.then_resume',
]);

/** Makes the command resume with workers, because a waiting machine may be unable to send. It names the whole run of a step. */
function forWorkers(reason: Message, run: string): Message {
  const { code, params } = reason;
  if (!RESUMABLE.has(code) || params?.run !== run) return reason;
  return { ...reason, params: { ...params, run: `${wholeRunOf(run)} --queue` } };
}

/** This process was suspended for longer than its lease: another worker has ended the run, which may be queued again. */
function overtaken(error: unknown): undefined {
  if (!(error instanceof TurnPassed || error instanceof LockLost)) throw error;
}
