import { message } from '../../errors/message.js';
import { isSameContent } from '../../model/content.js';
import type { ItemOutcome, ItemStatus } from '../../model/outcome.js';
import { wholeRunOf } from '../../util/run-id.js';
import type { ClaimOptions } from '../contract/execution.js';
import type { KeyHolder } from '../contract/key-holder.js';

/** Outcomes that release the item's key: nothing came of it, or another item has it. */
export const RELEASES_KEY: readonly ItemStatus[] = ['rejected', 'failed', 'skipped', 'invalid'];

/** True when this outcome releases the item's key. An item that waits for another attempt keeps its key. */
export function releasesKey(outcome: ItemStatus): boolean {
  return RELEASES_KEY.includes(outcome);
}

/**
 * Whether an item may be sent although another one holds its key. Sending again what is known to be through may be
 * wanted (`duplicates: send`); what may be through has to be settled first, unless a retry was asked for those very rows.
 */
export function mayTakeOver(
  holder: Pick<KeyHolder, 'run' | 'status'>,
  { claim, neverFrom, releasedRun }: ClaimOptions,
): boolean {
  if (holder.status === 'unknown') return holder.run === releasedRun;
  return !claim && !neverFrom?.has(holder.run);
}

/**
 * What it means that an earlier item holds the key of this one. `unknown`: it may have been carried out already.
 * `done`: this very thing was carried out. `changed`: something else was carried out under the same key.
 */
export function repeatOf(
  holder: Pick<KeyHolder, 'status' | 'content'>,
  content: string,
): 'unknown' | 'done' | 'changed' {
  if (holder.status === 'unknown') return 'unknown';
  return isSameContent(holder.content, content) ? 'done' : 'changed';
}

/** The outcome of an item that isn't sent because another one holds its key. A true repeat shows what that one got. */
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
