import { closeSync, ftruncateSync, openSync } from 'node:fs';
import { DatabaseSync, type DatabaseSyncInstance, type StatementSyncInstance } from '@photostructure/sqlite';
import { DiskFlush } from './disk-flush.js';
import { firstWriteFailure, isBusy, isUntrustworthy, ledgerFailure } from './failures.js';
import { LedgerFile } from './ledger-file.js';

export type SqlValue = string | number | null | Uint8Array;

/** One row as SQLite gives it; each query says which columns it has. */
type SqlRow = Readonly<Record<string, SqlValue>>;

/**
 * One connection with its statements, each prepared once. All calls are synchronous: between BEGIN and COMMIT
 * nothing else of this process can come in between.
 */
export class Database {
  readonly location: string;
  readonly #db: DatabaseSyncInstance;
  readonly #prepared = new Map<string, StatementSyncInstance>();
  /** Whether a COMMIT returns only once it is on disk; SQLite's `synchronous`. */
  #waitsForDisk = true;
  /** The write-ahead log, once it was waited for apart from a commit. */
  #log: number | undefined;
  readonly #disk = new DiskFlush();
  #file: LedgerFile | undefined;
  /** A transaction is open that will never be committed (`pretend`). */
  #pretends = false;
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

  /** Other content was written into the file: the log does not belong to it. */
  get isOverwritten(): boolean {
    return this.#file?.isOverwritten === true;
  }

  /** @throws ProductError internal when the file was removed, moved or replaced since it was opened */
  checkFile(): void {
    try {
      this.#file?.check();
    } catch (error) {
      // What is in the log must not be written into another file.
      this.pragma('wal_autocheckpoint = 0');
      throw error;
    }
  }

  /** Statements without parameters, several at once if need be. */
  exec(sql: string): void {
    this.#db.exec(sql);
  }

  /** Gives the number of rows changed. */
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

  /** With parameters by name. Gives the number of rows changed. */
  runNamed(sql: string, values: Readonly<Record<string, SqlValue>>): number {
    return this.#statement(sql).run(values).changes;
  }

  /** The value of a pragma, when it gives one. */
  pragma(name: string): SqlValue | undefined {
    const row = this.#db.prepare(`PRAGMA ${name}`).get() as SqlRow | undefined;
    return row === undefined ? undefined : Object.values(row)[0];
  }

  /**
   * All of `work` or none of it, on disk when it returns. Errors are SQLite's own. After a failure of the disk or the file
   * there is no other.
   */
  transaction<T>(work: () => T): T {
    return this.#transact(work, true);
  }

  /**
   * The same, but for the disk: others see it at once, and it may be lost with the power until `synced` has resolved
   * or a later `transaction` has returned. Nothing can be lost of it alone: the log is written in order.
   */
  unsyncedTransaction<T>(work: () => T): T {
    return this.#transact(work, false);
  }

  /** Resolves once all that was committed before the call is on disk. Where that takes long, the event loop goes on meanwhile. */
  async synced(): Promise<void> {
    try {
      await this.#disk.flush(this.#openedLog());
    } catch (error) {
      this.#failed ??= { error };
    }
    // What the disk has of it can't be told any more once a flush has failed, even if a later one succeeds.
    if (this.#failed) throw this.#failed.error;
  }

  /** Write access, without which some systems refuse to flush. SQLite has no lock on this file that closing could lose. */
  #openedLog(): number {
    this.#log ??= openSync(`${this.location}-wal`, 'r+');
    return this.#log;
  }

  #transact<T>(work: () => T, waits: boolean): T {
    if (this.#failed) throw this.#failed.error;
    this.#endPretence();
    if (waits !== this.#waitsForDisk) {
      this.exec(`PRAGMA synchronous = ${waits ? 'FULL' : 'NORMAL'}`);
      this.#waitsForDisk = waits;
    }
    this.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.exec('COMMIT');
      return result;
    } catch (error) {
      if (isUntrustworthy(error)) this.#failed = { error };
      // Some errors (a full disk) make SQLite roll back by itself.
      if (this.#db.isTransaction) this.exec('ROLLBACK');
      throw error;
    }
  }

