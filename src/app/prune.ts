import { type Message, message } from '../errors/message.js';
import { pruneInputs } from '../ledger/inputs.js';
import { systemClock } from '../util/clock.js';
import { ageMs } from './age.js';
import type { AppContext } from './context.js';
import { type OpenedLedger, withLedgerIfAny } from './open.js';

export interface Pruned {
  /** How many runs lost their personal data, and how many copies of inputs are gone with them. */
  readonly pruned: number;
  readonly inputs: number;
  /** Runs as old that were left as they are, each with the reason. */
  readonly kept: readonly { readonly run: string; readonly why: Message }[];
  /** Where no ledger was found. */
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
    // What pruned items are about must still be known: conflicts with later orders are found by it.
    const { indexOlderRuns } = await import('../run/conflicts/index-older-runs.js');
    await indexOlderRuns(ledger);
    const pruned = await ledger.runs.prune(before);
    const inputs = await pruneInputs(ledger, now, before);
    const { pruneRehearsals } = await import('../rehearse/kept.js');
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
