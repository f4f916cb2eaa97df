import { basename } from 'node:path';
import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { requireWholeNumber } from '../job/job-changes.js';
import type { Run, RunKind } from '../ledger/contract/runs.js';
import { checkedInputOf, keepInput } from '../ledger/inputs.js';
import { isFinished, isRefusedApply } from '../ledger/rules/run-states.js';
import { onPlatform, shownScope } from '../ledger/rules/scopes.js';
import { packSettings } from '../ledger/stored-settings.js';
import { RunInProgressError, takeLock } from '../ledger/take-lock.js';
import type { Connection } from '../model/connection.js';
import { operationsOf, type SendingJob, workOf } from '../model/job.js';
import { prepareToken } from '../platform/client/token.js';
import { isAlive, ownProcess } from '../util/process.js';
import { newRunId } from '../util/run-id.js';
import { resultPath } from '../workbook/result-files.js';
import { refuseTarget } from '../workbook/write.js';
import { refuseOtherThanApproved, refuseUnapproved, unchangedPlan } from './approval/unchanged-plan.js';
import { type GivenCorrections, takeCorrections } from './corrections/corrections-file.js';
import { canaryOfPlan } from './execute/canary.js';
import { openInput } from './input/opened-input.js';
import { isMissing, type PlanConditions, planRefusal } from './plan/plan-refusal.js';
import { refusePruned, refuseStepRun, refuseWithoutAppKey, requireRun } from './run-checks.js';
import { refuseOtherHost } from './run-connection.js';
import type { RunServices } from './run-context.js';
import type { RunEnd } from './run-end.js';
import { type RunSettings, type SettingsChange, type StepsSettings, unpackAny } from './settings.js';
import { runStages } from './stages.js';

export interface RunOrigin {
  /** The run whose rows it sends again, or the reconciliation whose action it runs. */
  readonly parent?: string;
  /** Digest of its input, if that is stored already. */
  readonly inputSha256?: string;
  /** Corrections of the cells of its input. */
  readonly corrections?: GivenCorrections | undefined;
}

interface RunHandover {
  /** Puts the batches into the ledger's queue, for workers. */
  readonly queue?: boolean;
}

type StartOptions = RunOrigin &
  RunHandover &
  Pick<RunSettings, 'canary' | 'offline' | 'rehearsal' | 'import' | 'retry'>;

/**
 * Starts a run of a job: plan, execute, report; a dry run and a stored plan have no execute stage.
 * @throws ProductError if nothing was sent and there is no result to write (usage, input, another run in progress)
 */
export async function startRun(
  services: RunServices,
  job: SendingJob,
  connection: Connection,
  kind: RunKind,
  { queue = false, parent, inputSha256, corrections: given, ...options }: StartOptions = {},
): Promise<RunEnd> {
  const { ledger, clock, by } = services;
  requireWholeNumber('canary', options.canary, 1);
  if (kind === 'run') refuseWithoutKeys(job, connection);
  if (queue) await ledger.queue?.ready();
  const id = newRunId(clock.now());
  await refuseTarget(job, resultPath(job, id));
  const platform = onPlatform(connection);
  const lock = kind === 'run' ? await takeLock(ledger, job.name, platform.scope, id, queue) : undefined;
  try {
    const sha256 = inputSha256 ?? (await keepInput(ledger.inputs, job.source.file)).sha256;
    const input = { sha256, name: basename(job.source.file) };
    const corrections = given && (await takeCorrections(ledger.inputs, job, input, given, services.env));
    const begunBy = ownProcess();
    const settings = { ...options, job, connection, corrections, begunBy } as RunSettings | StepsSettings;
    const created = {
      id,
      kind,
      job: job.name,
      jobFile: job.file,
      jobSha256: job.sha256,
      operation: workOf(job),
      ...platform,
      inputFile: job.source.file,
      inputSha256: sha256,
      settings: packSettings(settings),
      startedAt: clock.now(),
      parent,
      by: by?.who,
      bySubject: by?.subject,
    };
    await ledger.runs.create(created, by?.act);
    return await runStages({ services, id, kind, settings, queue }, 'planning');
  } finally {
    await lock?.release();
  }
}

/**
 * Resumes a run from the ledger alone; `change` lets flags override limits and paths.
 * @throws ProductError usage if it is finished or another process executes it
 */
