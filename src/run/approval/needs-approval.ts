import type { Ledger } from '../../ledger/contract/ledger.js';
import type { Run } from '../../ledger/contract/runs.js';
import { type ApprovalPolicy, type Connection, policiesOf, policyHost } from '../../model/connection.js';
import type { Operation, OperationName } from '../../model/operation.js';
import { operationNamed } from '../../platform/operations/catalogue.js';
import { matchesPattern } from '../../util/name-match.js';
import { stepRunsOf } from '../step-runs.js';

/** Whether any of these policies allows a run to be sent only with an approval. */
export async function needsApproval(
  ledger: Pick<Ledger, 'runs' | 'plan'>,
  policies: readonly ApprovalPolicy[],
  run: Run,
): Promise<boolean> {
  if (policies.length === 0 || run.items === 0) return false;
  const steps = await stepRunsOf(ledger, run);
  const parts =
    steps.length === 0 ? [{ operation: operationNamed(run.operation as OperationName), run }] : steps;
  for (const policy of policies) {
    const { above } = policy;
    const matching = parts.filter(({ operation }) => appliesTo(policy, operation));
    if (matching.length === 0) continue;
    if (above === undefined) return true;
    let sum = 0;
    for (const { operation, run: part } of matching)
      sum += part ? await countAffected(ledger, operation, part) : 0;
    if (sum > above) return true;
  }
  return false;
}

export function appliesTo({ operations = ['*'] }: ApprovalPolicy, { name }: Operation): boolean {
  return operations.some((pattern) => matchesPattern(pattern, name));
}

/** The number of things that the items of an operation affect: the assets of orders, otherwise the items. */
async function countAffected(
  { plan }: Pick<Ledger, 'plan'>,
  { touches }: Operation,
  { id, items }: Run,
): Promise<number> {
  if (!touches) return items;
  let sum = 0;
  for await (const { body } of plan.bodies(id))
    sum += Math.max(1, touches(body).filter((thing) => thing.startsWith('asset ')).length);
  return sum;
}

/**
 * The approval policies of a connection: those of its settings, and those of all settings under which something was
 * planned for its host before. The ledger stores these, so that settings without policies cannot evade them.
 * @param who the user whose settings these are, for the audit; absent if nothing is to be stored
 */
export async function policiesOver(
  { approvals }: Pick<Ledger, 'approvals'>,
  connection: Connection,
  who?: string,
): Promise<readonly ApprovalPolicy[]> {
  const configured = policiesOf(connection);
  const host = policyHost(connection);
  if (host === undefined) return configured;
  if (who !== undefined && configured.length > 0) await approvals.keepPolicies(host, configured, who);
  const stored = (await approvals.policies()).filter((entry) => entry.host === host);
  return [...configured, ...stored.map((entry) => entry.policy)];
}
