import { type Code, type Message, message } from '../errors/message.js';
import type { EndingRun, RunStop } from '../ledger/contract/queue.js';
import type { Run } from '../ledger/contract/run.js';
import { TurnPassed } from '../ledger/rules/run-states.js';
import type { Connection } from '../model/connection.js';
import { concludeCarried } from '../run/report/conclude.js';
import { requireRun } from '../run/run-checks.js';
import type { RunEnd, StageEnd } from '../run/run-end.js';
import { wholeRunOf } from '../util/run-id.js';
import { afterStep } from './after-step.js';
import type { ConcludingServices, SharedLedger } from './contract.js';

interface Concluding {
  /** Who does it. */
  readonly by: string;
  readonly leaseMs: number;
  /** A connection as it is configured here. Without it the next step of a run can't be planned here. */
  readonly connectionOf?: ((name: string) => Connection | undefined) | undefined;
}

/**
 * Ends a run that nobody carries any more: its state, its exit code and what it says. One worker does it; a second one
 * that comes to it, or takes it over, changes nothing. A step that is through is followed by the next one.
 * @returns undefined where it isn't over, or another one is at it
 */
export async function endCarriedRun(
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
    const end = await concludeCarried(services, run, ended, how);
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

/** Reasons that name the command to go on with: `license-sync resume {run}`. */
const RESUMABLE: ReadonlySet<string> = new Set<Code>([
  'run.interrupted',
  'run.canary_waits',
  'run.too_many_failures',
  'run.same_refusal',
  'run.patience_over',
  'run.then_resume',
]);

/** Gone on with by workers, as before: a machine that only waits may be unable to send. A step is its whole run's. */
function forWorkers(reason: Message, run: string): Message {
  const { code, params } = reason;
  if (!RESUMABLE.has(code) || params?.run !== run) return reason;
  return { ...reason, params: { ...params, run: `${wholeRunOf(run)} --queue` } };
}

/** Who stood still for longer than its lease: another one has ended the run, and somebody may have queued it again. */
function overtaken(error: unknown): undefined {
  if (!(error instanceof TurnPassed)) throw error;
}
