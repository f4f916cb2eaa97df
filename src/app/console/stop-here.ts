import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import { liveStateOf } from '../../run/live-state.js';
import { refuseStepRun } from '../../run/run-checks.js';
import type { AppContext } from '../context.js';
import { runNamed, withLedger } from '../open.js';
import { stopRun } from '../stop.js';

/**
 * Stops a run wherever the console can: one that its own child carries, or one that workers do. One that is stopped already
 * stays so.
 * @param stopChild lets the child end that carries it, and tells when it has left; undefined where none does
 * @throws ProductError usage for a run that somebody else carries, naming who
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
      const leaving = stopChild();
      if (leaving) {
        await ledger.audit.append({ who: actor.who, act: 'stop', run: id });
        if (!ledger.queue) return false;
        // One that has just queued the run hears no stop any more: workers carry it now.
        await leaving;
        return (await ledger.queue.carrying(run.job, run.scope)).includes(id);
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
