import { type Message, message } from '../errors/message.js';
import { pruneInputs } from '../ledger/inputs.js';
import { systemClock } from '../util/clock.js';
import type { AppContext } from './context.js';
import { ageMs } from './input-values.js';
import { type OpenedLedger, withLedgerIfAny } from './with-ledger.js';

export interface Pruned {
  /** Numbers of pruned runs and of removed input copies. */
  readonly pruned: number;
  readonly inputs: number;
  /** Old runs that were not pruned, each with the reason. */
  readonly kept: readonly { readonly run: string; readonly why: Message }[];
  /** Set if there is no ledger. */
  readonly none?: Message;
}

/** `runs prune`: removes the personal data of old runs. `olderThan`: in milliseconds, or as `90d`. */
export async function pruneRuns(context: AppContext, olderThan: string | number): Promise<Pruned> {
  const now = systemClock.now();
  const before = now - ageMs(olderThan);
  const prune = async (found: OpenedLedger | { readonly none: Message }): Promise<Pruned> => {
    if ('none' in found) return { pruned: 0, inputs: 0, kept: [], none: found.none };
    const { ledger, actor } = found;
    const detail = { before: new Date(before).toISOString() };
    await ledger.audit.append({ who: actor.who, act: 'prune', detail });
    // The subjects of pruned items must stay known, because they are used to detect conflicts with later orders.
    const { indexOlderRuns } = await import('../run/named-things.js');
    await indexOlderRuns(ledger);
    const pruned = await ledger.runs.prune(before);
    const inputs = await pruneInputs(ledger, now, before);
    const { pruneRehearsals } = await import('../rehearse/stored-rehearsals.js');
    await pruneRehearsals(ledger.stateFolder, before);
    const { pruneCells } = await import('../run/cells/cells-folder.js');
    await pruneCells(ledger.stateFolder, ledger.runs, before);
    const kept: { run: string; why: Message }[] = [];
    for (const { id: run, prunedAt, endedAt } of await ledger.runs.list(Number.MAX_SAFE_INTEGER)) {
      if (prunedAt !== undefined || endedAt === undefined || endedAt >= before) continue;
      const { unknown } = await ledger.runs.counts(run);
      const why = unknown ? message('run.kept_unknown', { run }) : message('run.kept_resumable', { run });
      kept.push({ run, why });
    }
    return { pruned, inputs, kept };
  };
  return withLedgerIfAny(context, prune, { act: 'prune' });
}
