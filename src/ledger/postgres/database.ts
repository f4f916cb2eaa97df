import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import type { Clock } from '../../util/clock.js';
import { LedgerClosed } from '../ledger-errors.js';
import { ConnectionLost, isBroken, isRetryable, LostCommit, ledgerFailure } from './failures.js';
import { besideMs, type Session } from './session.js';
import { type SessionSettings, Sessions } from './sessions.js';
import { type Queryable, Transaction } from './transaction.js';

/** How often a transaction that conflicts with another one is tried, and the longest wait in between. */
const TRIES = 20;
const TRY_AGAIN_MS = 40;
const SNAPSHOT =
  'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL idle_in_transaction_session_timeout = 0';
/** Statements that change nothing may be repeated when their reply was lost. */
const READS = /^\s*(?:select|with)\b/i;
const WRITES =
  /\b(?:insert|update|delete|nextval|setval|pg_\w*advisory\w*|for\s+(?:no\s+key\s+)?(?:update|share)|set_config)\b/i;

interface HowToCommit {
  /** Maximum wait time for a connection; 0: one attempt. Default: the ledger's setting. */
  readonly patienceMs?: number;
  /**
   * What to do when a COMMIT has no reply. By default each transaction writes a proof, by which its result is determined.
   * `thrown` writes no proof and throws `LostCommit`, for callers that determine the result themselves.
   */
  readonly lostCommit?: 'thrown';
  /** In a closed ledger: `written` writes anyway; `safety` throws an error that stops the run. Default: a usage error. */
  readonly closed?: 'written' | 'safety';
}

/**
 * The server's database. Each statement or transaction borrows a session. A broken connection is replaced, and what certainly
 * wasn't committed is executed again, so that callers see a failure only when the wait time is exceeded: ConnectionLost when
 * nothing was written, LostCommit when that cannot be determined.
 */
export class Database implements Queryable {
  /** For users: without a password. */
  readonly location: string;
  /** Maximum wait time for a connection. */
  readonly patienceMs: number;
  readonly #settings: SessionSettings;
  readonly #sessions: Sessions;
  readonly #clock: Clock;
  /** Names of sessions that wrote a proof. */
  readonly #proven = new Set<string>();
  readonly #listening = new Set<() => Promise<void>>();

  constructor(settings: SessionSettings, clock: Clock) {
    this.location = settings.location;
    this.patienceMs = settings.patienceMs;
    this.#settings = settings;
    this.#sessions = new Sessions(settings, clock);
    this.#clock = clock;
  }

