import path from 'node:path';
import { type Message, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { loadConnections } from '../job/connections.js';
import type { Ledger } from '../ledger/contract/ledger.js';
import type { Run } from '../ledger/contract/run.js';
import { isFinished } from '../ledger/rules/run-states.js';
import { SILENT } from '../run/observer.js';
import { refuseStepRun, requireRun } from '../run/run-checks.js';
import { stepRunsOf } from '../run/step-runs.js';
import { systemClock } from '../util/clock.js';
import { currentUser } from '../util/current-user.js';
import { StopSignal } from '../util/stop-signal.js';
import { endCarriedRun } from '../workers/conclude.js';
import type { SharedLedger } from '../workers/contract.js';
import type { AppContext } from './context.js';
import { runNamed } from './open.js';
import { withQueue } from './team.js';

/** What is under way may take its time; that the run sends no more holds from the beginning. */
const WAITS_MS = 5_000;
const LOOK_AGAIN_MS = 200;

/**
 * `stop`: nothing more of a run that workers carry is sent, anywhere. One that is stopped already stays so.
 * @throws ProductError usage for a run that no worker carries, saying who does, or what to do
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
      if (stopped) await ended({ ...context, by }, Object.assign(ledger, { queue }), id);
      // It may have ended since it was read.
      const now = (await ledger.runs.get(id)) ?? run;
      if (!stopped && now.state !== 'interrupted' && now.state !== 'stopped') {
        const { state } = now;
        const next = await nextOf(ledger, now);
        throw new ProductError('usage', message('team.not_carried', { run: id, state, next }));
      }
      return { run: now };
    },
    { act: 'stop', run: id },
  );
}

/** Those who carry the run end it once nothing of it is under way; where nobody is there (any more), it is ended here. */
async function ended(
  { env, cwd, language, by }: AppContext & { readonly by: string },
  ledger: SharedLedger,
  id: string,
) {
  const { workerLeaseMs } = await loadConnections(path.join(cwd, 'license-sync.yaml'), { env, cwd });
  const services = { ledger, clock: systemClock, observer: SILENT, stop: new StopSignal(), language };
  const steps = await stepRunsOf(ledger, await requireRun(ledger, id));
  const runs = [id, ...steps.flatMap(({ run }) => run?.id ?? [])];
  const until = performance.now() + WAITS_MS;
  while (performance.now() < until) {
    await ledger.queue.work.sweep(workerLeaseMs);
    for (const run of runs) await endCarriedRun(services, run, { by, leaseMs: workerLeaseMs });
    const { job, scope } = await requireRun(ledger, id);
    if (!(await ledger.queue.carrying(job, scope)).includes(id)) return;
    await systemClock.sleep(LOOK_AGAIN_MS);
  }
}

async function nextOf(ledger: Ledger, run: Run): Promise<Message> {
  if (isFinished(run) || run.kind !== 'run') return message('team.nothing_left');
  const holder = await ledger.holder(run.job, run.scope);
  if (holder?.run !== run.id) return message('team.queue_it', { run: run.id });
  return message('team.stop_process', { process: String(holder.process), host: holder.host });
}
