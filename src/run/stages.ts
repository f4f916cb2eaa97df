import { type Message, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { RunState } from '../ledger/contract/run.js';
import { EXIT } from '../model/exit-code.js';
import { distinctMessages } from '../util/distinct-messages.js';
import { sealPlan } from './approval/gate.js';
import { executeStage } from './execute/execute-stage.js';
import { mayExecute } from './execute/may-execute.js';
import { queuedEnd, queueStage } from './execute/queue-stage.js';
import { logPlan, withRunLog } from './log-stages.js';
import { observerWith } from './observer.js';
import { planStage } from './plan/plan.js';
import { concludeRun } from './report/conclude.js';
import { requireRun } from './run-checks.js';
import type { RunContext } from './run-context.js';
import { EndUntoldError, endOfStop, type RunEnd, runEnd, type StageEnd } from './run-end.js';
import type { RunSettings, StepsSettings } from './settings.js';

type AnySettings = RunSettings | StepsSettings;

/** What a run of some kind does in its stages; it is reported and concluded as any other. */
export interface RunStages<S extends AnySettings> {
  plan(context: RunContext<S>): Promise<void>;
  /** Why nothing (more) may be sent, if so. */
  mayExecute(context: RunContext<S>): Promise<StageEnd>;
  /** @param from the run's state before */
  execute(context: RunContext<S>, from: RunState): Promise<StageEnd>;
  /** Before the report is written. */
  concluding?(context: RunContext<S>, ended: StageEnd): Promise<void>;
}

/** The stages of a run of one operation. */
export const ONE_OPERATION: RunStages<RunSettings> = {
  plan: planStage,
  mayExecute,
  execute: (context, from) => (context.queue ? queueStage(context, from) : executeStage(context, from)),
};

/** Takes a run through the stages that it still needs: plan, execute, report. Its end holds every warning. */
export async function continueRun<S extends AnySettings>(
  context: RunContext<S>,
  from: RunState,
  work: RunStages<S>,
): Promise<RunEnd> {
  const { services, id } = context;
  const warned: Message[] = [];
  const { observer } = services;
  const listening = observerWith(observer, {
    warn: (warning) => {
      warned.push(warning);
      observer.warn(warning);
    },
  });
  // The plan's warnings still hold when somebody else continues the run.
  if (from !== 'planning') for (const it of await services.ledger.plan.warnings(id)) observer.warn(it);
  const own: RunContext<S> = { ...context, services: { ...services, observer: listening } };
  const end = await withRunLog(own, from !== 'planning', () => stages(own, from, warned, work)).catch(
    (error: unknown) => {
      throw namingRun(error, id);
    },
  );
  return { ...end, warnings: distinctMessages([...(await services.ledger.plan.warnings(id)), ...warned]) };
}

/** Failures of the ledger after which a run can be resumed. */
const RESUMABLE = new Set([
  'ledger.locked',
  'ledger.write_failed',
  'ledger.server_gone',
  'ledger.lost_commit',
  'ledger.server_write_failed',
]);

function namingRun(error: unknown, run: string): unknown {
  if (!(error instanceof ProductError) || !RESUMABLE.has(error.code)) return error;
  return new ProductError('internal', message('run.then_resume', { why: error.detail, run }), {
    cause: error,
  });
}

async function stages<S extends AnySettings>(
  planned: RunContext<S>,
  from: RunState,
  warned: readonly Message[],
  work: RunStages<S>,
): Promise<RunEnd> {
  let context = planned;
  const { services, id, kind, settings } = context;
  if (from === 'planning') {
    try {
      await work.plan(context);
    } catch (error) {
      if (error instanceof ProductError && error.kind === 'safety') {
        const end = { status: 'stopped', counts: {}, exitCode: EXIT.safety, reason: error.detail } as const;
        return runEnd(await requireRun(services.ledger, id), settings.connection.sandbox, end);
      }
      await refuse(context, error);
    }
    if (services.stop.cause) {
      const end = { status: 'interrupted', counts: {}, exitCode: EXIT.interrupted } as const;
      const reason = message('run.interrupted', { run: id });
      return runEnd(await requireRun(services.ledger, id), settings.connection.sandbox, { ...end, reason });
    }
    await logPlan(context);
  }
  const toSend = from !== 'executed';
  let ended: StageEnd = { status: 'completed' };
  if (toSend) ended = await work.mayExecute(context).catch((error) => leave(planned, error));
  if (ended.kept || (kind === 'plan' && ended.status === 'completed')) {
    const plan = await sealPlan(services, await requireRun(services.ledger, id), ended.kept === true);
    context = { ...context, kind: plan.kind };
  }
  if (toSend && ended.status === 'completed' && kind === 'run') {
    ended = await work.execute(context, from).catch((error) => leave(context, error));
    if (ended.status === 'queued') return queuedEnd(context);
    if (ended.error instanceof EndUntoldError) throw ended.error;
  }
  // Ctrl-C at a question is no refusal.
  if (ended.status === 'stopped' && services.stop.cause?.kind === 'interrupted')
    ended = endOfStop(services.stop, id);
  await work.concluding?.(context, ended);
  return concludeRun(context, ended, warned);
}

/** Records that nothing of the run can be sent as things are (its token is missing), and throws why: it is not cut off. */
async function leave(
  { services: { ledger, clock }, id }: Pick<RunContext, 'services' | 'id'>,
  error: unknown,
): Promise<never> {
  // Whatever else ended it may be the ledger's: that is not asked again.
  if (!(error instanceof ProductError) || error.kind !== 'usage') throw error;
  const run = await requireRun(ledger, id);
  // Danger: one that had sent its canary is told as stopped only when somebody has seen what became of that.
  if (run.kind === 'run' && run.state === 'planned') {
    const reason = error.detail;
    await ledger.runs.patch(id, { state: 'stopped', endedAt: clock.now(), exitCode: EXIT.usage, reason });
  }
  throw error;
}

/** Records that the run could not be planned, and throws why. */
async function refuse({ services, id }: Pick<RunContext, 'services' | 'id'>, error: unknown): Promise<never> {
  if (error instanceof ProductError && (error.kind === 'input' || error.kind === 'usage')) {
    await services.ledger.plan.clear(id);
    await services.ledger.runs.patch(id, {
      state: 'invalid',
      endedAt: services.clock.now(),
      exitCode: error.kind === 'input' ? EXIT.input : EXIT.usage,
      reason: error.detail,
    });
  }
  throw error;
}
