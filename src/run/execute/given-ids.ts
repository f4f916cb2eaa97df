import type { AttemptEnd, IdsGiven } from '../../ledger/contract/attempt.js';
import type { Connection } from '../../model/connection.js';
import type { Job } from '../../model/job.js';
import type { Operation } from '../../model/operation.js';
import type { ItemOutcome } from '../../model/outcome.js';

type Outcomes = AttemptEnd['outcomes'];

interface Compared {
  readonly operation: Operation;
  readonly connection: Connection;
  readonly job: Job;
}

/** Whether an id is compared with those of earlier runs as well. */
export function comparedAcrossRuns({ operation: { gives }, connection, job }: Compared): boolean {
  return gives?.acrossRuns === true && !connection.sandbox && job.safety.duplicates !== 'send';
}

/**
 * The ids that a reply gave to items, for the ledger to compare. A sandbox may begin anew with every start, and who sends
 * repeats on purpose may be given the same again: then only ids of this run are compared.
 */
export function idsGiven(outcomes: Outcomes, of: Compared): IdsGiven | undefined {
  const { gives } = of.operation;
  if (!gives) return undefined;
  const items = outcomes.flatMap(({ item, outcome }) => {
    const ids = gives.ids(outcome);
    return ids.length > 0 ? [{ item, ids }] : [];
  });
  if (items.length === 0) return undefined;
  return { items, acrossRuns: comparedAcrossRuns(of) };
}

/** A cached reply comes again at once: older ids are left to the ledger, which knows all of them. */
const MOST_SEEN = 10_000;

/**
 * Ids that this process was given lately. The ledger decides what an item becomes, but only once it has written it; a run
 * that gets one reply for all its requests has to stop before that.
 */
export class SeenIds {
  readonly #items = new Map<string, number>();

  /** The outcomes as they count for the safety limits. */
  counted(outcomes: Outcomes, given: IdsGiven | undefined): readonly ItemOutcome[] {
    const repeated = new Set<number>();
    for (const { item, ids } of given?.items ?? []) {
      for (const id of ids) {
        const other = this.#items.get(id);
        if (other === undefined) this.#items.set(id, item);
        else if (other !== item) repeated.add(item);
      }
    }
    if (this.#items.size > MOST_SEEN) this.#items.clear();
    return outcomes.map(({ item, outcome }) =>
      repeated.has(item) ? { ...outcome, status: 'unknown' } : outcome,
    );
  }
}
