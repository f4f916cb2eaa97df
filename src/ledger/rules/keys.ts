import { message } from '../../errors/message.js';
import { type ItemOutcome, type ItemStatus, isSameContent } from '../../model/item.js';
import { wholeRunOf } from '../../util/run-id.js';
import type { ClaimOptions } from '../contract/execution.js';
import type { KeyHolder } from '../contract/plan.js';

/** Outcomes that release the item's key: the item had no effect, or another item has the key. */
export const RELEASES_KEY: readonly ItemStatus[] = ['rejected', 'failed', 'skipped', 'invalid'];

/** True when this outcome releases the item's key. An item that waits for another attempt keeps its key. */
export function releasesKey(outcome: ItemStatus): boolean {
  return RELEASES_KEY.includes(outcome);
}

/**
 * Whether an item may be sent although another one has its key. Items that succeeded may be sent again if configured
 * (`duplicates: send`). Unknown items must be resolved first, unless a retry of exactly these rows was requested.
 */
export function mayTakeOver(
  holder: Pick<KeyHolder, 'run' | 'status'>,
  { claim, neverFrom, releasedRun }: ClaimOptions,
): boolean {
  if (holder.status === 'unknown') return holder.run === releasedRun;
  return !claim && !neverFrom?.has(holder.run);
}

/**
 * The relation to an earlier item with the same key. `unknown`: it may have been executed. `done`: the same content was
 * executed. `changed`: other content was executed with the same key.
 */
export function repeatOf(
  holder: Pick<KeyHolder, 'status' | 'content'>,
  content: string,
): 'unknown' | 'done' | 'changed' {
  if (holder.status === 'unknown') return 'unknown';
  return isSameContent(holder.content, content) ? 'done' : 'changed';
}

/** The outcome of an item that isn't sent because another one has its key. A repeat shows that item's result. */
export function heldOutcome(holder: KeyHolder, content: string): ItemOutcome {
  const { row, status, got } = holder;
  const run = wholeRunOf(holder.run);
  switch (repeatOf(holder, content)) {
    case 'unknown':
      return { status: 'skipped', message: message('ledger.held_unknown', { run, row }) };
    case 'changed':
      return { status: 'skipped', message: message('ledger.held_changed', { run, row, status }) };
    case 'done':
      return { status: 'skipped', message: message('ledger.held_done', { run, row, status }), ...got };
  }
}
