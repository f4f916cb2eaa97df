import { setMaxListeners } from 'node:events';
import type pg from 'pg';
import { type Message, message } from '../../errors/message.js';
import type { Clock } from '../../util/clock.js';
import {
  ConnectionLost,
  isBroken,
  isFull,
  ledgerFailure,
  type NoAnswer,
  openFailure,
  type ServerSession,
} from './failures.js';
import { besideMs, Session } from './session.js';

/** Wait time between two attempts to open a session, initial and maximum. */
const TRY_AGAIN_MS = 50;
const TRY_AGAIN_AT_MOST_MS = 1000;
/** When the wait time is exceeded, a request so soon after a failed attempt fails without another attempt. */
const FAILS_AT_ONCE_MS = 5000;
/** Shorter interruptions are not reported. */
const MOMENT_MS = 2000;
/** How long a terminated session may take to disappear. */
const GONE_WITHIN_MS = 10_000;

export interface SessionSettings {
  readonly location: string;
  readonly config: pg.ClientConfig;
  /** Statements that set up every session. */
  readonly setUp: string;
  /** Maximum number of sessions. */
  readonly most: number;
  /** Maximum wait time for a connection. */
  readonly patienceMs: number;
  /** How long to wait for a reply before a connection is considered broken. */
  readonly replyMs: number;
  /** Called once each time the server is unavailable for longer than a moment. */
  readonly waits?: ((note: Message) => unknown) | undefined;
}

/** A pool of sessions. Each has one borrower at a time. */
export class Sessions {
  readonly #settings: SessionSettings;
  readonly #clock: Clock;
  readonly #idle: Session[] = [];
  readonly #waiting: (() => void)[] = [];
  #open = 0;
  readonly #closing = new AbortController();
  /** Since when no session can be opened, and the last attempt. All requests share one wait time. */
  #outage: { readonly since: number; readonly tried: number; readonly error: unknown } | undefined;
  /** Start of the last outage that was reported. */
  #reported: number | undefined;
  #look: ((session: Session) => Promise<void>) | undefined;
  /** Ends all sessions, also those being opened and owned ones. */
  #all = endsAll();

  constructor(settings: SessionSettings, clock: Clock) {
    this.#settings = settings;
    this.#clock = clock;
  }

