import type { ChunkLease } from '../ledger/contract/queue.js';
import { sendFrom } from '../run/execute/send-batches.js';
import { follow, StopSignal } from '../util/stop-signal.js';
import { ChunkBatches } from './chunk-batches.js';
import type { WorkerServices } from './contract.js';
import type { RunInHand } from './run-in-hand.js';
import type { Slots } from './slots.js';

/** A chunk that this worker holds. */
export interface HeldChunk {
  readonly lease: ChunkLease;
  /** Another worker has it, this one leaves, or the run stops. */
  readonly stop: StopSignal;
  lost: boolean;
}

export function holdChunk(lease: ChunkLease): HeldChunk {
  return { lease, stop: new StopSignal(), lost: false };
}

/**
 * Sends what is left of a chunk, until it is done, only batches are left that wait for other chunks, or it must stop.
 * @param opened called once its first batches wait for a slot, or there are none
 * @returns what ended it, where that is a fault of this worker or its ledger
 */
export async function carryChunk(
  services: WorkerServices,
  slots: Slots,
  held: HeldChunk,
  carried: RunInHand,
  opened: () => void,
): Promise<unknown> {
  const { lease, stop } = held;
  const unfollow = [follow(stop, services.stop), follow(stop, carried.stop)];
  const { execution, queue } = services.ledger;
  const batches = new ChunkBatches({ execution, work: queue.work }, lease, stop);
  try {
    await sendFrom(carried.parts({ lease, stop }), {
      limit: slots.limit,
      window: lease.last - lease.first + 1,
      watch: carried.failures,
      next: async (limit) => {
        const next = await batches.next(limit).finally(opened);
        // Whoever waits for work looks again once these wait for their slots.
        setImmediate(() => slots.changed());
        return next;
      },
      ended: () => slots.changed(),
      kept: ({ batch }) => batches.kept(batch),
    });
  } catch (error) {
    stop.stop({ kind: 'error', error });
  } finally {
    opened();
    for (const end of unfollow) end();
  }
  return stop.cause?.kind === 'error' && !carried.stop.cause ? stop.cause.error : undefined;
}
