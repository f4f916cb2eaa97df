import { type Message, message } from '../../errors/message.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { Run } from '../../ledger/contract/run.js';
import { wholeRunOf } from '../../util/run-id.js';
import { revertedParts } from './reverted-rows.js';
import { wayBackOf } from './undoing-lines.js';

/**
 * Why nothing that a run did can be taken back (any more): nothing of it has a way back, or all was taken back. Undefined
 * where something can be, and where that isn't known after so many items.
 */
export async function nothingToTakeBack(
  ledger: Ledger,
  run: Run,
  lookedAt: number,
): Promise<Message | undefined> {
  let left = lookedAt;
  const reasons: Message[] = [];
  for (const { run: of, operation } of await revertedParts(ledger, run)) {
    for await (const effects of ledger.undoings.effects(of.id)) {
      for (const it of effects) {
        const way = wayBackOf(operation, it);
        if (way.kind === 'item') return undefined;
        reasons.push(way.reason);
      }
      // Of all its items there is none that could be taken back.
      if (operation.wayBack.kind === 'none') break;
      left -= effects.length;
      if (left <= 0) return undefined;
    }
  }
  return whyNothing(run.id, reasons);
}

/** Why rows of a run aren't taken back, told in one sentence where that can be. */
export function whyNothing(run: string, reasons: readonly Message[]): Message {
  const [one] = reasons;
  if (one === undefined) return message('revert.nothing_done', { run });
  if (reasons.some((it) => it.code !== one.code)) return message('revert.none', { run });
  if (one.code === 'revert.undone') {
    const by = new Set(reasons.map((it) => wholeRunOf(String(it.params.run))));
    return message('revert.all_undone', { run, by: [...by].join(', ') });
  }
  // What names a row holds for that one alone.
  return 'row' in one.params
    ? message('revert.none', { run })
    : message('revert.none_why', { run, reason: one });
}
