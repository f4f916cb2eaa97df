import { isDeepStrictEqual } from 'node:util';
import { type Message, message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { Run } from '../../ledger/contract/runs.js';
import type { Connection } from '../../model/connection.js';
import type { RunServices } from '../run-context.js';
import { unpackAny } from '../settings.js';
import { hasSteps } from '../step-runs.js';
import { requiresApproval, sealPlan } from './approval-gate.js';
import { approvalMissing } from './approval-state.js';
import { planHash } from './plan-hash.js';

/**
 * Records the denial in the audit.
 * @throws ProductError safety, naming the missing approval
 */
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
 * Verifies a sealed plan by reading all of it again. Seals a plan of an earlier version.
 * @throws ProductError safety if anything was altered since
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
  if (!sealed.needsApproval && (await requiresApproval(services.ledger, plan, connection, services.by?.who)))
    await deny(
      services,
      plan,
      message('approval.required_since', { plan: plan.id, connection: plan.connection }),
    );
  return { ...sealed, planHash: sealed.planHash ?? '' };
}

/**
 * Verifies that an approved run continues with the approved content: the same rows and requests, on an unchanged
 * connection. The database refuses changes; this check detects removed triggers. In a run of several steps only the
 * connection is compared, because later steps are planned when their turn comes.
 */
export async function refuseOtherThanApproved(
  { ledger }: RunServices,
  run: Run,
  connection: Connection,
): Promise<void> {
  if (!run.needsApproval || run.kind !== 'run') return;
  const difference = otherThanApproved(run, connection);
  if (difference) throw new ProductError('usage', difference);
  if (!hasSteps(run) && (await planHash(ledger, run)) !== run.planHash)
    throw new ProductError('safety', message('approval.changed_since', { run: run.id }));
}

/** The settings that decide what the platform does with a request. Token, limits and notifications may change. */
const DECIDING = [
  'baseUrl',
  'appKey',
  'timestamps',
  'timezone',
  'retryCode500',
  'allowInsecureHttp',
  'sandbox',
] as const satisfies readonly (keyof Connection)[];

/** Why an approved run may not continue on its connection as configured now: it was approved for a different one. */
export function otherThanApproved(run: Run, current: Connection): Message | undefined {
  if (!run.needsApproval) return undefined;
  const { connection: approved } = unpackAny(run.settings);
  const changed = DECIDING.filter(
    (setting) =>
      !isDeepStrictEqual(approved[setting], current[setting]) &&
      // The address of a sandbox that is started on demand may differ.
      !(setting === 'baseUrl' && (approved.baseUrl === undefined || current.served)),
  );
  if (changed.length === 0) return undefined;
  const params = { run: run.id, connection: run.connection, changed: changed.join(', ') };
  return message('approval.other_connection', params);
}
