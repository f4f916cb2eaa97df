import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import type { Clock } from '../../util/clock.js';
import { ConnectionLost, isBroken, isRetryable, LostCommit, ledgerFailure } from './failures.js';
import { besideMs, type Session } from './session.js';
import { type SessionSettings, Sessions } from './sessions.js';
import { type Queryable, Transaction } from './transaction.js';

/** How often a transaction that lost against another one is tried, and how long to wait in between, at most. */
const TRIES = 20;
const TRY_AGAIN_MS = 40;
const SNAPSHOT =
  'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL idle_in_transaction_session_timeout = 0';
/** Statements that change nothing may be asked again when their answer was lost. */
const READS = /^\s*(?:select|with)\b/i;
const WRITES =
  /\b(?:insert|update|delete|nextval|setval|pg_\w*advisory\w*|for\s+(?:no\s+key\s+)?(?:update|share)|set_config)\b/i;

interface HowToCommit {
  /** How long to go on trying for a connection; 0: once. Without it, as long as the ledger's settings say. */
  readonly patienceMs?: number;
  /**
   * What happens where a COMMIT has no answer. Usually it is found out what became of it: each transaction writes a proof
   * beside what it does. `thrown` spares the proof, for those who find it out themselves.
   */
  readonly lostCommit?: 'thrown';
}

/**
 * The server's database, over sessions that are lent for a statement or a transaction each. A connection that breaks is
 * made anew, and what certainly wasn't committed is carried out again, so that callers see a fault only after all patience:
 * ConnectionLost where nothing was written, LostCommit where that can't be told.
 */
