import type { EndingRun } from '../ledger/contract/queue.js';
import type { Run } from '../ledger/contract/run.js';
import { isFinished, TurnPassed } from '../ledger/rules/run-states.js';
import { scopeOf } from '../ledger/rules/scopes.js';
import type { Connection } from '../model/connection.js';
import { concludeCarried } from '../run/report/conclude.js';
import { requireRun } from '../run/run-checks.js';
import type { RunEnd, StageEnd } from '../run/run-end.js';
import { stepsSettings } from '../run/step-runs.js';
import { addUp } from '../run/steps/advance.js';
import { queueSteps } from '../run/steps/queue-steps.js';
import type { StepsContext } from '../run/steps/step-contexts.js';
import { follow, StopSignal } from '../util/stop-signal.js';
import type { ConcludingServices } from './contract.js';
import { Rounds } from './rounds.js';

interface AfterStep {
  readonly ending: EndingRun;
  readonly executeMs: number;
  readonly leaseMs: number;
  readonly connection: Connection | undefined;
}

/**
 * What follows a step that was concluded and is still in the queue: the next one takes its place there, planned with what the
 * steps before it returned, or the whole run ends. Done again after a death at any moment, it comes to the same.
 *
 * Danger: two workers that plan a step at the same time would mix their items. Whoever plans holds a lock of the database that
 * goes with its session, and its turn to conclude, which it prolongs; both must be lost before another one begins.
 * @returns the whole run's end; undefined where the next step was queued, or another one is at it
 * @throws TurnPassed where another one concluded it meanwhile
 */
export async function afterStep(
  services: ConcludingServices,
  step: Run,
  ended: StageEnd,
  { ending, executeMs, leaseMs, connection }: AfterStep,
): Promise<RunEnd | undefined> {
  const { ledger } = services;
  const whole = await requireRun(ledger, step.parent ?? step.id);
  if (isFinished(whole))
    return concludeCarried(services, whole.id, ended, { turn: ending.turn, executeMs: 0 });
  const stop = new StopSignal();
  const release = follow(stop, services.stop);
  const kept = stepsSettings(whole);
  const context: StepsContext = {
    services: { ...services, stateFolder: ledger.stateFolder, stop, confirm: false },
    id: whole.id,
    kind: whole.kind,
    settings: { ...kept, connection: connection ?? kept.connection },
    queue: true,
  };
  try {
    await addUp(context);
    const next = ended.status === 'completed' ? await planned(context, { ending, leaseMs, stop }) : ended;
    if (!next || next.status === 'queued' || stop.cause) return undefined;
    return await concludeCarried(services, whole.id, next, { turn: ending.turn, executeMs });
  } finally {
    release();
  }
}

/** Plans and queues the next step, with everybody else kept from it; undefined where another one is at it. */
async function planned(
  context: StepsContext,
  { ending, leaseMs, stop }: Pick<AfterStep, 'ending' | 'leaseMs'> & { readonly stop: StopSignal },
): Promise<StageEnd | undefined> {
  const { services, id, settings } = context;
  const { ledger, clock } = services;
  const answer = await ledger.lock(`steps of ${id}`, scopeOf(settings.connection), id);
  if (answer.kind !== 'taken') return undefined;
  const rounds = new Rounds(clock);
  const hold = async (): Promise<void> => {
    if (!(await ledger.queue?.work.holdEnd(ending, leaseMs)))
      stop.stop({ kind: 'error', error: new TurnPassed() });
  };
  try {
    await hold();
    if (stop.cause) return undefined;
    rounds.every('hold', leaseMs / 3, hold);
    return await queueSteps(context, 'executing', ending);
  } finally {
    await rounds.stop();
    await answer.lock.release();
  }
}
