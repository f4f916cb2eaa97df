import { type Message, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { RunState } from '../ledger/contract/runs.js';
import { EndNotReportedError } from '../ledger/rules/run-states.js';
import { workOf } from '../model/job.js';
import { EXIT } from '../model/run-outcome.js';
import { distinctMessages } from '../util/error-detail.js';
import { sealPlan } from './approval/approval-gate.js';
import { executeStage, queuedEnd, queueStage } from './execute/execute-stage.js';
import { mayExecute } from './execute/may-execute.js';
import { observerWith } from './observer.js';
import { planStage } from './plan/plan.js';
import { concludeRun } from './report/conclude.js';
import { requireRun } from './run-checks.js';
import type { RunContext, RunStages } from './run-context.js';
import { endOfStop, type RunEnd, runEnd, type StageEnd } from './run-end.js';
import type { RunSettings, StepsSettings } from './settings.js';

type AnySettings = RunSettings | StepsSettings;

const ONE_OPERATION: RunStages<RunSettings> = {
  plan: planStage,
  mayExecute,
  execute: (context, from) => (context.queue ? queueStage(context, from) : executeStage(context, from)),
};

/** Runs the remaining stages of a run: plan, execute, report. The returned end has every warning. */
export async function runStages(context: RunContext<AnySettings>, from: RunState): Promise<RunEnd> {
  const { services, id, settings } = context;
  const { ledger, observer } = services;
  const { job, connection } = settings;
  observer.started(id, { job: job.name, operation: workOf(job), connection: connection.name });
  const warned: Message[] = [];
  const recording = observerWith(observer, {
    warn: (warning) => {
      warned.push(warning);
      observer.warn(warning);
    },
  });
  // The plan's warnings still apply when another process continues the run.
  if (from !== 'planning') for (const warning of await ledger.plan.warnings(id)) observer.warn(warning);
  const recorded = { ...context, services: { ...services, observer: recording } };
  const stopLogging = logStart(recorded, from !== 'planning');
  try {
    const end = hasStepsSettings(recorded)
      ? await planAndSend(recorded, from, warned, (await import('./steps/execute-steps.js')).STEPS_STAGES)
      : await planAndSend(recorded as RunContext, from, warned, ONE_OPERATION);
    const { status, exitCode, requests, retries, executeMs } = end;
    services.log?.add({ run: id, event: 'run_ended', status, exitCode, requests, retries, executeMs });
    return { ...end, warnings: distinctMessages([...(await ledger.plan.warnings(id)), ...warned]) };
  } catch (error) {
    throw namingRun(error, id);
  } finally {
    stopLogging();
  }
}

function hasStepsSettings(context: RunContext<AnySettings>): context is RunContext<StepsSettings> {
  return 'steps' in context.settings.job;
}

/** Failures of the ledger after which a run can be resumed. */
const RESUMABLE = new Set([
  'ledger.locked',
  'ledger.disk_full',
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

async function planAndSend<S extends AnySettings>(
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
      await recordInvalid(context, error);
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
  if (toSend) ended = await work.mayExecute(context).catch((error) => recordUnsendable(planned, error));
  if (ended.waitsForApproval || (kind === 'plan' && ended.status === 'completed')) {
    const plan = await sealPlan(
      services,
      await requireRun(services.ledger, id),
      ended.waitsForApproval === true,
    );
    context = { ...context, kind: plan.kind };
  }
  if (toSend && ended.status === 'completed' && kind === 'run') {
    ended = await work.execute(context, from).catch((error) => recordUnsendable(context, error));
    if (ended.status === 'queued') return queuedEnd(context);
    if (ended.error instanceof EndNotReportedError) throw ended.error;
  }
  // Ctrl-C at a confirmation is an interruption, not a refusal.
  if (ended.status === 'stopped' && services.stop.cause?.kind === 'interrupted')
    ended = endOfStop(services.stop, id);
  await work.concluding?.(context, ended);
  return concludeRun(context, ended, warned);
}

/** Records that the run cannot be sent at present (missing token), so that it is not cut off, and throws the error. */
async function recordUnsendable(
  { services: { ledger, clock }, id }: Pick<RunContext, 'services' | 'id'>,
  error: unknown,
): Promise<never> {
  // Other errors may be the ledger's, so it is not used again.
  if (!(error instanceof ProductError) || error.kind !== 'usage') throw error;
  const run = await requireRun(ledger, id);
  // Danger: a run that had sent its canary may be reported as stopped only after the canary's outcome was shown.
  if (run.kind === 'run' && run.state === 'planned') {
    const reason = error.detail;
    await ledger.runs.patch(id, { state: 'stopped', endedAt: clock.now(), exitCode: EXIT.usage, reason });
  }
  throw error;
}

/** Records that the run could not be planned, and throws the error. */
async function recordInvalid(
  { services, id }: Pick<RunContext, 'services' | 'id'>,
  error: unknown,
): Promise<never> {
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

/**
 * Logs the start of a run, and a stop when it is requested.
 * @returns a function that removes the listener
 */
function logStart(
  { services, id: run, kind, settings }: RunContext<AnySettings>,
  resumed: boolean,
): () => void {
  const { log, stop } = services;
  if (!log) return () => {};
  const { job, connection } = settings;
  const event = resumed ? 'run_resumed' : 'run_started';
  log.add({ run, event, job: job.name, operation: workOf(job), connection: connection.name, kind });
  const onStop = (): void => {
    const { cause } = stop;
    if (!cause) return;
    const reason = cause.kind === 'safety' ? cause.reason : undefined;
    log.add({ run, event: 'stopping', cause: cause.kind, reason });
  };
  if (stop.cause) onStop();
  stop.signal.addEventListener('abort', onStop, { once: true });
  return () => stop.signal.removeEventListener('abort', onStop);
}

/** Logs the number of rows, items and batches of the plan. */
async function logPlan({
  services: { log, ledger },
  id: run,
}: Pick<RunContext, 'services' | 'id'>): Promise<void> {
  if (!log) return;
  const rows = (await ledger.runs.get(run))?.rows ?? 0;
  const { items, batches } = await ledger.execution.remaining(run);
  log.add({ run, event: 'plan_finished', rows, items, batches });
}
