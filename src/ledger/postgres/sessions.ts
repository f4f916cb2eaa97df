import { setMaxListeners } from 'node:events';
import type pg from 'pg';
import type { Clock } from '../../util/clock.js';
import {
  ConnectionLost,
  isBroken,
  isFull,
  ledgerFailure,
  type NoAnswer,
  type ServerSession,
} from './failures.js';
import { besideMs, Session } from './session.js';

/** How long to wait between two tries for a session, at first and at most. */
const TRY_AGAIN_MS = 50;
const TRY_AGAIN_AT_MOST_MS = 1000;
/** Once all patience is over, what is asked for so soon after a try fails without another. */
const FAILS_AT_ONCE_MS = 5000;
/** How long a session that was ended by force has for being gone. */
const GONE_WITHIN_MS = 10_000;

export interface SessionSettings {
  readonly location: string;
  readonly config: pg.ClientConfig;
  /** Statements that every session begins with. */
  readonly setUp: string;
  /** How many at once. */
  readonly most: number;
  /** How long to go on trying for a connection that can't be had. */
  readonly patienceMs: number;
  /** How long to wait for a reply before a connection is considered broken. */
  readonly replyMs: number;
}

/** Sessions that are lent out, each to one borrower at a time. */
export class Sessions {
  readonly #settings: SessionSettings;
  readonly #clock: Clock;
  readonly #idle: Session[] = [];
  readonly #waiting: (() => void)[] = [];
  #open = 0;
  readonly #closing = new AbortController();
  /** Since when no session can be had, and when that was tried last; all that is asked for shares one patience. */
  #gone: { readonly since: number; readonly tried: number; readonly error: unknown } | undefined;
  #look: ((session: Session) => Promise<void>) | undefined;
  /** Ends all sessions, also those that are being made or that have an owner. */
  #all = endsAll();

  constructor(settings: SessionSettings, clock: Clock) {
    this.#settings = settings;
    this.#clock = clock;
  }

  /**
   * Lends a session to `work`. One that broke meanwhile is thrown away.
   * @throws ConnectionLost when none could be had for `patienceMs`
   */
  async lend<T>(work: (session: Session) => Promise<T>, patienceMs = this.#settings.patienceMs): Promise<T> {
    while (this.#open >= this.#settings.most) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#open += 1;
    let session: Session | undefined;
    try {
      session = this.#takeIdle() ?? (await this.make(patienceMs));
      const result = await work(session);
      this.#gone = undefined;
      return result;
    } finally {
      this.#open -= 1;
      if (session && !session.isBroken && !this.#closing.signal.aborted) this.#idle.push(session);
      else await session?.close();
      this.#waiting.shift()?.();
    }
  }

  /** Takes in a session that was made for its own sake, in place of making another. */
  adopt(session: Session): void {
    this.#idle.push(session);
  }

  /** `look` is given every session that is made from now on, before it is used. */
  watch(look: (session: Session) => Promise<void>): void {
    this.#look = look;
  }

  #takeIdle(): Session | undefined {
    for (;;) {
      const session = this.#idle.pop();
      if (!session?.isBroken) return session;
    }
  }

  /** A session that is its caller's alone, to be closed by it. */
  async make(patienceMs = this.#settings.patienceMs): Promise<Session> {
    const { location } = this.#settings;
    let since: number | undefined;
    for (let wait = TRY_AGAIN_MS; ; wait = Math.min(2 * wait, TRY_AGAIN_AT_MOST_MS)) {
      try {
        this.#failAtOnce();
        const session = await this.#openWithin(patienceMs);
        await this.#look?.(session);
        this.#gone = undefined;
        return session;
      } catch (error) {
        const now = this.#clock.monotonic();
        if (isBroken(error) && error !== this.#gone?.error) {
          this.#gone = { since: this.#gone?.since ?? now, tried: now, error };
        }
        since ??= this.#gone?.since ?? now;
        const left = since + patienceMs - now;
        if (!isBroken(error) || left <= 0 || this.#closing.signal.aborted) {
          if (this.isGivenUp && !isFull(error)) this.#endAll(error);
          throw ledgerFailure(error, location, 'read');
        }
        await this.#clock.sleep(Math.min(wait, left), this.#closing.signal);
      }
    }
  }

  /** While the server can't be reached no try takes longer than what is left of all patience. */
  #openWithin(patienceMs: number): Promise<Session> {
    const { config, setUp, replyMs } = this.#settings;
    const gone = this.#gone;
    const left = gone ? gone.since + patienceMs - this.#clock.monotonic() : replyMs;
    const openMs = Math.max(Math.min(replyMs, left), besideMs(replyMs));
    const silent = (error: NoAnswer): void => this.#fellSilent(error);
    return Session.open(config, setUp, { replyMs, openMs, silent, signal: this.#all.signal });
  }

  /** A server that doesn't reply on one connection is not asked on the idle ones, which would take as long each. */
  #fellSilent(error: NoAnswer): void {
    const now = this.#clock.monotonic();
    this.#gone ??= { since: now, tried: now - FAILS_AT_ONCE_MS, error };
    for (const it of this.#idle.splice(0)) it.destroy();
  }

  #endAll(why: unknown): void {
    this.#all.abort(why);
    this.#all = endsAll();
  }

  /** Whether the server has been gone for longer than all patience. */
  get isGivenUp(): boolean {
    return (
      this.#gone !== undefined && this.#clock.monotonic() - this.#gone.since >= this.#settings.patienceMs
    );
  }

  #failAtOnce(): void {
    const gone = this.#gone;
    if (gone && this.isGivenUp && this.#clock.monotonic() - gone.tried < FAILS_AT_ONCE_MS) throw gone.error;
  }

  /**
   * Resolves once a session is certainly over, ending it if need be: what it hadn't committed by then never will be.
   * @throws ConnectionLost when that can't be found out
   */
  async end(server: ServerSession): Promise<void> {
    const until = this.#clock.monotonic() + this.#settings.patienceMs;
    for (;;) {
      try {
        await this.#endOnce(server);
        return;
      } catch (error) {
        // The connection that asks may break as well.
        if (!isBroken(error) || this.isGivenUp || this.#clock.monotonic() >= until) throw error;
        await this.#clock.sleep(TRY_AGAIN_MS);
      }
    }
  }

  async #endOnce({ pid, startedAt }: ServerSession): Promise<void> {
    const deadline = this.#clock.monotonic() + GONE_WITHIN_MS;
    // Not a lent one: all of those may be waiting for just this.
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

  /** Proofs that nobody asks for any more; those of sessions that broke go when runs are pruned. */
  async forgetProofs(names: Iterable<string>): Promise<void> {
    const session = this.#takeIdle();
    if (!session) return;
    const forget = 'DELETE FROM commits WHERE session = ANY($1::text[])';
    await session.query(forget, [[...names]]).catch(() => {});
    this.#idle.push(session);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#idle.splice(0).map((it) => it.close()));
    this.#endAll(new Error('Connection terminated: closed'));
  }
}

function endsAll(): AbortController {
  const ending = new AbortController();
  setMaxListeners(0, ending.signal);
  return ending;
}
