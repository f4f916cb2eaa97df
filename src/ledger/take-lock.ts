import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { Ledger } from './contract/ledger.js';
import type { RunLock } from './contract/run-lock.js';
import { shownScope } from './rules/scopes.js';

/** Another process or workers execute a run of the same job on the same platform. Only one at a time is allowed. */
export class RunInProgressError extends ProductError {}

/**
 * Takes the lock of a job and platform for a run.
 * @param inLine for a run to be queued: workers process the runs of a job one after the other
 * @throws RunInProgressError usage, naming the other run if it is known
 */
export async function takeLock(
  ledger: Pick<Ledger, 'lock' | 'queue'>,
  job: string,
  scope: string,
  run: string,
  inLine = false,
): Promise<RunLock> {
  const answer = await ledger.lock(job, scope, run);
  if (answer.kind === 'taken') {
    // Checked under the lock, which a process that queues a run has until the run is in the queue.
    const queued = (await ledger.queue?.runsInQueue(job, scope)) ?? [];
    const [first] = queued;
    if (first === undefined || (inLine && !queued.includes(run))) return answer.lock;
    await answer.lock.release();
    const refusal = queued.includes(run)
      ? message('team.carried', { run })
      : message('team.another_carried', { job, platform: shownScope(scope), run: first });
    throw new RunInProgressError('usage', refusal);
  }
  const { holder } = answer;
  const platform = shownScope(scope);
  const detail = holder
    ? message('ledger.run_going_on', { job, platform, ...holder, process: String(holder.process) })
    : message('ledger.another_run_going_on', { job, platform });
  throw new RunInProgressError('usage', detail);
}
