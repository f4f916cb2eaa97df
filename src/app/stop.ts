import { type Message, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { Ledger } from '../ledger/contract/ledger.js';
import type { Run } from '../ledger/contract/run.js';
import { isFinished } from '../ledger/rules/run-states.js';
import { currentUser } from '../util/current-user.js';
import type { AppContext } from './context.js';
import { runNamed } from './open.js';
import { withQueue } from './team.js';

/**
 * `stop`: nothing more of a run that workers carry is sent, anywhere. One that is stopped already stays so.
 * @throws ProductError usage for a run that no worker carries, saying who does, or what to do
 */
export function stopRun(context: AppContext, id: string): Promise<{ readonly run: Run }> {
  return withQueue('stop', context, async (ledger, queue) => {
    const run = await runNamed(ledger, id);
    const stopped = await queue.stop(id, { kind: 'interrupted', by: currentUser() });
    if (!stopped && run.state !== 'interrupted' && run.state !== 'stopped') {
      const { state } = run;
      throw new ProductError(
        'usage',
        message('team.not_carried', { run: id, state, next: await nextOf(ledger, run) }),
      );
    }
    return { run: (await ledger.runs.get(id)) ?? run };
  });
}

async function nextOf(ledger: Ledger, run: Run): Promise<Message> {
  if (isFinished(run) || run.kind !== 'run') return message('team.nothing_left');
  const holder = await ledger.holder(run.job, run.connection);
  if (holder?.run !== run.id) return message('team.queue_it', { run: run.id });
  return message('team.stop_process', { process: String(holder.process), host: holder.host });
}
