import { type Message, message } from '../../errors/message.js';
import type { Run } from '../../ledger/contract/run.js';
import type { Connection } from '../../model/connection.js';
import { requireRun } from '../run-checks.js';
import type { RunContext, RunServices } from '../run-context.js';
import type { StageEnd } from '../run-end.js';
import { type RunSettings, type StepsSettings, unpackAny } from '../settings.js';
import { needsApproval, policiesOver } from './needs-approval.js';
import { planHash } from './plan-hash.js';
import { planMakers } from './plan-makers.js';
import { approvalStanding } from './standing.js';

interface AnyContext extends Pick<RunContext<RunSettings | StepsSettings>, 'id' | 'settings'> {
  readonly services: Pick<RunServices, 'ledger' | 'by'>;
}

/**
 * Why what was planned may not be sent without a second person: the run then ends as a kept plan. Once it was applied with its
 * approval it goes on without another; and where something of it was sent before anybody wanted approvals, it may be finished.
 */
export async function approvalGate({
  services: { ledger, by },
  id,
  settings,
}: AnyContext): Promise<StageEnd | undefined> {
  const run = await requireRun(ledger, id);
  const isWanted = await wantsApproval(ledger, run, settings.connection, by?.who ?? run.by);
  if (!run.needsApproval && (!isWanted || run.requests > 0)) return undefined;
  const { connection } = run;
  if (await ledger.approvals.application(id)) {
    // Danger: what was applied without an approval, as none was wanted where that was done.
    if (run.needsApproval) return undefined;
    return { status: 'stopped', reason: message('approval.wanted_since', { plan: id, connection }) };
  }
  return { status: 'stopped', reason: message('approval.stopped', { plan: id, connection }), kept: true };
}

/**
 * Why a step that was just planned with real values may not be sent: with these the run is about more than may be sent
 * without an approval. The run is sealed and stays a run; it can be approved and resumed.
 */
export async function stepApprovalGate({
  services,
  id,
  settings,
}: RunContext<StepsSettings>): Promise<Message | undefined> {
  const { ledger, by, clock } = services;
  const run = await requireRun(ledger, id);
  if (run.needsApproval || !(await wantsApproval(ledger, run, settings.connection, by?.who ?? run.by)))
    return undefined;
  if (run.planHash === undefined)
    await ledger.approvals.seal(id, {
      planHash: await planHash(ledger, run),
      needsApproval: true,
      makers: await planMakers(ledger, run),
      isStarted: true,
    });
  else if (approvalStanding(await ledger.approvals.list(id), clock.now()).state === 'approved')
    return undefined;
  return message('approval.step_above', { run: id, connection: run.connection });
}

/** Makes a planned run a kept plan by its hash, unless it is one already: from then on nothing of it may change. */
export async function sealPlan(
  { ledger }: Pick<RunServices, 'ledger'>,
  run: Run,
  isWanted = false,
): Promise<Run> {
  if (run.planHash !== undefined) return run;
  const needs = isWanted || (await wantsApproval(ledger, run));
  await ledger.approvals.seal(run.id, {
    planHash: await planHash(ledger, run),
    needsApproval: needs,
    makers: needs ? await planMakers(ledger, run) : [],
  });
  return requireRun(ledger, run.id);
}

/**
 * Whether a run wants an approval by the policies of when it was planned, by those of the connection as it is configured now,
 * and by what the ledger knows of its host.
 */
export async function wantsApproval(
  ledger: RunServices['ledger'],
  run: Run,
  now?: Connection,
  who = run.by,
): Promise<boolean> {
  const { connection } = unpackAny(run.settings);
  // Kept by what is just being planned alone: an older run that is looked at again must not bring back what was lifted since.
  const isNew = run.planHash === undefined && run.requests === 0;
  const planned = await policiesOver(ledger, connection, isNew ? run.by : undefined);
  const all = now ? [...planned, ...(await policiesOver(ledger, now, who))] : planned;
  return needsApproval(ledger, all, run);
}
