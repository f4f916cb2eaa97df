import { type Message, message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { Run } from '../../ledger/contract/run.js';
import type { Connection } from '../../model/connection.js';
import type { RunServices } from '../run-context.js';
import { hasSteps } from '../step-runs.js';
import { sealPlan, wantsApproval } from './gate.js';
import { otherThanApproved } from './other-than-approved.js';
import { planHash } from './plan-hash.js';
import { approvalMissing } from './standing.js';

/** @throws ProductError safety, naming whose word is missing; told in the audit */
export async function refuseUnapproved(services: RunServices, plan: Run): Promise<void> {
  const missing = await approvalMissing(services.ledger, plan, services.clock.now());
  if (missing) await deny(services, plan, missing);
}

async function deny({ ledger, by }: RunServices, plan: Run, missing: Message): Promise<never> {
  if (by)
    await ledger.audit.append({
      who: by.who,
      act: 'denied',
      run: plan.id,
      detail: { act: by.act, why: missing.code },
    });
  throw new ProductError('safety', missing);
}

/**
 * A plan as it was sealed, all of it read once more; one of an earlier version is sealed now.
 * @throws ProductError safety where something of it was altered since
 */
export async function unchangedPlan(
  services: RunServices,
  plan: Run,
  connection: Connection,
): Promise<Run & { readonly planHash: string }> {
  const sealed = plan.planHash === undefined ? await sealPlan(services, plan) : plan;
  if (plan.planHash === undefined) await refuseUnapproved(services, sealed);
  else if ((await planHash(services.ledger, plan)) !== plan.planHash)
    throw new ProductError('safety', message('approval.changed', { plan: plan.id }));
  if (!sealed.needsApproval && (await wantsApproval(services.ledger, plan, connection, services.by?.who)))
    await deny(
      services,
      plan,
      message('approval.wanted_since', { plan: plan.id, connection: plan.connection }),
    );
  return { ...sealed, planHash: sealed.planHash ?? '' };
}

/**
 * What an approved run goes on with is what was approved: rows and requests as they were hashed, over the connection as it was.
 * The database refuses to change them; this finds out who took its triggers away. Later steps are planned when their turn
 * comes, so of a run of several steps only the connection is compared.
 */
export async function refuseOtherThanApproved(
  { ledger }: RunServices,
  run: Run,
  connection: Connection,
): Promise<void> {
  if (!run.needsApproval || run.kind !== 'run') return;
  const other = otherThanApproved(run, connection);
  if (other) throw new ProductError('usage', other);
  if (!hasSteps(run) && (await planHash(ledger, run)) !== run.planHash)
    throw new ProductError('safety', message('approval.changed_since', { run: run.id }));
}
