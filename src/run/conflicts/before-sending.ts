import { message } from '../../errors/message.js';
import { requireRun } from '../run-checks.js';
import type { RunContext } from '../run-context.js';
import type { StageEnd } from '../run-end.js';
import { type Conflict, conflictsElsewhere } from './find-conflicts.js';
import { indexOlderRuns } from './index-older-runs.js';
import { mayConflict, refused } from './refuse-conflicts.js';

const ITEMS_AT_ONCE = 500;

/**
 * Looks for conflicts that arose after the run was planned, or that other runs would cause which are about to be sent. Call it
 * when the run's state shows that it is about to send: of two such runs the second then finds the first.
 * @returns why nothing may be sent; undefined if all or the other items may
 */
export async function conflictsBeforeSending({
  services: { ledger, observer },
  id,
  settings: { job },
}: RunContext): Promise<StageEnd | undefined> {
  if (!mayConflict(job)) return undefined;
  await indexOlderRuns(ledger);
  const found: Conflict[] = [];
  for await (const it of conflictsElsewhere(ledger, id, job, 'sending')) found.push(it);
  const [first] = found;
  if (!first) return undefined;
  const rowsOf = (items: readonly Conflict[]) =>
    ledger.things.rows(
      id,
      items.map((it) => it.item),
    );
  const reverts = job.undoes !== undefined;
  if (job.safety.conflicts === 'warn') {
    const { startedAt } = await requireRun(ledger, id);
    // The others are in the messages of the rows.
    const since = found.filter((it) => it.since > startedAt);
    const rows = await rowsOf(since);
    for (const { item, reason } of since) {
      observer.warn(message('run.conflict_row', { row: rows.get(item)?.[0] ?? 0, why: reason }));
    }
    return undefined;
  }
  if (job.run.onInvalid === 'abort') {
    const row = (await rowsOf([first])).get(first.item)?.[0] ?? 0;
    const params = { count: found.length, row, why: refused(first.reason, reverts) };
    return { status: 'stopped', reason: message('run.conflict_since', params) };
  }
  for (let at = 0; at < found.length; at += ITEMS_AT_ONCE) {
    const some = found.slice(at, at + ITEMS_AT_ONCE);
    await ledger.plan.refuse(
      id,
      some.map(({ item, reason }) => ({ item, reason: refused(reason, reverts) })),
    );
  }
  return undefined;
}
