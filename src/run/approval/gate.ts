import { message } from '../../errors/message.js';
import type { Run } from '../../ledger/contract/run.js';
import { operationsOf } from '../../model/job.js';
import { requireRun } from '../run-checks.js';
import type { RunContext, RunServices } from '../run-context.js';
import type { StageEnd } from '../run-end.js';
import { type RunSettings, type StepsSettings, unpackAny } from '../settings.js';
import { needsApproval } from './needs-approval.js';
import { planHash } from './plan-hash.js';

interface AnyContext extends Pick<RunContext<RunSettings | StepsSettings>, 'id' | 'settings'> {
  readonly services: Pick<RunServices, 'ledger'>;
}

/**
 * Why what was planned may not be sent without a second person: the run then ends as a kept plan. Once it was applied with its
 * approval it goes on without another; and where something of it was sent before anybody wanted approvals, it may be finished.
 */
export async function approvalGate({
  services: { ledger },
  id,
  settings,
}: AnyContext): Promise<StageEnd | undefined> {
  const run = await requireRun(ledger, id);
  // The policy of when it was planned, and that of now.
  const policies = [unpackAny(run.settings).connection, settings.connection];
  const operations = operationsOf(settings.job);
  const isWanted = policies.some((it) => needsApproval(it, operations, run.items));
  if (!run.needsApproval && (!isWanted || run.requests > 0)) return undefined;
  if (await ledger.approvals.application(id)) return undefined;
  const { connection } = run;
  return { status: 'stopped', reason: message('approval.stopped', { plan: id, connection }), kept: true };
}

/** Makes a planned run a kept plan by its hash, unless it is one already: from then on nothing of it may change. */
export async function sealPlan(
  { ledger }: Pick<RunServices, 'ledger'>,
  run: Run,
  isWanted = false,
): Promise<Run> {
  if (run.planHash !== undefined) return run;
  const { connection, job } = unpackAny(run.settings);
  await ledger.approvals.seal(run.id, {
    planHash: await planHash(ledger, run),
    needsApproval: isWanted || needsApproval(connection, operationsOf(job), run.items),
  });
  return requireRun(ledger, run.id);
}
