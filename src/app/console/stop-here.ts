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
 * @param stopChild lets the child end that carries it; false where none does
 * @throws ProductError usage for a run that somebody else carries, naming who
 */
export async function stopAtConsole(
  context: AppContext,
  id: string,
  stopChild: () => boolean,
): Promise<void> {
  const { queue, here } = await withLedger(
    context,
    async ({ ledger, actor }) => {
      const run = await runNamed(ledger, id);
      refuseStepRun(run);
      if (stopChild()) {
        await ledger.audit.append({ who: actor.who, act: 'stop', run: id });
        return { queue: false, here: true };
      }
      if (ledger.queue || run.state === 'interrupted' || run.state === 'stopped')
        return { queue: ledger.queue !== undefined, here: false };
      const holder = await ledger.holder(run.job, run.connection);
      if (holder?.run === id) {
        const next = message('team.stop_process', { process: String(holder.process), host: holder.host });
        throw new ProductError('usage', message('send.not_carried_here', { run: id, next }));
      }
      const state = await liveStateOf(ledger, await runNamed(ledger, id));
      throw new ProductError('usage', message('send.not_under_way', { run: id, state }));
    },
    { act: 'stop', run: id },
  );
  if (queue && !here) await stopRun(context, id);
}
