import { type Message, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { RunState } from '../ledger/contract/run.js';
import { EXIT } from '../model/exit-code.js';
import { operationNamed } from '../platform/operations/index.js';
import { distinctMessages } from '../util/distinct-messages.js';
import { type Ended, endOf } from './ended.js';
import { executeStage } from './execute/execute-stage.js';
import { mayExecute } from './execute/may-execute.js';
import { logged, logPlan } from './log-run.js';
import type { RunObserver } from './observer.js';
import { plan } from './plan/plan.js';
import { concludeRun } from './report/conclude.js';
import type { RunEnd } from './run-end.js';
import type { Current } from './run-parts.js';

/** Carries a run through its stages, from where it stands: plan, execute, report. Its end has all that was warned of. */
export async function goOn(current: Current, from: RunState): Promise<RunEnd> {
  const { parts, id } = current;
  const told: Message[] = [];
  const { observer } = parts;
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
  if (from !== 'planning') for (const it of await parts.ledger.plan.warnings(id)) observer.warn(it);
  const own: Current = { ...current, parts: { ...parts, observer: listening } };
  const end = await logged(own, from !== 'planning', () => stages(own, from, told));
  return { ...end, warnings: distinctMessages([...(await parts.ledger.plan.warnings(id)), ...told]) };
}

async function stages(current: Current, from: RunState, told: readonly Message[]): Promise<RunEnd> {
  const { parts, id, kind, settings } = current;
  const operation = operationNamed(settings.job.operation);
  if (from === 'planning') {
    try {
      await plan({ run: id, kind, settings, operation, ...parts });
    } catch (error) {
      await refuse(current, error);
    }
    if (parts.stop.cause) return interruptedPlan(current);
    await logPlan(current);
  }
  const toSend = from !== 'executed';
  let ended: Ended = { status: 'completed' };
  if (toSend) ended = await mayExecute(current);
  if (toSend && ended.status === 'completed' && kind === 'run') ended = await executeStage(current, from);
  // Ctrl-C at a question is no refusal.
  if (ended.status === 'stopped' && parts.stop.cause?.kind === 'interrupted') ended = endOf(parts.stop, id);
  return concludeRun(current, ended, told);
}

/** A plan that can't be made: the ledger remembers that nothing came of the run. */
async function refuse({ parts, id }: Current, error: unknown): Promise<never> {
  if (error instanceof ProductError && (error.kind === 'input' || error.kind === 'usage')) {
    await parts.ledger.plan.clear(id);
    await parts.ledger.runs.patch(id, {
      state: 'invalid',
      endedAt: parts.clock.now(),
      exitCode: error.kind === 'input' ? EXIT.input : EXIT.usage,
      reason: error.detail,
    });
  }
  throw error;
}

function interruptedPlan({ id, kind, settings }: Current): RunEnd {
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
