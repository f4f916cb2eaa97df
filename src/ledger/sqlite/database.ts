import { closeSync, ftruncateSync, openSync } from 'node:fs';
import { DatabaseSync, type DatabaseSyncInstance, type StatementSyncInstance } from '@photostructure/sqlite';
import { LedgerClosed } from '../ledger-errors.js';
import { firstWriteFailure, isBusy, isUntrustworthy, ledgerFailure } from './failures.js';
import { DiskFlush, LedgerFile } from './ledger-file.js';

export type SqlValue = string | number | null | Uint8Array;

/** One row as returned by SQLite. */
type SqlRow = Readonly<Record<string, SqlValue>>;

/**
 * One connection with its statements, each prepared once. All calls are synchronous, so no other work of this process runs
 * between BEGIN and COMMIT.
 */
export class Database {
  readonly location: string;
  readonly #db: DatabaseSyncInstance;
  readonly #prepared = new Map<string, StatementSyncInstance>();
  /** Whether a COMMIT returns only when it is on disk; SQLite's `synchronous`. */
  #waitsForDisk = true;
  /** Handle of the write-ahead log, opened by the first separate flush. */
  #log: number | undefined;
  readonly #disk = new DiskFlush();
  #file: LedgerFile | undefined;
  /** A transaction is open that will never be committed (`readWithRollback`). */
  #rollsBack = false;
  /** The disk or the file failed. */
  #failed: { readonly error: unknown } | undefined;

