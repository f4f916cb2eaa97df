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
  const reasons = new Reasons();
  for (const { run: of, operation } of await revertedParts(ledger, run)) {
    for await (const effects of ledger.undoings.effects(of.id)) {
      for (const it of effects) {
        const way = wayBackOf(operation, it);
        if (way.kind === 'item') return undefined;
        reasons.add(way.reason);
      }
      // Of all its items there is none that could be taken back.
      if (operation.wayBack.kind === 'none') break;
      left -= effects.length;
      if (left <= 0) return undefined;
    }
  }
  return reasons.told(run.id);
}

/** Why rows of a run aren't taken back, told in one sentence where that can be. */
export class Reasons {
  readonly #by = new Set<string>();
  #one: Message | undefined;
  #isOne = true;

  add(reason: Message): void {
    this.#isOne &&= this.#one === undefined || this.#one.code === reason.code;
    this.#one ??= reason;
    if (reason.code === 'revert.undone') this.#by.add(wholeRunOf(String(reason.params.run)));
  }

  told(run: string): Message {
    const one = this.#one;
    if (one === undefined) return message('revert.nothing_done', { run });
    if (!this.#isOne) return message('revert.none', { run });
    if (one.code === 'revert.undone')
      return message('revert.all_undone', { run, by: [...this.#by].join(', ') });
    // What names a row holds for that one alone.
    return 'row' in one.params
      ? message('revert.none', { run })
      : message('revert.none_why', { run, reason: one });
  }
}
