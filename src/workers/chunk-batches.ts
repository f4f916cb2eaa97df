import type { ExecutionStore, PendingBatch } from '../ledger/contract/execution.js';
import type { ChunkLease, WorkStore } from '../ledger/contract/queue.js';
import type { StopSignal } from '../util/stop-signal.js';

/**
 * The batches of a chunk that are still to be sent. One that shares a subject with an earlier one comes when that one is
 * done; when only those are left that wait for batches of other chunks, there are no more for now.
 */
export class ChunkBatches {
  readonly #stores: { readonly execution: ExecutionStore; readonly work: WorkStore };
  readonly #lease: ChunkLease;
  readonly #stop: StopSignal;
  /** By batch: those before it that aren't done. */
  #waits: Map<number, Set<number>> | undefined;
  #parked: PendingBatch[] = [];
  #after: number;
  #readAll = false;
  readonly #travelling = new Set<number>();
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
        for (const { batch } of ready) this.#travelling.add(batch);
        return ready;
      }
      if (!this.#readAll) await this.#read(limit);
      else if (this.#parked.length === 0) return [];
      else if (this.#travelling.size > 0) await this.#change();
      else if (!(await this.#lookAgain())) return [];
    }
    return [];
  }

  /** What came of a batch is in the ledger. */
  kept(batch: number): void {
    this.#travelling.delete(batch);
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

  /** Whether other chunks have brought on meanwhile what is waited for. */
  async #lookAgain(): Promise<boolean> {
    this.#waits = await this.#readWaits();
    return this.#parked.some(({ batch }) => !this.#waits?.has(batch));
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}
