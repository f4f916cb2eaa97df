import type { ExecutionStore, PendingBatch } from '../ledger/contract/execution.js';
import type { ChunkLease } from '../ledger/contract/queue.js';
import type { WorkStore } from '../ledger/postgres/work.js';
import { sendFrom } from '../run/execute/send-batches.js';
import { follow, StopSignal } from '../util/stop-signal.js';
import type { ActiveRun } from './active-run.js';
import type { WorkerServices } from './services.js';
import type { Slots } from './worker-tally.js';

/**
 * The batches of a chunk that are still to be sent. A batch that shares a subject with an earlier one is returned after that
 * one is done. If only batches are left that wait for other chunks, none is returned for now.
 */
class ChunkBatches {
  readonly #stores: { readonly execution: ExecutionStore; readonly work: WorkStore };
  readonly #lease: ChunkLease;
  readonly #stop: StopSignal;
  /** By batch: the batches before it that are not done. */
  #waits: Map<number, Set<number>> | undefined;
  #parked: PendingBatch[] = [];
  #after: number;
  #readAll = false;
  readonly #inFlight = new Set<number>();
  #wake = (): void => {};

  constructor(
    stores: { readonly execution: ExecutionStore; readonly work: WorkStore },
    lease: ChunkLease,
    stop: StopSignal,
  ) {
    this.#stores = stores;
    this.#lease = lease;
    this.#stop = stop;
    this.#after = lease.first - 1;
    stop.signal.addEventListener('abort', () => this.#wake(), { once: true });
  }

  async next(limit: number): Promise<readonly PendingBatch[]> {
    await this.#read(limit);
    while (!this.#stop.cause) {
      const ready = this.#parked.filter(({ batch }) => !this.#waits?.has(batch));
      if (ready.length > 0) {
        this.#parked = this.#parked.filter(({ batch }) => this.#waits?.has(batch));
        for (const { batch } of ready) this.#inFlight.add(batch);
        return ready;
      }
      if (!this.#readAll) await this.#read(limit);
      else if (this.#parked.length === 0) return [];
      else if (this.#inFlight.size > 0) await this.#change();
      else if (!(await this.#refreshWaits())) return [];
    }
    return [];
  }

  /** The outcome of a batch is stored in the ledger. */
  finish(batch: number): void {
    this.#inFlight.delete(batch);
    for (const [waiting, before] of this.#waits ?? []) {
      if (before.delete(batch) && before.size === 0) this.#waits?.delete(waiting);
    }
    this.#wake();
  }

  async #read(limit: number): Promise<void> {
    if (this.#readAll) return;
    const { run, last } = this.#lease;
    this.#waits ??= await this.#readWaits();
    const page = await this.#stores.execution.pending(run, this.#after, limit, last);
    this.#after = page.at(-1)?.batch ?? this.#after;
    this.#readAll = page.length === 0;
    this.#parked.push(...page);
  }

  async #readWaits(): Promise<Map<number, Set<number>>> {
    const waits = new Map<number, Set<number>>();
    for (const { batch, after } of await this.#stores.work.waits(this.#lease)) {
      const before = waits.get(batch) ?? new Set();
      waits.set(batch, before.add(after));
    }
    return waits;
  }

  /** Reads the waits again; true if other chunks have finished a batch that one here waits for. */
  async #refreshWaits(): Promise<boolean> {
    this.#waits = await this.#readWaits();
    return this.#parked.some(({ batch }) => !this.#waits?.has(batch));
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}

/** A chunk leased by this worker. */
export interface LeasedChunk {
  readonly lease: ChunkLease;
  /** Stops if another worker took the chunk over, this worker exits, or the run stops. */
  readonly stop: StopSignal;
  lost: boolean;
}

export function leasedChunk(lease: ChunkLease): LeasedChunk {
  return { lease, stop: new StopSignal(), lost: false };
}

/**
 * Sends the remaining batches of a chunk, until it is done, only batches are left that wait for other chunks, or it must stop.
 * @param opened called when its first batches wait for a slot, or there are none; may be called again
 * @returns the error that ended it, if it is one of this worker or its ledger
 */
export async function executeChunk(
  services: WorkerServices,
  slots: Slots,
  held: LeasedChunk,
  active: ActiveRun,
  opened: () => void,
): Promise<unknown> {
  const { lease, stop } = held;
  const unfollow = [follow(stop, services.stop), follow(stop, active.stop)];
  const { execution, queue } = services.ledger;
  const batches = new ChunkBatches({ execution, work: queue.work }, lease, stop);
  try {
    await sendFrom(active.parts({ lease, stop }), {
      limit: slots.limit,
      window: lease.last - lease.first + 1,
      watch: active.failures,
      next: async (limit) => {
        const next = await batches.next(limit).finally(opened);
        // Checks for more work again after these batches wait for their slots.
        setImmediate(() => slots.changed());
        return next;
      },
      ended: () => slots.changed(),
      kept: ({ batch }) => batches.finish(batch),
    });
  } catch (error) {
    stop.stop({ kind: 'error', error });
  } finally {
    opened();
    for (const end of unfollow) end();
  }
  return stop.cause?.kind === 'error' && !active.stop.cause ? stop.cause.error : undefined;
}