  async all<T>(sql: string, params: readonly unknown[] = []): Promise<T[]> {
    if (!READS.test(sql) || WRITES.test(sql)) return this.transaction((tx) => tx.all<T>(sql, params));
    return this.#untilDone({}, (patienceMs) =>
      this.#sessions.acquire(
        (session) => new Transaction(session, this.location, 'read').all<T>(sql, params),
        patienceMs,
      ),
    );
  }

  async get<T>(sql: string, params: readonly unknown[] = []): Promise<T | undefined> {
    return (await this.all<T>(sql, params))[0];
  }

  async run(sql: string, params: readonly unknown[] = []): Promise<number> {
    return this.transaction((tx) => tx.run(sql, params));
  }

  /**
   * A writing statement that is a whole transaction, prepared for repeated use.
   * @throws ConnectionLost when the wait time is exceeded: then nothing was written; LostCommit when it has no reply
   */
  alone<T>(sql: string, params: readonly unknown[]): Promise<T[]> {
    return this.#hastily(async (session) => (await session.prepared(sql, params)).rows as T[]);
  }

  /**
   * Several such statements in one transaction and one round trip.
   * @param work must call `all` for every statement before it awaits anything
   */
  together<T>(work: (all: Queryable['all']) => Promise<T>): Promise<T> {
    return this.#hastily((session) =>
      session.together((ask) =>
        work(async <L>(sql: string, params: readonly unknown[] = []) => (await ask(sql, params)).rows as L[]),
      ),
    );
  }

  /** A transaction without a proof. */
  #hastily<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return this.#untilDone({}, (patienceMs) =>
      this.#sessions.acquire(async (session) => {
        try {
          return await work(session);
        } catch (error) {
          if (isBroken(error)) throw new LostCommit(this.location, session.server, error);
          throw ledgerFailure(error, this.location, 'write');
        }
      }, patienceMs),
    );
  }

  /** Calls `look` with every new session before it is used. */
  watchSessions(look: (session: Session) => Promise<void>): void {
    this.#sessions.watch(look);
  }

  /** Client settings with the same limits as the other sessions, for the queue's engine. */
  get clientConfig(): pg.ClientConfig {
    const { config, replyMs } = this.#settings;
    return { ...config, connectionTimeoutMillis: replyMs, query_timeout: replyMs };
  }

  /** Whether the server is unreachable and the wait time is exceeded. */
  get isGivenUp(): boolean {
    return this.#sessions.isGivenUp;
  }

  /** How long to wait for the end of a connection. */
  get endMs(): number {
    return besideMs(this.#settings.replyMs);
  }

  /** A session that the caller owns and closes, for state that lasts as long as a connection. */
  ownSession(patienceMs?: number): Promise<Session> {
    return this.#sessions.make(patienceMs);
  }

  /** Adds an owned session to the pool. */
  adopt(session: Session): void {
    this.#sessions.adopt(session);
  }

  /**
   * Commits all of `work` or nothing; durable when it resolves. `work` may run several times: after a conflict with another
   * transaction, or when the connection broke and nothing was committed.
   * @throws ConnectionLost when the wait time is exceeded: then nothing was written; LostCommit when that cannot be determined;
   *   LedgerClosed
   */
  transaction<T>(work: (tx: Queryable) => Promise<T>, how: HowToCommit = {}): Promise<T> {
    return this.#untilDone(how, (patienceMs) =>
      this.#sessions.acquire((session) => this.#write(session, work, how), patienceMs),
    );
  }

  /** All reads of `work` see the same state of the ledger. */
  snapshot<T>(work: (tx: Queryable) => Promise<T>, how: HowToCommit = {}): Promise<T> {
    return this.#untilDone(how, (patienceMs) =>
      this.#sessions.acquire((session) => this.#once(session, SNAPSHOT, work, 'read'), patienceMs),
    );
  }

  /** Ends the session of a COMMIT without a reply. Afterwards a read shows whether it was committed. */
  async resolveLostCommit({ session }: LostCommit): Promise<void> {
    if (session) await this.#sessions.end(session);
  }

  /**
   * Calls `onPayload` for each notification of a channel, and with an empty text when some may have been missed. Resolves
   * once it listens, with a function that ends it.
   */
  async listen(channel: string, onPayload: (payload: string) => void): Promise<() => Promise<void>> {
    let session: Session | undefined;
    const ended = new AbortController();
    const begin = async (): Promise<void> => {
      session = await this.#sessions.make();
      if (ended.signal.aborted) return session.close();
      session.onNotification((from, payload) => {
        if (from === channel) onPayload(payload);
      });
      session.onEnd(() => void reconnect());
      await session.query(`LISTEN "${channel}"`);
    };
    const reconnect = async (): Promise<void> => {
      while (!ended.signal.aborted) {
        try {
          await begin();
          if (!ended.signal.aborted) onPayload('');
          return;
        } catch {
          await this.#clock.sleep(TRY_AGAIN_MS, ended.signal);
        }
      }
    };
    // Only a query detects a connection that was cut silently.
    const keepAlive = async (): Promise<void> => {
      while (await this.#clock.sleep(5000, ended.signal)) await session?.query('SELECT 1').catch(() => {});
    };
    const end = async (): Promise<void> => {
      this.#listening.delete(end);
      ended.abort();
      await session?.close();
    };
    await begin();
    void keepAlive();
    this.#listening.add(end);
    return end;
  }

  async close(): Promise<void> {
    for (const end of this.#listening) await end();
    if (this.#proven.size > 0) await this.#sessions.forgetProofs(this.#proven);
    await this.#sessions.close();
  }

  async #write<T>(
    session: Session,
    work: (tx: Queryable) => Promise<T>,
    { lostCommit, closed }: HowToCommit,
  ): Promise<T> {
    if (lostCommit) return this.#once(session, 'BEGIN', work, 'write');
    const nonce = randomBytes(12).toString('hex');
    // In a closed ledger the proof is not written, so the check needs no extra statement.
    const proof = `INSERT INTO commits (session, nonce)
      SELECT '${session.name}', '${nonce}' ${closed === 'written' ? '' : 'FROM ledger_identity WHERE closed_to IS NULL'}
      ON CONFLICT (session) DO UPDATE SET nonce = '${nonce}', at = clock_timestamp()`;
    let result: { readonly value: T } | undefined;
    this.#proven.add(session.name);
    try {
      const keep = async (tx: Queryable, begun: unknown): Promise<T> => {
        const [, proved] = begun as readonly pg.QueryResult[];
        if (proved?.rowCount === 0) await this.#refuseClosed(tx, closed);
        const value = await work(tx);
        result = { value };
        return value;
      };
      return await this.#once(session, `BEGIN; ${proof}`, keep, 'write');
    } catch (error) {
      if (!(error instanceof LostCommit) || !result) throw error;
      if (await this.#isCommitted(error, session.name, nonce)) return result.value;
      throw new ConnectionLost('internal', error.detail, { cause: error });
    }
  }

  async #refuseClosed(tx: Queryable, kind?: HowToCommit['closed']): Promise<never> {
    const found = await tx.get<{ to: string }>('SELECT closed_to AS to FROM ledger_identity');
    throw new LedgerClosed(this.location, found?.to ?? '', kind === 'safety' ? kind : 'usage');
  }

  /** @throws LostCommit `lost`, when it cannot be determined */
  async #isCommitted(lost: LostCommit, session: string, nonce: string): Promise<boolean> {
    try {
      await this.resolveLostCommit(lost);
      return (
        (await this.get('SELECT 1 FROM commits WHERE session = $1 AND nonce = $2', [session, nonce])) !==
        undefined
      );
    } catch {
      throw lost;
    }
  }

  async #once<T>(
    session: Session,
    begin: string,
    work: (tx: Queryable, begun: unknown) => Promise<T>,
    doing: 'read' | 'write',
  ): Promise<T> {
    let committing = false;
    try {
      const begun: unknown = await session.query(begin);
      const result = await work(new Transaction(session, this.location, doing), begun);
      committing = true;
      const { command } = await session.query('COMMIT');
      // The server silently rolls back a transaction in which a statement failed.
      if (command !== 'COMMIT') throw new Error(`COMMIT was answered by ${command}`);
      return result;
    } catch (error) {
      if (committing && doing === 'write' && isBroken(error))
        throw new LostCommit(this.location, session.server, error);
      if (!session.isBroken) await session.query('ROLLBACK').catch(() => session.destroy());
      throw ledgerFailure(error, this.location, doing);
    }
  }

  #mayComeBack(error: unknown): boolean {
    return error instanceof ConnectionLost && !this.#sessions.isGivenUp;
  }

  /** Retries after a conflict with another transaction, or after a lost connection if nothing was written. */
  async #untilDone<T>(
    { patienceMs = this.patienceMs }: HowToCommit,
    once: (patienceMs: number) => Promise<T>,
  ): Promise<T> {
    let deadline: number | undefined;
    for (let tried = 1; ; tried += 1) {
      try {
        return await once(patienceMs);
      } catch (error) {
        const now = this.#clock.monotonic();
        deadline ??= now + patienceMs;
        const retries = isRetryable(error) ? tried < TRIES : this.#mayComeBack(error) && now < deadline;
        if (!retries) throw error;
      }
      await this.#clock.sleep(Math.random() * TRY_AGAIN_MS);
    }
  }
}
