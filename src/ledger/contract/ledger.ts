import type { SendingGuard } from '../marks/ledger-guard.js';
import type { QueueStore } from '../postgres/queue.js';
import type { LedgerStores } from '../store/stores.js';
import type { ExecutionStore } from './execution.js';
import type { InputStore, PendingFileStore } from './inputs.js';
import type { LockAnswer, LockHolder } from './run-lock.js';
import type { LedgerUpkeep } from './upkeep.js';

/**
 * The database of runs, batches, attempts and outcomes. Asynchronous throughout, because it may be on a server. Opening
 * refuses (`ProductError`, kind internal) a ledger that is corrupt, newer than the program, or not a ledger.
 */
export interface Ledger extends LedgerStores {
  /** For users: the file's path or the server's address without a password. */
  readonly location: string;
  /** Opens the same ledger again, here or as `--ledger` of another process. Never show it: it may contain a password. */
  readonly address: string;
  /** Local folder for the ledger's files: kept inputs, inboxes, actions, the address of a served sandbox. */
  readonly stateFolder: string;
  readonly execution: ExecutionStore;
  readonly inputs: InputStore;
  readonly pendingFiles: PendingFileStore;
  readonly upkeep: LedgerUpkeep;
  /** Runs processed by workers; absent if the ledger is a file of one machine. */
  readonly queue?: QueueStore;
  /** Detects lost records. */
  readonly guard: SendingGuard;
  /**
   * Takes the lock of a job and platform (`scopeOf`) for a run, without waiting for it.
   * @throws ProductError usage when another program has locked the whole ledger
   */
  lock(job: string, scope: string, run: string): Promise<LockAnswer>;
  /** The current holder of that lock; undefined when it is free, also after its process died. */
  holder(job: string, scope: string): Promise<LockHolder | undefined>;
  /** Finishes pending writes and closes. */
  close(): Promise<void>;
}