export class Database implements Queryable {
  /** For people: without a password. */
  readonly location: string;
  /** How long to go on trying for a connection. */
  readonly patienceMs: number;
  readonly #settings: SessionSettings;
  readonly #sessions: Sessions;
  readonly #clock: Clock;
  /** Sessions that left a proof. */
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
      this.#sessions.lend((it) => new Transaction(it, this.location, 'read').all<T>(sql, params), patienceMs),
    );
  }

  async get<T>(sql: string, params: readonly unknown[] = []): Promise<T | undefined> {
    return (await this.all<T>(sql, params))[0];
  }

  async run(sql: string, params: readonly unknown[] = []): Promise<number> {
    return this.transaction((tx) => tx.run(sql, params));
  }

  /**
   * A statement that writes and is a transaction of its own, for what is asked again and again.
   * @throws ConnectionLost after all patience: then nothing was written; LostCommit when it has no answer
   */
  alone<T>(sql: string, params: readonly unknown[]): Promise<T[]> {
    return this.#hastily(async (session) => (await session.prepared(sql, params)).rows as T[]);
  }

  /**
   * The same of several, in one transaction and one trip.
   * @param work asks for all of them before it waits for anything
   */
  together<T>(work: (all: Queryable['all']) => Promise<T>): Promise<T> {
    return this.#hastily((session) =>
      session.together((ask) =>
        work(async <L>(sql: string, params: readonly unknown[] = []) => (await ask(sql, params)).rows as L[]),
      ),
    );
  }

  /** A transaction that leaves no proof. */
  #hastily<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return this.#untilDone({}, (patienceMs) =>
      this.#sessions.lend(async (session) => {
        try {
          return await work(session);
        } catch (error) {
          if (isBroken(error)) throw new LostCommit(this.location, session.server, error);
          throw ledgerFailure(error, this.location, 'write');
        }
      }, patienceMs),
    );
  }

  /** `look` is given every session that is made from now on, before it is used. */
  watchSessions(look: (session: Session) => Promise<void>): void {
    this.#sessions.watch(look);
  }

  /** Settings of a client for a session like the others, with the same limits: for the queue's engine. */
  get clientConfig(): pg.ClientConfig {
    const { config, replyMs } = this.#settings;
    return { ...config, connectionTimeoutMillis: replyMs, query_timeout: replyMs };
  }

  /** Whether the server can't be reached, and all patience is over. */
  get isGivenUp(): boolean {
    return this.#sessions.isGivenUp;
  }

  /** How long to wait for the end of a connection. */
  get endMs(): number {
    return besideMs(this.#settings.replyMs);
  }

  /** A session of its caller's own, to be closed by it: for what lasts as long as a connection does. */
  ownSession(patienceMs?: number): Promise<Session> {
    return this.#sessions.make(patienceMs);
  }

  /** Gives back a session of one's own, for whoever wants one next. */
  adopt(session: Session): void {
    this.#sessions.adopt(session);
  }

  /**
   * All of `work` or none of it, durable when it resolves. `work` may be carried out several times: where the transaction
   * lost against another one, or the connection broke and nothing was committed.
   * @throws ConnectionLost after all patience: then nothing was written; LostCommit where that can't be told
   */
  transaction<T>(work: (tx: Queryable) => Promise<T>, how: HowToCommit = {}): Promise<T> {
    const proven = how.lostCommit === undefined;
    return this.#untilDone(how, (patienceMs) =>
      this.#sessions.lend((it) => this.#write(it, work, proven), patienceMs),
    );
  }

  /** Reads that all see the same state of the ledger. */
  snapshot<T>(work: (tx: Queryable) => Promise<T>, how: HowToCommit = {}): Promise<T> {
    return this.#untilDone(how, (patienceMs) =>
      this.#sessions.lend((it) => this.#once(it, SNAPSHOT, work, 'read'), patienceMs),
    );
  }

  /** Resolves once it can be told by looking what became of a transaction whose COMMIT had no answer. */
  async settled({ session }: LostCommit): Promise<void> {
    if (session) await this.#sessions.end(session);
  }

  /**
   * Calls `told` for each notification of a channel, and with an empty text when some may have been missed. Resolves
   * once it listens; gives what ends it.
   */
  async listen(channel: string, told: (payload: string) => void): Promise<() => Promise<void>> {
    let session: Session | undefined;
    const over = new AbortController();
    const begin = async (): Promise<void> => {
      session = await this.#sessions.make();
      if (over.signal.aborted) return session.close();
      session.onNotification((on, payload) => {
        if (on === channel) told(payload);
      });
      session.onEnd(() => void again());
      await session.query(`LISTEN "${channel}"`);
    };
    const again = async (): Promise<void> => {
      while (!over.signal.aborted) {
        try {
          await begin();
          if (!over.signal.aborted) told('');
          return;
        } catch {
          await this.#clock.sleep(TRY_AGAIN_MS, over.signal);
        }
      }
    };
    // A connection that is cut without a word is found out by asking.
    const ask = async (): Promise<void> => {
      while (await this.#clock.sleep(5000, over.signal)) await session?.query('SELECT 1').catch(() => {});
    };
    const end = async (): Promise<void> => {
      this.#listening.delete(end);
      over.abort();
      await session?.close();
    };
    await begin();
    void ask();
    this.#listening.add(end);
    return end;
  }

  async close(): Promise<void> {
    for (const end of this.#listening) await end();
    if (this.#proven.size > 0) await this.#sessions.forgetProofs(this.#proven);
    await this.#sessions.close();
  }

  async #write<T>(session: Session, work: (tx: Queryable) => Promise<T>, proven: boolean): Promise<T> {
    if (!proven) return this.#once(session, 'BEGIN', work, 'write');
    const nonce = randomBytes(12).toString('hex');
    const proof = `INSERT INTO commits (session, nonce) VALUES ('${session.name}', '${nonce}')
      ON CONFLICT (session) DO UPDATE SET nonce = '${nonce}', at = clock_timestamp()`;
    let result: { readonly it: T } | undefined;
    this.#proven.add(session.name);
    try {
      const keep = async (tx: Queryable): Promise<T> => {
        const it = await work(tx);
        result = { it };
        return it;
      };
      return await this.#once(session, `BEGIN; ${proof}`, keep, 'write');
    } catch (error) {
      if (!(error instanceof LostCommit) || !result) throw error;
      if (await this.#isCommitted(error, session.name, nonce)) return result.it;
      throw new ConnectionLost('internal', error.detail, { cause: error });
    }
  }

  /** @throws LostCommit the same, when it can't be found out */
  async #isCommitted(lost: LostCommit, session: string, nonce: string): Promise<boolean> {
    try {
      await this.settled(lost);
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
    work: (tx: Queryable) => Promise<T>,
    doing: 'read' | 'write',
  ): Promise<T> {
    let committing = false;
    try {
      await session.query(begin);
      const result = await work(new Transaction(session, this.location, doing));
      committing = true;
      const { command } = await session.query('COMMIT');
      // A transaction in which a statement failed, and nobody looked, is rolled back in silence.
      if (command !== 'COMMIT') throw new Error(`COMMIT was answered by ${command}`);
      return result;
    } catch (error) {
      if (committing && doing === 'write' && isBroken(error)) {
        throw new LostCommit(this.location, session.server, error);
      }
      if (!session.isBroken) await session.query('ROLLBACK').catch(() => session.destroy());
      throw ledgerFailure(error, this.location, doing);
    }
  }

  #mayComeBack(error: unknown): boolean {
    return error instanceof ConnectionLost && !this.#sessions.isGivenUp;
  }

  /** Carries out again what lost against another transaction, or lost its connection with nothing written. */
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
        const mayGoWell = isRetryable(error) ? tried < TRIES : this.#mayComeBack(error) && now < deadline;
        if (!mayGoWell) throw error;
      }
      await this.#clock.sleep(Math.random() * TRY_AGAIN_MS);
    }
  }
}
