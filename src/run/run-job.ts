import { basename } from 'node:path';
import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { refuseUnfit } from '../job/job-changes.js';
import type { Run, RunKind, RunState } from '../ledger/contract/run.js';
import { checkedInputOf, keepInput } from '../ledger/inputs.js';
import { packSettings } from '../ledger/kept-settings.js';
import { isFinished, isRefusedApply } from '../ledger/rules/run-states.js';
import { onPlatform } from '../ledger/rules/scopes.js';
import { takeLock } from '../ledger/take-lock.js';
import type { Connection } from '../model/connection.js';
import { operationsOf, type SendingJob, workOf } from '../model/job.js';
import { prepareToken } from '../platform/client/token.js';
import { ownProcess } from '../util/process-alive.js';
import { newRunId } from '../util/run-id.js';
import { resultPath } from '../workbook/result-path.js';
import { refuseTarget } from '../workbook/write.js';
import { canaryOfPlan } from './approval/canary-of-plan.js';
import { refuseOtherThanApproved, refuseUnapproved, unchangedPlan } from './approval/unchanged-plan.js';
import { type GivenCorrections, takeCorrections } from './corrections/given-corrections.js';
import { openInput } from './input/opened-input.js';
import { isGone, type PlanConditions, planRefusal } from './plan/plan-refusal.js';
import { refusePruned, refuseStepRun, refuseWithoutAppKey, requireRun } from './run-checks.js';
import { refuseOtherHost } from './run-connection.js';
import type { RunContext, RunServices } from './run-context.js';
import type { RunEnd } from './run-end.js';
import { type RunSettings, type SettingsChange, type StepsSettings, unpackAny } from './settings.js';
import { continueRun, ONE_OPERATION } from './stages.js';

/** Where a run comes from. */
export interface RunOrigin {
  /** The run whose rows it sends again, or the reconciliation whose action it carries out. */
  readonly parent?: string;
  /** Of its input, where that is kept already. */
  readonly inputSha256?: string;
  /** Laid over the cells of its input. */
  readonly corrections?: GivenCorrections | undefined;
}

interface Handed {
  /** What is to be sent is put into the ledger's queue, for workers. */
  readonly queue?: boolean;
}

/**
 * Starts a run of a job: plan, execute, report; a dry run and a kept plan leave out execute.
 * @throws ProductError when nothing was sent and there is no result to write (usage, input, another run going on).
 */
export async function startRun(
  services: RunServices,
  job: SendingJob,
  connection: Connection,
  kind: RunKind,
  {
    canary,
    offline,
    queue,
    rehearsal,
    import: of,
    ...origin
  }: Pick<RunSettings, 'canary' | 'offline' | 'rehearsal' | 'import'> & Handed & RunOrigin = {},
): Promise<RunEnd> {
  refuseUnfit('canary', canary, 1);
  return begin(
    services,
    { job, connection, canary, offline, rehearsal, import: of } as RunSettings | StepsSettings,
    kind,
    origin,
    queue,
  );
}

/**
 * Starts a run of another run's rows (`settings.retry`), from the parent's kept copy of the input.
 * @throws ProductError as `startRun`
 */
export function startRetry(
  services: RunServices,
  parent: Run,
  settings: RunSettings | StepsSettings,
  kind: 'run' | 'plan' = 'run',
): Promise<RunEnd> {
  return begin(services, settings, kind, { parent: parent.id, inputSha256: parent.inputSha256 });
}

async function begin(
  services: RunServices,
  start: RunSettings | StepsSettings,
  kind: RunKind,
  origin: RunOrigin,
  queue = false,
): Promise<RunEnd> {
  const { ledger, clock, by } = services;
  const { job, connection } = start;
  if (kind === 'run') refuseWithoutKeys(job, connection);
  if (queue) await ledger.queue?.ready();
  const id = newRunId(clock.now());
  await refuseTarget(job, resultPath(job, id));
  const on = onPlatform(connection);
  const lock = kind === 'run' ? await takeLock(ledger, job.name, on.scope, id, queue) : undefined;
  try {
    const inputSha256 = origin.inputSha256 ?? (await keepInput(ledger.inputs, job.source.file)).sha256;
    const input = { sha256: inputSha256, name: basename(job.source.file) };
    const corrections = origin.corrections
      ? await takeCorrections(ledger.inputs, job, input, origin.corrections, services.env)
      : start.corrections;
    const settings = { ...start, ...(corrections ? { corrections } : {}), begunBy: ownProcess() };
    const made = {
      id,
      kind,
      job: job.name,
      jobFile: job.file,
      jobSha256: job.sha256,
      operation: workOf(job),
      ...on,
      inputFile: job.source.file,
      inputSha256,
      settings: packSettings(settings),
      startedAt: clock.now(),
      parent: origin.parent,
      by: by?.who,
      bySubject: by?.subject,
    };
    await ledger.runs.create(made, by?.act);
    return await driveStages({ services, id, kind, settings, queue }, 'planning');
  } finally {
    await lock?.release();
  }
}

/**
 * Resumes a run where it was left, from the ledger alone; `change` lets flags override limits and paths.
 * @throws ProductError usage when it is finished or another process works on it.
 */
