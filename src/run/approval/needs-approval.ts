import type { Ledger } from '../../ledger/contract/ledger.js';
import { type ApprovalPolicy, type Connection, policiesOf, policyHost } from '../../model/connection.js';
import type { OperationName } from '../../model/operation.js';
import { matchesPattern } from '../../util/name-pattern.js';

/**
 * Whether a plan may only be sent with a second person's approval, by any of these policies.
 * @param operations those of all its steps
 * @param items that it would send, over all steps
 */
export function needsApproval(
  policies: readonly ApprovalPolicy[],
  operations: readonly OperationName[],
  items: number,
): boolean {
  if (items === 0) return false;
  return policies.some(({ operations: patterns, above }) => {
    if (patterns && !operations.some((name) => patterns.some((it) => matchesPattern(it, name)))) return false;
    return above === undefined || items > above;
  });
}

/**
 * What is wanted over a connection: by its settings, and by every settings under which something was planned for its host
 * before. These the ledger keeps, so that nobody gets round them by settings of their own that leave them out.
 * @param who whose settings they are, for the audit; absent where nothing is to be kept
 */
export async function policiesOver(
  { approvals }: Pick<Ledger, 'approvals'>,
  connection: Connection,
  who?: string,
): Promise<readonly ApprovalPolicy[]> {
  const own = policiesOf(connection);
  const host = policyHost(connection);
  if (host === undefined) return own;
  if (who !== undefined && own.length > 0) await approvals.keepPolicies(host, own, who);
  const kept = (await approvals.policies()).filter((it) => it.host === host);
  return [...own, ...kept.map((it) => it.policy)];
}
