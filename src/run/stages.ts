import { type Message, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { RunState } from '../ledger/contract/run.js';
import { EXIT } from '../model/exit-code.js';
import { operationNamed } from '../platform/operations/index.js';
import { distinctMessages } from '../util/distinct-messages.js';
import { endOfStop, type StageEnd } from './ended.js';
import { executeStage } from './execute/execute-stage.js';
import { mayExecute } from './execute/may-execute.js';
import { logPlan, withRunLog } from './log-run.js';
import type { RunObserver } from './observer.js';
import { planStage } from './plan/plan.js';
import { concludeRun } from './report/conclude.js';
import type { RunContext } from './run-context.js';
import type { RunEnd } from './run-end.js';

/** Carries a run through its stages, from where it stands: plan, execute, report. Its end has all that was warned of. */
export async function continueRun(current: RunContext, from: RunState): Promise<RunEnd> {
  const { services, id } = current;
  const told: Message[] = [];
  const { observer } = services;
  const listening: RunObserver = {
    started: (run, about) => observer.started(run, about),
    progress: (progress) => observer.progress(progress),
    paused: (pause) => observer.paused(pause),
    warn: (warning) => {
      told.push(warning);
      observer.warn(warning);
    },
  };
  // What its plan warned of holds for whoever goes on with it, too.
  if (from !== 'planning') for (const it of await services.ledger.plan.warnings(id)) observer.warn(it);
  const own: RunContext = { ...current, services: { ...services, observer: listening } };
  const end = await withRunLog(own, from !== 'planning', () => stages(own, from, told));
  return { ...end, warnings: distinctMessages([...(await services.ledger.plan.warnings(id)), ...told]) };
}

async function stages(current: RunContext, from: RunState, told: readonly Message[]): Promise<RunEnd> {
  const { services, id, kind, settings } = current;
  const operation = operationNamed(settings.job.operation);
  if (from === 'planning') {
    try {
      await planStage({ run: id, kind, settings, operation, ...services });
    } catch (error) {
      await refuse(current, error);
    }
    if (services.stop.cause) return interruptedPlan(current);
    await logPlan(current);
  }
  const toSend = from !== 'executed';
  let ended: StageEnd = { status: 'completed' };
  if (toSend) ended = await mayExecute(current);
  if (toSend && ended.status === 'completed' && kind === 'run') ended = await executeStage(current, from);
  // Ctrl-C at a question is no refusal.
  if (ended.status === 'stopped' && services.stop.cause?.kind === 'interrupted')
    ended = endOfStop(services.stop, id);
  return concludeRun(current, ended, told);
}

/** A plan that can't be made: the ledger remembers that nothing came of the run. */
async function refuse({ services, id }: RunContext, error: unknown): Promise<never> {
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

function interruptedPlan({ id, kind, settings }: RunContext): RunEnd {
  return {
    run: id,
    job: settings.job.name,
    operation: settings.job.operation,
    connection: settings.connection.name,
    sandbox: settings.connection.sandbox,
    status: 'interrupted',
    rows: 0,
    items: 0,
    counts: {},
    requests: 0,
    retries: 0,
    executeMs: 0,
    exitCode: EXIT.interrupted,
    reason: message('run.interrupted', { run: id }),
    kind,
  };
}
