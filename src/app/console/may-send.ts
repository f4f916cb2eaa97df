import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import { isRefusedApply } from '../../ledger/rules/run-states.js';
import { operationNamed } from '../../platform/operations/index.js';
import { operationOf } from '../../run/run-checks.js';
import { hasSteps, stepRunsOf } from '../../run/step-runs.js';
import type { AppContext } from '../context.js';
import { runNamed, withLedger } from '../open.js';

/** What somebody saw when they said yes. */
export interface SeenPlan {
  readonly items: number;
  readonly connection: string;
  /** The number as it was typed, where something is deleted. */
  readonly confirmNumber?: number | undefined;
}

/**
 * Refuses a yes that was given to something else than the plan as it is: another number of items, another connection, or,
 * where something is deleted, without the number.
 * @returns whether workers carry it
 */
export function checkSeen(
  context: AppContext,
  id: string,
  seen: SeenPlan,
): Promise<{ readonly queue: boolean }> {
  return withLedger(context, async ({ ledger }) => {
    const plan = await runNamed(ledger, id);
    if (plan.kind === 'run' && !isRefusedApply(plan))
      throw new ProductError('usage', message('run.plan_used', { plan: id }));
    const { items, connection } = seen;
    if (items !== plan.items)
      throw new ProductError('usage', message('send.items_differ', { plan: id, items, now: plan.items }));
    if (connection !== plan.connection) {
      const params = { plan: id, connection, now: plan.connection };
      throw new ProductError('usage', message('send.connection_differs', params));
    }
    const operations = hasSteps(plan)
      ? (await stepRunsOf(ledger, plan)).map((it) => operationNamed(it.step.operation))
      : [operationOf(plan)];
    if (operations.some((it) => it.revokes !== undefined) && seen.confirmNumber !== plan.items)
      throw new ProductError('usage', message('send.number_wanted', { items: plan.items }));
    return { queue: ledger.queue !== undefined };
  });
}
