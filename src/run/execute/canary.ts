import { type Message, message } from '../../errors/message.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { Confirm, SendQuestion } from './consent.js';

/** So many items as whole requests have that hold at least the wanted ones: batches that are made aren't divided. */
export async function itemsOfWholeRequests(
  ledger: Pick<Ledger, 'execution'>,
  run: string,
  wanted: number,
): Promise<number> {
  let items = 0;
  let after = 0;
  while (items < wanted) {
    const batches = await ledger.execution.pending(run, after, 100);
    if (batches.length === 0) break;
    for (const it of batches) {
      if (items < wanted) items += it.items.length;
      after = it.batch;
    }
  }
  return items;
}

/** Where a run with a canary stands, by what its ledger holds. */
type CanaryStand =
  /** So many items of the canary are still to be sent. */
  | { readonly kind: 'sending'; readonly left: number }
  /** The canary is through and none of the rest was begun. */
  | { readonly kind: 'waiting' }
  /** No canary was asked for, it is the whole run, or the rest was begun: a yes was given then. */
  | { readonly kind: 'none' };

export async function canaryStand(
  ledger: Ledger,
  run: string,
  planned: number,
  canary: number | undefined,
): Promise<CanaryStand> {
  if (canary === undefined || canary >= planned) return { kind: 'none' };
  const { items } = await ledger.execution.remaining(run);
  const settled = planned - items;
  if (settled < canary) return { kind: 'sending', left: canary - settled };
  return settled === canary ? { kind: 'waiting' } : { kind: 'none' };
}

/**
 * Whether what a canary leaves may be sent (contract section 7): asked for where somebody can be asked; `--yes` goes on
 * when all of the canary succeeded, or when it was told before what became of it (`untold` false). Gives the refusal,
 * or undefined.
 */
export async function canaryConsent(
  ledger: Ledger,
  run: string,
  confirm: Confirm,
  question: SendQuestion,
  untold: boolean,
): Promise<Message | undefined> {
  const counts = await ledger.execution.itemCounts(run);
  const good = (counts.succeeded ?? 0) + (counts.accepted ?? 0) + (counts.skipped ?? 0);
  const settled = good + (counts.rejected ?? 0) + (counts.failed ?? 0) + (counts.unknown ?? 0);
  const params = { run, good, settled, left: question.items };
  if (confirm === true) {
    return untold && good < settled ? message('run.canary_failed', params) : undefined;
  }
  if (confirm === false) return message('run.canary_waits', params);
  const confirmed = await confirm({ ...question, canary: { good, settled } });
  return confirmed ? undefined : message('run.canary_waits', params);
}