  /**
   * Changes what this connection reads, in memory alone: nothing reaches the disk, and the next transaction takes it
   * back. For tables that must be read as they would be, when the disk takes nothing any more.
   */
  pretend(work: () => void): void {
    this.#endPretence();
    // A cache that spills would write to the very disk that is full.
    this.exec('PRAGMA cache_spill = OFF');
    this.exec('BEGIN IMMEDIATE');
    this.#pretends = true;
    try {
      work();
    } catch (error) {
      this.#endPretence();
      throw error;
    }
  }

  /** `work` within the transaction that is open, or in one of its own; what it did is undone alone when it throws. */
  part<T>(work: () => T): T {
    this.exec('SAVEPOINT part');
    try {
      const result = work();
      this.exec('RELEASE part');
      return result;
    } catch (error) {
      this.exec('ROLLBACK TO part; RELEASE part');
      throw error;
    }
  }

  #endPretence(): void {
    if (!this.#pretends) return;
    this.#pretends = false;
    if (this.#db.isTransaction) this.exec('ROLLBACK');
    this.exec('PRAGMA cache_spill = ON');
  }

  /** A transaction whose failure is told to a person. */
  write<T>(work: () => T): T {
    try {
      return this.transaction(work);
    } catch (error) {
      throw ledgerFailure(error, this.location, 'write');
    }
  }

  /**
   * A write that may be lost with the power, until `flushed` has resolved: of what is made again as long as nobody was told
   * that it is there.
   */
  unsyncedWrite<T>(work: () => T): T {
    try {
      // A flush that failed is told to those who have the file open then, and SQLite says nothing of one in a checkpoint.
      this.#openedLog();
      return this.unsyncedTransaction(work);
    } catch (error) {
      throw ledgerFailure(error, this.location, 'write');
    }
  }

  /** Resolves once all unsynced writes before the call are on disk. */
  async flushed(): Promise<void> {
    try {
      await this.synced();
    } catch (error) {
      throw ledgerFailure(error, this.location, 'write');
    }
  }

  /** A write before anything was sent; a ledger that another program holds is told as such, not as a failure. */
  firstWrite<T>(work: () => T): T {
    this.checkFile();
    try {
      return this.transaction(work);
    } catch (error) {
      throw firstWriteFailure(error, this.location);
    }
  }

  /** A write that may as well be left out, where another program writes just now: nobody waits for it. */
  unlessBusy(work: () => unknown): void {
    try {
      this.waitingFor(0, () => this.transaction(work));
    } catch (error) {
      if (!isBusy(error)) throw ledgerFailure(error, this.location, 'write');
    }
  }

  /** Waits for other programs no longer than so many milliseconds. */
  waitingFor<T>(ms: number, work: () => T): T {
    const usual = this.pragma('busy_timeout');
    this.pragma(`busy_timeout = ${ms}`);
    try {
      return work();
    } finally {
      this.pragma(`busy_timeout = ${usual}`);
    }
  }

  /** Reads whose failure is told to a person. */
  read<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw ledgerFailure(error, this.location, 'read');
    }
  }

  /**
   * No further call is possible. The library lets go of the file itself only once the statements are collected as
   * garbage, so whatever must be finished (a checkpoint, a transaction) must be finished before.
   */
  close(): void {
    this.#endPretence();
    this.#prepared.clear();
    // Danger: closing would write the log into what was put in the file's place, and spoil it.
    if (this.isOverwritten) ftruncateSync(this.#openedLog());
    if (this.#log !== undefined) closeSync(this.#log);
    this.#log = undefined;
    this.#db.close();
  }

  #statement(sql: string): StatementSyncInstance {
    const known = this.#prepared.get(sql);
    if (known) return known;
    const statement = this.#db.prepare(sql);
    this.#prepared.set(sql, statement);
    return statement;
  }
}
