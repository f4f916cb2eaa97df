import { type Code, type Message, message } from '../errors/message.js';
import type { RunStop } from '../ledger/contract/queue.js';
import { TurnPassed } from '../ledger/rules/run-states.js';
import { concludeCarried } from '../run/report/conclude.js';
import { requireRun } from '../run/run-checks.js';
import type { RunEnd, StageEnd } from '../run/run-end.js';
import type { SharedLedger, WorkerServices } from './contract.js';

/**
 * Ends a run that nobody carries any more: its state, its exit code and what it says. One worker does it; a second one
 * that comes to it, or takes it over, changes nothing.
 * @param by who does it
 * @returns undefined where it isn't over, or another one is at it
 */
export async function endCarriedRun(
  services: Pick<WorkerServices, 'ledger' | 'clock' | 'observer' | 'log' | 'concluded'>,
  run: string,
  by: string,
  leaseMs: number,
): Promise<RunEnd | undefined> {
  const { ledger, log, concluded } = services;
  const { work } = ledger.queue;
  const begun = await work.beginEnd(run, by, leaseMs);
  if (!begun) return undefined;
  const { stop, turn, sinceBegunMs } = begun;
  const how = { turn, executeMs: sinceBegunMs };
  const end = await concludeCarried(services, run, await stageEnd(ledger, run, stop), how).catch(overtaken);
  if (!end) return undefined;
  await work.ended(run, turn);
  const { status, exitCode } = end;
  log?.add({ run, event: 'run_concluded', status, exitCode });
  await concluded?.(end);
  return end;
}

async function stageEnd(ledger: SharedLedger, run: string, stop: RunStop | undefined): Promise<StageEnd> {
  if (stop?.kind === 'interrupted') {
    return { status: 'interrupted', reason: forWorkers(message('run.interrupted', { run })) };
  }
  if (stop) return { status: 'stopped', reason: forWorkers(stop.reason) };
  const { items: left } = await ledger.execution.remaining(run);
  if (left === 0) return { status: 'completed' };
  // Only the canary was queued.
  const { items } = await requireRun(ledger, run);
  const counts = await ledger.execution.itemCounts(run);
  const good = (counts.succeeded ?? 0) + (counts.accepted ?? 0) + (counts.skipped ?? 0);
  return {
    status: 'stopped',
    reason: forWorkers(message('run.canary_waits', { run, good, settled: items - left, left })),
  };
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

/** Gone on with by workers, as before: a machine that only waits may be unable to send. */
function forWorkers(reason: Message): Message {
  const { code, params } = reason;
  if (!RESUMABLE.has(code) || params?.run === undefined) return reason;
  return { ...reason, params: { ...params, run: `${params.run} --queue` } };
}

/** Who stood still for longer than its lease: another one has ended the run, and somebody may have queued it again. */
function overtaken(error: unknown): undefined {
  if (!(error instanceof TurnPassed)) throw error;
}