  /**
   * Lends a session to `work`. A session that broke is discarded.
   * @throws ConnectionLost when none could be opened within `patienceMs`
   */
  async acquire<T>(
    work: (session: Session) => Promise<T>,
    patienceMs = this.#settings.patienceMs,
  ): Promise<T> {
    while (this.#open >= this.#settings.most)
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#open += 1;
    let session: Session | undefined;
    try {
      session = this.#takeIdle() ?? (await this.make(patienceMs));
      const result = await work(session);
      this.#outage = undefined;
      return result;
    } finally {
      this.#open -= 1;
      if (session && !session.isBroken && !this.#closing.signal.aborted) this.#idle.push(session);
      else await session?.close();
      this.#waiting.shift()?.();
    }
  }

  /** Adds an owned session to the pool, so that it need not open another. */
  adopt(session: Session): void {
    this.#idle.push(session);
  }

  /** Calls `look` with every new session before it is used. */
  watch(look: (session: Session) => Promise<void>): void {
    this.#look = look;
  }

  #takeIdle(): Session | undefined {
    for (;;) {
      const session = this.#idle.pop();
      if (!session?.isBroken) return session;
    }
  }

  /** A session that the caller owns and closes. */
  async make(patienceMs = this.#settings.patienceMs): Promise<Session> {
    const { location } = this.#settings;
    let since: number | undefined;
    for (let wait = TRY_AGAIN_MS; ; wait = Math.min(2 * wait, TRY_AGAIN_AT_MOST_MS)) {
      try {
        this.#failAtOnce();
        const session = await this.#openWithin(patienceMs);
        await this.#look?.(session);
        this.#outage = undefined;
        return session;
      } catch (error) {
        const now = this.#clock.monotonic();
        if (isBroken(error) && error !== this.#outage?.error)
          this.#outage = { since: this.#outage?.since ?? now, tried: now, error };
        since ??= this.#outage?.since ?? now;
        const left = since + patienceMs - now;
        if (!isBroken(error) || left <= 0 || this.#closing.signal.aborted) {
          if (this.isGivenUp && !isFull(error)) this.#endAll(error);
          throw ledgerFailure(error, location, 'read');
        }
        this.#reportWait(error, since, now);
        await this.#clock.sleep(Math.min(wait, left), this.#closing.signal);
      }
    }
  }

  #reportWait(error: unknown, since: number, now: number): void {
    const { location, patienceMs, waits } = this.#settings;
    if (now - since < MOMENT_MS || this.#reported === since) return;
    this.#reported = since;
    const seconds = Math.ceil((since + patienceMs - now) / 1000);
    const why = openFailure(error, location).detail;
    waits?.(message('ledger.waits_for_server', { why, seconds }));
  }

  /** While the server is unreachable, no attempt takes longer than the remaining wait time. */
  #openWithin(patienceMs: number): Promise<Session> {
    const { config, setUp, replyMs } = this.#settings;
    const outage = this.#outage;
    const left = outage ? outage.since + patienceMs - this.#clock.monotonic() : replyMs;
    const openMs = Math.max(Math.min(replyMs, left), besideMs(replyMs));
    const silent = (error: NoAnswer): void => this.#fellSilent(error);
    return Session.open(config, setUp, { replyMs, openMs, silent, signal: this.#all.signal });
  }

  /** When the server doesn't reply on one connection, closes the idle ones: each would take as long to fail. */
  #fellSilent(error: NoAnswer): void {
    const now = this.#clock.monotonic();
    this.#outage ??= { since: now, tried: now - FAILS_AT_ONCE_MS, error };
    for (const session of this.#idle.splice(0)) session.destroy();
  }

  #endAll(why: unknown): void {
    this.#all.abort(why);
    this.#all = endsAll();
  }

  /** Whether the server has been unavailable for longer than the maximum wait time. */
  get isGivenUp(): boolean {
    return (
      this.#outage !== undefined && this.#clock.monotonic() - this.#outage.since >= this.#settings.patienceMs
    );
  }

  #failAtOnce(): void {
    const outage = this.#outage;
    if (outage && this.isGivenUp && this.#clock.monotonic() - outage.tried < FAILS_AT_ONCE_MS)
      throw outage.error;
  }

  /**
   * Terminates a session if it still exists, and resolves when it has ended: what it has not committed by then never will be.
   * @throws ConnectionLost when that cannot be determined
   */
  async end(server: ServerSession): Promise<void> {
    const until = this.#clock.monotonic() + this.#settings.patienceMs;
    for (;;) {
      try {
        await this.#endOnce(server);
        return;
      } catch (error) {
        // The connection used for this may break as well.
        if (!isBroken(error) || this.isGivenUp || this.#clock.monotonic() >= until) throw error;
        await this.#clock.sleep(TRY_AGAIN_MS);
      }
    }
  }

  async #endOnce({ pid, startedAt }: ServerSession): Promise<void> {
    const deadline = this.#clock.monotonic() + GONE_WITHIN_MS;
    // A session outside the pool: all pooled sessions may be waiting for this.
    const session = await this.make();
    try {
      const sql = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = $1 AND backend_start::text = $2`;
      while ((await session.rows(sql, [pid, startedAt])).length > 0) {
        if (this.#clock.monotonic() > deadline) {
          const reason = new Error(`session ${pid} does not end`);
          throw new ConnectionLost('internal', ledgerFailure(reason, this.#settings.location, 'read').detail);
        }
        await this.#clock.sleep(20);
      }
    } catch (error) {
      throw ledgerFailure(error, this.#settings.location, 'read');
    } finally {
      await session.close();
    }
  }

  /** Deletes proofs that are no longer needed. Proofs of broken sessions are deleted when runs are pruned. */
  async forgetProofs(names: Iterable<string>): Promise<void> {
    const session = this.#takeIdle();
    if (!session) return;
    const forget = 'DELETE FROM commits WHERE session = ANY($1::text[])';
    await session.query(forget, [[...names]]).catch(() => {});
    this.#idle.push(session);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#idle.splice(0).map((session) => session.close()));
    this.#endAll(new Error('Connection terminated: closed'));
  }
}

function endsAll(): AbortController {
  const ending = new AbortController();
  setMaxListeners(0, ending.signal);
  return ending;
}
