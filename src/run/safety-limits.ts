import { type Message, message } from '../errors/message.js';
import type { Ledger } from '../ledger/contract/ledger.js';
import type { JobSafety } from '../model/job.js';
import type { Operation } from '../model/operation.js';

interface PlannedRun {
  readonly run: string;
  readonly operation: Operation;
  readonly items: number;
}

/** The safety limit that the plans break together, if any: nothing of them may be sent then. */
export async function brokenLimit(
  ledger: Ledger,
  { maxItems, maxDeletes }: Pick<JobSafety, 'maxItems' | 'maxDeletes'>,
  plans: readonly PlannedRun[],
): Promise<Message | undefined> {
  const items = plans.reduce((sum, it) => sum + it.items, 0);
  if (items > maxItems) return message('run.max_items', { items, limit: maxItems });
  let count = 0;
  for (const { run, operation } of plans) {
    if (!operation.revokes) continue;
    for await (const { body } of ledger.plan.bodies(run)) count += operation.revokes(body);
  }
  return count > maxDeletes ? message('run.max_deletes', { count, limit: maxDeletes }) : undefined;
}
