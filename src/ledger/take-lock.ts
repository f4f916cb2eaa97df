import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { Ledger } from './contract/ledger.js';
import type { RunLock } from './contract/run-lock.js';

/** Another process, or workers, carry a run of the same job and connection; there is one at a time. */
export class RunGoingOnError extends ProductError {}

/**
 * Takes the lock of a job and connection for a run.
 * @param inLine for a run that is to wait for workers, who carry the runs of a job one after the other
 * @throws RunGoingOnError usage, naming the other run as far as it is known
 */
export async function takeLock(
  ledger: Pick<Ledger, 'lock' | 'queue'>,
  job: string,
  connection: string,
  run: string,
  inLine = false,
): Promise<RunLock> {
  const answer = await ledger.lock(job, connection, run);
  if (answer.kind === 'taken') {
    // Asked under the lock: whoever puts a run into the queue holds it until the run is there.
    const carried = (await ledger.queue?.carrying(job, connection)) ?? [];
    const [first] = carried;
    if (first === undefined || (inLine && !carried.includes(run))) return answer.lock;
    await answer.lock.release();
    const refusal = carried.includes(run)
      ? message('team.carried', { run })
      : message('team.another_carried', { job, connection, run: first });
    throw new RunGoingOnError('usage', refusal);
  }
  const { holder } = answer;
  const detail = holder
    ? message('ledger.run_going_on', { job, connection, ...holder, process: String(holder.process) })
    : message('ledger.another_run_going_on', { job, connection });
  throw new RunGoingOnError('usage', detail);
}