export async function resumeRun(
  services: RunServices,
  run: Run,
  change: SettingsChange,
  { queue = false }: RunHandover = {},
): Promise<RunEnd> {
  refusePruned(run);
  refuseStepRun(run);
  if (isFinished(run))
    throw new ProductError('usage', message('run.nothing_to_resume', { run: run.id, state: run.state }));
  refuseBeingPlanned(run);
  const { by, ledger } = services;
  if (run.kind === 'plan' || run.awaitsApproval) await refuseUnapproved(services, run);
  if (queue) await services.ledger.queue?.ready();
  const lock = await takeLock(services.ledger, run.job, run.scope, run.id, queue);
  try {
    const settings = change(unpackAny(run.settings));
    refuseOtherHost(run, settings.connection);
    await refuseOtherThanApproved(services, run, settings.connection);
    await refuseWithoutPassword(services, run, settings);
    if (run.awaitsApproval)
      await ledger.approvals.apply(run.id, { planHash: run.planHash ?? '', by: by ?? NOBODY });
    if (by) await ledger.audit.append({ who: by.who, act: 'resume', run: run.id });
    return await runStages({ services, id: run.id, kind: run.kind, settings, queue }, run.state);
  } finally {
    await lock.release();
  }
}

/**
 * Sends a stored plan exactly as shown, once. A plan that was refused before its first request can be applied again.
 * @throws ProductError usage if it was used, if job, input or connection changed since, or if it is too old
 */
export async function applyPlan(
  services: RunServices,
  run: Run,
  conditions: PlanConditions,
  change: SettingsChange,
  { queue = false, canary }: RunHandover & Pick<RunSettings, 'canary'> = {},
): Promise<RunEnd> {
  refuseStepRun(run);
  const lock = await takeLock(services.ledger, run.job, run.scope, run.id, queue);
  try {
    // Read again under the lock: of two processes that apply it at once, the second finds it used.
    const plan = await requireRun(services.ledger, run.id);
    refuseOtherHost(plan, conditions.connection);
    const refusal = planRefusal(plan, conditions, services.clock.now());
    if (refusal) throw new ProductError('usage', refusal);
    // The result is written from the stored input, so it must be readable.
    if (isMissing(conditions.input)) await checkedInputOf(services.ledger.inputs, plan);
    // The plan's stored connection has no token command; the configured one has.
    const settings = change({ ...unpackAny(plan.settings), connection: conditions.connection });
    refuseWithoutKeys(settings.job, settings.connection);
    await refuseWithoutPassword(services, plan, settings);
    await refuseUnapproved(services, plan);
    const refusedBefore = isRefusedApply(plan);
    if (refusedBefore) await refuseOtherThanApproved(services, plan, conditions.connection);
    const { planHash } = refusedBefore
      ? { planHash: '' }
      : await unchangedPlan(services, plan, conditions.connection);
    if (queue) await services.ledger.queue?.ready();
    // A missing token is detected before the approval is used.
    else await prepareToken(settings.connection, services.env);
    const canaryItems = canary === undefined ? undefined : await canaryOfPlan(services.ledger, plan, canary);
    const by = services.by ?? NOBODY;
    if (!refusedBefore)
      await services.ledger.approvals.apply(plan.id, { planHash, by, settings: canaryItems?.settings });
    else {
      await services.ledger.audit.append({ who: by.who, act: 'apply', run: plan.id });
      for (const [id, changed] of canaryItems?.settings ?? [])
        await services.ledger.runs.patch(id, { settings: changed });
    }
    const runSettings = canaryItems
      ? ({ ...settings, canary: canaryItems.canary } as typeof settings)
      : settings;
    return await runStages({ services, id: plan.id, kind: 'run', settings: runSettings, queue }, plan.state);
  } finally {
    await lock.release();
  }
}

/**
 * Danger: a check or a plan is created without a lock, as several may be created at once. As long as its process
 * exists, even suspended, it may continue writing.
 */
function refuseBeingPlanned({ id, kind, state, job, scope, settings }: Run): void {
  if (kind === 'run' || state !== 'planning') return;
  const { begunBy } = unpackAny(settings);
  if (!begunBy || begunBy.process === process.pid || !isAlive(begunBy)) return;
  const inProgress = { run: id, job, platform: shownScope(scope), host: begunBy.host };
  throw new RunInProgressError(
    'usage',
    message('ledger.run_going_on', { ...inProgress, process: String(begunBy.process) }),
  );
}

/** The user of a plan in a temporary ledger. */
const NOBODY = { who: '-' };

function refuseWithoutKeys(job: SendingJob, connection: Connection): void {
  for (const operation of operationsOf(job)) refuseWithoutAppKey({ operation }, connection);
}

/** Danger: a run whose encrypted input cannot be opened again would send and could not write its result. */
async function refuseWithoutPassword(
  { ledger, env }: RunServices,
  run: Run,
  { job }: RunSettings | StepsSettings,
): Promise<void> {
  if (!job.source.password) return;
  const { source } = await openInput(job, await checkedInputOf(ledger.inputs, run), env);
  await source.close();
}
