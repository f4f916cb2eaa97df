import type { Ledger } from '../../ledger/contract/ledger.js';
import type { Run } from '../../ledger/contract/run.js';
import { type ApprovalPolicy, type Connection, policiesOf, policyHost } from '../../model/connection.js';
import type { Operation, OperationName } from '../../model/operation.js';
import { operationNamed } from '../../platform/operations/index.js';
import { matchesPattern } from '../../util/name-pattern.js';
import { stepRunsOf } from '../step-runs.js';

/** Whether a run may only be sent with a second person's approval, by any of these policies. */
export async function needsApproval(
  ledger: Pick<Ledger, 'runs' | 'plan'>,
  policies: readonly ApprovalPolicy[],
  run: Run,
): Promise<boolean> {
  if (policies.length === 0 || run.items === 0) return false;
  const steps = await stepRunsOf(ledger, run);
  const parts =
    steps.length === 0 ? [{ operation: operationNamed(run.operation as OperationName), run }] : steps;
  for (const { operations: patterns = ['*'], above } of policies) {
    const matching = parts.filter(({ operation }) =>
      patterns.some((it) => matchesPattern(it, operation.name)),
    );
    if (matching.length === 0) continue;
    if (above === undefined) return true;
    let sum = 0;
    for (const { operation, run: part } of matching)
      sum += part ? await concerned(ledger, operation, part) : 0;
    if (sum > above) return true;
  }
  return false;
}

/** How much the items of an operation are about: the assets of orders, otherwise items (a lock is one). */
async function concerned(
  { plan }: Pick<Ledger, 'plan'>,
  { touches }: Operation,
  { id, items }: Run,
): Promise<number> {
  if (!touches) return items;
  let sum = 0;
  for await (const { body } of plan.bodies(id))
    sum += Math.max(1, touches(body).filter((it) => it.startsWith('asset ')).length);
  return sum;
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