  constructor(location: string, options: { readonly timeout: number; readonly readOnly?: boolean }) {
    this.location = location;
    this.#db = new DatabaseSync(location, {
      timeout: options.timeout,
      readOnly: options.readOnly ?? false,
      enableForeignKeyConstraints: true,
    });
  }

  /** From now on `checkFile` compares the path with the file that is open. */
  watchFile(): void {
    this.#file = new LedgerFile(this.location);
  }

  /** Other content was written into the file, so the log does not belong to it. */
  get isOverwritten(): boolean {
    return this.#file?.isOverwritten === true;
  }

  /** @throws ProductError internal when the file was removed, moved or replaced since it was opened */
  checkFile(): void {
    try {
      this.#file?.check();
    } catch (error) {
      // The log's content must not be written into another file.
      this.pragma('wal_autocheckpoint = 0');
      throw error;
    }
  }

  /** One or more statements without parameters. */
  exec(sql: string): void {
    this.#db.exec(sql);
  }

  /** Returns the number of rows changed. */
  run(sql: string, ...values: SqlValue[]): number {
    return this.#statement(sql).run(...values).changes;
  }

  get<T = SqlRow>(sql: string, ...values: SqlValue[]): T | undefined {
    return this.#statement(sql).get(...values) as T | undefined;
  }

  all<T = SqlRow>(sql: string, ...values: SqlValue[]): T[] {
    return this.#statement(sql).all(...values) as T[];
  }

  /** With parameters by name, `:name` in the statement. */
  allNamed<T = SqlRow>(sql: string, values: Readonly<Record<string, SqlValue>>): T[] {
    return this.#statement(sql).all(values) as T[];
  }

  /** With parameters by name. Returns the number of rows changed. */
  runNamed(sql: string, values: Readonly<Record<string, SqlValue>>): number {
    return this.#statement(sql).run(values).changes;
  }

  /** The value of a pragma, if it has one. */
  pragma(name: string): SqlValue | undefined {
    const row = this.#db.prepare(`PRAGMA ${name}`).get() as SqlRow | undefined;
    return row === undefined ? undefined : Object.values(row)[0];
  }

  /**
   * Commits all of `work` or nothing; on disk when it returns. Throws SQLite's errors. After a failure of the disk or the file
   * every transaction fails.
   */
  transaction<T>(work: () => T): T {
    return this.#transact(work, true);
  }

  /**
   * Like `transaction`, without waiting for the disk. Other processes see it at once. A power failure may lose it until
   * `synced` has resolved or a later `transaction` has returned, together with everything after it: the log is written in order.
   */
  unsyncedTransaction<T>(work: () => T): T {
    return this.#transact(work, false);
  }

  /** Resolves when everything committed before the call is on disk. Doesn't block the event loop. */
  async synced(): Promise<void> {
    try {
      await this.#disk.flush(this.#openedLog());
    } catch (error) {
      this.#failed ??= { error };
    }
    // After a failed flush the content of the disk is uncertain, even if a later flush succeeds.
    this.#refuseAfterFailure();
  }

  /** Opened for writing, because some systems refuse to flush otherwise. SQLite has no lock on this file that closing could lose. */
  #openedLog(): number {
    this.#log ??= openSync(`${this.location}-wal`, 'r+');
    return this.#log;
  }

  #refuseAfterFailure(): void {
    if (this.#failed) throw this.#failed.error;
  }

  #transact<T>(work: () => T, waits: boolean): T {
    this.#refuseAfterFailure();
    this.#endRollback();
    if (waits !== this.#waitsForDisk) {
      this.exec(`PRAGMA synchronous = ${waits ? 'FULL' : 'NORMAL'}`);
      this.#waitsForDisk = waits;
    }
    this.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.#refuseAfterFailure();
      this.exec('COMMIT');
      return result;
    } catch (error) {
      if (isUntrustworthy(error)) this.#failed = { error };
      this.#undo('ROLLBACK');
      throw error;
    }
  }

  /**
   * Rolls back after a failure, which the caller throws. Some failures (a full disk) make SQLite roll back itself. If the
   * rollback fails, nothing may be committed any more.
   */
  #undo(rollback: string): void {
    try {
      if (this.#db.isTransaction) this.exec(rollback);
    } catch (error) {
      this.#failed ??= { error };
    }
  }

  /**
   * Changes what this connection reads, in memory only: nothing is written to disk, and the next transaction rolls it back.
   * For reading compacted tables when the disk is full.
   */
  readWithRollback(work: () => void): void {
    this.#endRollback();
    // A cache that spills would write to the full disk.
    this.exec('PRAGMA cache_spill = OFF');
    this.exec('BEGIN IMMEDIATE');
    this.#rollsBack = true;
    try {
      work();
    } catch (error) {
      this.#endRollback();
      throw error;
    }
  }

  /** Runs `work` in the open transaction, or in a new one. Only its changes are rolled back if it throws. */
  savepoint<T>(work: () => T): T {
    this.exec('SAVEPOINT part');
    try {
      const result = work();
      this.exec('RELEASE part');
      return result;
    } catch (error) {
      this.#undo('ROLLBACK TO part; RELEASE part');
      throw error;
    }
  }

  #endRollback(): void {
    if (!this.#rollsBack) return;
    this.#rollsBack = false;
    this.#undo('ROLLBACK');
    this.exec('PRAGMA cache_spill = ON');
  }

  /**
   * Must be called in every transaction that writes something new. The ends of requests in flight and the compaction of the
   * journal are written to a closed ledger, too.
   * @throws LedgerClosed
   */
  refuseClosed(kind?: 'usage' | 'safety'): void {
    const to = this.get<{ closed_to: string | null }>('SELECT closed_to FROM ledger_identity')?.closed_to;
    if (typeof to === 'string') throw new LedgerClosed(this.location, to, kind);
  }

  #unlessClosed<T>(work: () => T): () => T {
    return () => {
      this.refuseClosed();
      return work();
    };
  }

  /** A transaction that throws errors for users. */
  write<T>(work: () => T): T {
    try {
      return this.transaction(this.#unlessClosed(work));
    } catch (error) {
      throw ledgerFailure(error, this.location, 'write');
    }
  }

  /**
   * A write that a power failure may lose until `flushed` has resolved. For data that is created again unless its presence
   * was reported.
   */
  unsyncedWrite<T>(work: () => T): T {
    try {
      // Only handles that are open at the time receive the error of a failed flush, and SQLite ignores one in a checkpoint.
      this.#openedLog();
      return this.unsyncedTransaction(this.#unlessClosed(work));
    } catch (error) {
      throw ledgerFailure(error, this.location, 'write');
    }
  }

  /** Resolves when all unsynced writes before the call are on disk. */
  async flushed(): Promise<void> {
    try {
      await this.synced();
    } catch (error) {
      throw ledgerFailure(error, this.location, 'write');
    }
  }

  /** A write before anything was sent. A ledger that another program has locked is a usage error, not a failure. */
  firstWrite<T>(work: () => T, evenClosed = false): T {
    this.checkFile();
    try {
      return this.transaction(evenClosed ? work : this.#unlessClosed(work));
    } catch (error) {
      throw firstWriteFailure(error, this.location);
    }
  }

  /** A write that is skipped if another program is writing, or if the ledger is closed. */
  unlessBusy(work: () => unknown): void {
    try {
      this.waitingFor(0, () => this.transaction(this.#unlessClosed(work)));
    } catch (error) {
      if (!isBusy(error) && !(error instanceof LedgerClosed))
        throw ledgerFailure(error, this.location, 'write');
    }
  }

  /** Runs `work`, waiting at most `ms` for locks of other programs. */
  waitingFor<T>(ms: number, work: () => T): T {
    const previous = this.pragma('busy_timeout');
    this.pragma(`busy_timeout = ${ms}`);
    try {
      return work();
    } finally {
      this.pragma(`busy_timeout = ${previous}`);
    }
  }

  /** Reads that throw errors for users. */
  read<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw ledgerFailure(error, this.location, 'read');
    }
  }

  /**
   * No further call is possible. The library closes the file only when the statements are garbage-collected, so checkpoints
   * and transactions must be finished before.
   */
  close(): void {
    this.#endRollback();
    this.#prepared.clear();
    // Danger: closing would write the log into the new content of the file and corrupt it.
    if (this.isOverwritten) ftruncateSync(this.#openedLog());
    if (this.#log !== undefined) closeSync(this.#log);
    this.#log = undefined;
    this.#db.close();
  }

  #statement(sql: string): StatementSyncInstance {
    const prepared = this.#prepared.get(sql);
    if (prepared) return prepared;
    const statement = this.#db.prepare(sql);
    this.#prepared.set(sql, statement);
    return statement;
  }
}
