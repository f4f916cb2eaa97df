import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { Ledger } from './contract/ledger.js';
import type { RunLock } from './contract/run-lock.js';
import { shownScope } from './rules/scopes.js';

/** Another process, or workers, process a run of the same job on the same platform; there is one at a time. */
export class RunGoingOnError extends ProductError {}

/**
 * Takes the lock of a job and platform for a run.
 * @param inLine for a run that is to wait for workers, who carry the runs of a job one after the other
 * @throws RunGoingOnError usage, naming the other run as far as it is known
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
    // Asked under the lock: whoever puts a run into the queue holds it until the run is there.
    const carried = (await ledger.queue?.carrying(job, scope)) ?? [];
    const [first] = carried;
    if (first === undefined || (inLine && !carried.includes(run))) return answer.lock;
    await answer.lock.release();
    const refusal = carried.includes(run)
      ? message('team.carried', { run })
      : message('team.another_carried', { job, platform: shownScope(scope), run: first });
    throw new RunGoingOnError('usage', refusal);
  }
  const { holder } = answer;
  const platform = shownScope(scope);
  const detail = holder
    ? message('ledger.run_going_on', { job, platform, ...holder, process: String(holder.process) })
    : message('ledger.another_run_going_on', { job, platform });
  throw new RunGoingOnError('usage', detail);
}
