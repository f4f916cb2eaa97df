import { type Message, message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { HostPolicy } from '../../ledger/contract/approvals.js';
import type { AppContext } from '../context.js';
import { withLedger, withLedgerIfAny } from '../open.js';

/** `people policies`: which hosts want approvals by what the ledger has seen. */
export function listPolicies(
  context: AppContext,
): Promise<
  { readonly policies: readonly HostPolicy[]; readonly location: string } | { readonly none: Message }
> {
  return withLedgerIfAny(context, async (found) => {
    if ('none' in found) return found;
    return { policies: await found.ledger.approvals.policies(), location: found.ledger.location };
  });
}

/**
 * `people policies --lift HOST`: what the ledger wants for a host is wanted no more, until something is planned for it under
 * settings that want approvals.
 * @throws ProductError usage where nothing is wanted for it
 */
export function liftPolicies(context: AppContext, host: string): Promise<void> {
  return withLedger(
    context,
    async ({ ledger, actor }) => {
      if (!(await ledger.approvals.liftPolicies(host, actor.who)))
        throw new ProductError('usage', message('approval.no_policy', { host }));
    },
    { act: 'people' },
  );
}

/** A host's policy as plain data. */
export function policyData({ host, policy, by, at }: HostPolicy) {
  return { host, approval: policy, by, since: new Date(at).toISOString() };
}