export async function resumeRun(
  services: RunServices,
  run: Run,
  change: SettingsChange,
  { queue = false }: Handed = {},
): Promise<RunEnd> {
  refusePruned(run);
  refuseStepRun(run);
  if (isFinished(run)) {
    throw new ProductError('usage', message('run.nothing_to_resume', { run: run.id, state: run.state }));
  }
  const { by, ledger } = services;
  const isApproval = run.needsApproval && !(await ledger.approvals.application(run.id));
  if (isApproval) await refuseUnapproved(services, run);
  if (queue) await services.ledger.queue?.ready();
  const lock = await takeLock(services.ledger, run.job, run.scope, run.id, queue);
  try {
    const settings = change(unpackAny(run.settings));
    refuseOtherHost(run, settings.connection);
    await refuseOtherThanApproved(services, run, settings.connection);
    await refuseWithoutPassword(services, run, settings);
    if (isApproval && run.kind === 'run')
      await ledger.approvals.apply(run.id, { planHash: run.planHash ?? '', by: by ?? NOBODY });
    if (by) await ledger.audit.append({ who: by.who, act: 'resume', run: run.id });
    return await driveStages({ services, id: run.id, kind: run.kind, settings, queue }, run.state);
  } finally {
    await lock.release();
  }
}

/**
 * Sends a kept plan exactly as it was shown, once. A plan that was refused before its first request can be applied again.
 * @throws ProductError usage when it was used, when job, input or connection changed since, or when it is too old
 */
export async function applyPlan(
  services: RunServices,
  run: Run,
  now: PlanConditions,
  change: SettingsChange,
  { queue = false, canary }: Handed & Pick<RunSettings, 'canary'> = {},
): Promise<RunEnd> {
  refuseStepRun(run);
  const lock = await takeLock(services.ledger, run.job, run.scope, run.id, queue);
  try {
    // Read again under the lock: if two processes apply it at once, the second finds it used.
    const plan = await requireRun(services.ledger, run.id);
    refuseOtherHost(plan, now.connection);
    const refusal = planRefusal(plan, now, services.clock.now());
    if (refusal) throw new ProductError('usage', refusal);
    // What is sent must be told of afterwards, from the kept input.
    if (isGone(now.input)) await checkedInputOf(services.ledger.inputs, plan);
    // The plan's kept connection has no token command; the configured one has.
    const settings = change({ ...unpackAny(plan.settings), connection: now.connection });
    refuseWithoutKeys(settings.job, settings.connection);
    await refuseWithoutPassword(services, plan, settings);
    await refuseUnapproved(services, plan);
    const refusedBefore = isRefusedApply(plan);
    if (refusedBefore) await refuseOtherThanApproved(services, plan, now.connection);
    const { planHash } = refusedBefore
      ? { planHash: '' }
      : await unchangedPlan(services, plan, now.connection);
    if (queue) await services.ledger.queue?.ready();
    // What is missing here is found out before the approval is used.
    else await prepareToken(settings.connection, services.env);
    const apart = canary === undefined ? undefined : await canaryOfPlan(services.ledger, plan, canary);
    const by = services.by ?? NOBODY;
    if (!refusedBefore)
      await services.ledger.approvals.apply(plan.id, { planHash, by, settings: apart?.settings });
    else {
      await services.ledger.audit.append({ who: by.who, act: 'apply', run: plan.id });
      for (const [id, its] of apart?.settings ?? []) await services.ledger.runs.patch(id, { settings: its });
    }
    const own = apart ? ({ ...settings, canary: apart.canary } as typeof settings) : settings;
    return await driveStages({ services, id: plan.id, kind: 'run', settings: own, queue }, plan.state);
  } finally {
    await lock.release();
  }
}

/** Who applies a plan where nobody is asked for: a ledger that is thrown away. */
const NOBODY = { who: '-' };

function refuseWithoutKeys(job: SendingJob, connection: Connection): void {
  for (const operation of operationsOf(job)) refuseWithoutAppKey({ operation }, connection);
}

/** Danger: a run whose encrypted input can't be opened again would send, and couldn't write what came of it. */
async function refuseWithoutPassword(
  { ledger, env }: RunServices,
  run: Run,
  { job }: RunSettings | StepsSettings,
): Promise<void> {
  if (!job.source.password) return;
  const { source } = await openInput(job, await checkedInputOf(ledger.inputs, run), env);
  await source.close();
}

async function driveStages(
  context: RunContext<RunSettings | StepsSettings>,
  from: RunState,
): Promise<RunEnd> {
  const { job, connection } = context.settings;
  const about = { job: job.name, operation: workOf(job), connection: connection.name };
  context.services.observer.started(context.id, about);
  if (!isOfSteps(context)) return continueRun(context as RunContext, from, ONE_OPERATION);
  const { STEPS_STAGES } = await import('./steps/stages.js');
  return continueRun(context, from, STEPS_STAGES);
}

function isOfSteps(context: RunContext<RunSettings | StepsSettings>): context is RunContext<StepsSettings> {
  return 'steps' in context.settings.job;
}
