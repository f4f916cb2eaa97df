import { type Message, message } from '../../errors/message.js';
import type { PlanMaker } from '../../ledger/contract/approvals.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { Run } from '../../ledger/contract/runs.js';
import type { ApprovalPolicy, Connection } from '../../model/connection.js';
import { currentUser } from '../../util/process.js';
import { keptCorrectors } from '../corrections/overlay.js';
import { requireRun } from '../run-checks.js';
import type { RunContext, RunServices } from '../run-context.js';
import type { StageEnd } from '../run-end.js';
import { type RunSettings, type StepsSettings, unpackAny } from '../settings.js';
import { hasSteps, type StepRun, stepsSettings } from '../step-runs.js';
import { matchesAnnounced } from './announced-steps.js';
import { needsApproval, policiesOver } from './needs-approval.js';
import { planHash } from './plan-hash.js';

interface AnyContext extends Pick<RunContext<RunSettings | StepsSettings>, 'id' | 'settings'> {
  readonly services: Pick<RunServices, 'ledger' | 'by'>;
}

/**
 * Why a planned run may not be sent without an approval; it then ends as a stored plan. After it was applied with its
 * approval it continues without another one. A run that sent something before approvals were required may be completed.
 */
export async function approvalGate({
  services: { ledger, by },
  id,
  settings,
}: AnyContext): Promise<StageEnd | undefined> {
  const run = await requireRun(ledger, id);
  const isRequired = await requiresApproval(ledger, run, settings.connection, by?.who ?? run.by);
  if (!run.needsApproval && (!isRequired || run.requests > 0)) return undefined;
  const { connection } = run;
  if (await ledger.approvals.application(id)) {
    // Danger: it was applied without an approval, in an environment where none was required.
    if (run.needsApproval) return undefined;
    return { status: 'stopped', reason: message('approval.required_since', { plan: id, connection }) };
  }
  return {
    status: 'stopped',
    reason: message('approval.stopped', { plan: id, connection }),
    waitsForApproval: true,
  };
}

/**
 * Why a step that is planned with real values may not be sent: the run needs an approval now, and no approval covers
 * this step's content. The step is sealed by its hash and stays a run, which can be resumed after the approval.
 */
export async function stepApprovalGate(
  { services: { ledger, by }, id, settings }: RunContext<StepsSettings>,
  step: StepRun,
): Promise<Message | undefined> {
  const run = await requireRun(ledger, id);
  const policies = await policiesOfRun(ledger, run, settings.connection, by?.who ?? run.by);
  if (!(await needsApproval(ledger, policies, run))) return undefined;
  const isApproved = run.needsApproval && !run.awaitsApproval;
  if (isApproved && (await matchesAnnounced(ledger, run, step, policies))) return undefined;
  const hash = await planHash(ledger, run, step.step.name);
  if (isApproved && hash === run.planHash) return undefined;
  if (hash !== run.planHash)
    await ledger.approvals.seal(id, {
      planHash: hash,
      needsApproval: true,
      makers: await planMakers(ledger, run),
      isStarted: true,
    });
  return message('approval.step_above', { run: id, connection: run.connection });
}

/** Turns a planned run into a stored plan with a hash, unless it is one. Nothing of it may change afterwards. */
export async function sealPlan(
  { ledger }: Pick<RunServices, 'ledger'>,
  run: Run,
  isRequired = false,
): Promise<Run> {
  if (run.planHash !== undefined) return run;
  const needs = isRequired || (await requiresApproval(ledger, run));
  await ledger.approvals.seal(run.id, {
    planHash: await planHash(ledger, run),
    needsApproval: needs,
    makers: needs ? await planMakers(ledger, run) : [],
  });
  return requireRun(ledger, run.id);
}

/**
 * Whether a run requires an approval by the policies at planning time, by those of the connection as configured now,
 * and by those that the ledger stores for its host.
 */
export async function requiresApproval(
  ledger: RunServices['ledger'],
  run: Run,
  currentConnection?: Connection,
  who = run.by,
): Promise<boolean> {
  return needsApproval(ledger, await policiesOfRun(ledger, run, currentConnection, who), run);
}

async function policiesOfRun(
  ledger: RunServices['ledger'],
  run: Run,
  currentConnection: Connection | undefined,
  who: string | undefined,
): Promise<readonly ApprovalPolicy[]> {
  const { connection } = unpackAny(run.settings);
  // Only a run that is being planned stores its policies: an older run must not restore a lifted policy.
  const isNew = run.planHash === undefined && run.requests === 0;
  const planned = await policiesOver(ledger, connection, isNew ? run.by : undefined);
  return currentConnection ? [...planned, ...(await policiesOver(ledger, currentConnection, who))] : planned;
}

/**
 * Every user who made a part of a plan: planned it, uploaded its sheet, created its import, corrected or excluded rows,
 * or changed its job since that job's last approved plan. None of them may approve it.
 */
export async function planMakers(ledger: Ledger, run: Run): Promise<readonly PlanMaker[]> {
  const { imports, inputs, approvals } = ledger;
  const settings = hasSteps(run) ? stepsSettings(run) : unpackAny(run.settings);
  const makers: PlanMaker[] = [];
  const add = (who: string | undefined, did: PlanMaker['did'], more: Partial<PlanMaker> = {}): void => {
    if (who !== undefined && !makers.some((maker) => maker.who === who && maker.did === did))
      makers.push({ who, did, ...more });
  };
  add(run.by, 'planned', { subject: run.bySubject, user: currentUser() });
  for (const { by } of await imports.uploads(run.inputSha256)) add(by, 'uploaded');
  if (settings.import !== undefined) add((await imports.get(settings.import))?.by, 'imported');
  if (settings.corrections)
    for (const who of await keptCorrectors(inputs, settings.corrections)) add(who, 'corrected');
  for (const { by, bySubject } of await jobChanges({ runs: ledger.runs, approvals }, run))
    add(by, 'changed_job', { subject: bySubject });
  return makers;
}

/** Limit of the job's runs searched for its last approved plan. */
const RUNS_SEARCHED = 500;

/** The first plan or run of each job content since the last approved plan. */
async function jobChanges(
  { runs, approvals }: Pick<Ledger, 'runs' | 'approvals'>,
  run: Run,
): Promise<readonly Run[]> {
  const first = new Map<string, Run>();
  // Newest first.
  for (const earlier of await runs.find(
    { job: run.job, kinds: ['plan', 'run'], before: run.id },
    RUNS_SEARCHED,
  )) {
    if (earlier.job !== run.job) continue;
    if (earlier.needsApproval && (await approvals.application(earlier.id))) {
      first.delete(earlier.jobSha256);
      return [...first.values()];
    }
    first.set(earlier.jobSha256, earlier);
  }
  return [];
}
