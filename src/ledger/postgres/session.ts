import { createHash, randomBytes } from 'node:crypto';
import type { Duplex } from 'node:stream';
import pg from 'pg';
import { systemClock } from '../../util/clock.js';
import { NoAnswer, type ServerSession } from './failures.js';

/** The part of the time for a reply within which another connection asks whether the server is computing. */
const LOOK_PART = 0.3;

const INT8 = 20;
const TEXT = 25;
const TEXT_ARRAY: number = 1009;
const INT8_ARRAY = 1016;
const NUMERIC = 1700;

/** int8 and numeric come as numbers: ids, counts and milliseconds are below 2^53. Text as it was handed over. */
const TYPES = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === INT8 || oid === NUMERIC) return Number;
    if (oid === INT8_ARRAY) return numbersOf;
    if (oid === TEXT) return fromStored;
    if (oid === TEXT_ARRAY) return (text: string) => storedArray(text).map(fromStoredOrNull);
    return pg.types.getTypeParser(oid, format);
  },
};
const storedArray: (text: string) => (string | null)[] = pg.types.getTypeParser(TEXT_ARRAY as never);

/**
 * PostgreSQL's text holds no U+0000. It stands there as U+0001 and `0`, and U+0001 as itself and `1`: two texts that differ
 * here differ there, and come back as they were. (JSON writes both as escapes of its own.)
 */
function toStored(value: unknown): unknown {
  if (typeof value === 'string') {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these two are what it is about
    return /[\u0000\u0001]/.test(value)
      ? value.replaceAll('\u0001', '\u00011').replaceAll('\u0000', '\u00010')
      : value;
  }
  return Array.isArray(value) ? value.map(toStored) : value;
}

function fromStored(text: string): string {
  if (!text.includes('\u0001')) return text;
  return text.replaceAll('\u00010', '\u0000').replaceAll('\u00011', '\u0001');
}

function fromStoredOrNull(text: string | null): string | null {
  return text === null ? null : fromStored(text);
}

function numbersOf(text: string): (number | null)[] {
  const inside = text.slice(1, -1);
  return inside === '' ? [] : inside.split(',').map((it) => (it === 'NULL' ? null : Number(it)));
}

/** How long a session waits for its server, in milliseconds of the machine's clock: tests let the run's clock go faster. */
export interface SessionLimits {
  /** For the reply to a statement that the server isn't computing; then the connection is considered broken. */
  readonly replyMs: number;
  /** For the connection, TLS, the login and the first statements together. */
  readonly openMs: number;
  /** Ends the session at once, however far it is. */
  readonly signal?: AbortSignal;
  /** Called when the connection is considered broken. */
  readonly silent?: (error: NoAnswer) => void;
}

/** How long whatever is done beside a statement may take: asking for its state, or the end of a connection. */
export function besideMs(replyMs: number): number {
  return Math.ceil(replyMs * LOOK_PART);
}

/** One session with the server. A statement without a reply ends it. */
export class Session {
  /** Its own, over all sessions of all processes. */
  readonly name = randomBytes(12).toString('hex');
  readonly #client: pg.Client;
  readonly #config: pg.ClientConfig;
  readonly #limits: SessionLimits;
  readonly #endings = new Set<(error: Error) => void>();
  /** Statements go one after the other; the client would queue them too, but for how long can't be told then. */
  #last: Promise<unknown> = Promise.resolve();
  #broken: Error | undefined;
  #server: ServerSession | undefined;

  private constructor(client: pg.Client, config: pg.ClientConfig, limits: SessionLimits) {
    this.#client = client;
    this.#config = config;
    this.#limits = limits;
    const drop = (): void => this.destroy(limits.signal?.reason as Error);
    limits.signal?.addEventListener('abort', drop, { once: true });
    client.once('end', () => limits.signal?.removeEventListener('abort', drop));
    client.on('error', (error) => this.#break(error));
    client.on('end', () => this.#break(new Error('Connection terminated')));
  }

  /**
   * @param config of the client; `types` is set here
   * @param setUp statements that every session begins with
   */
  static async open(config: pg.ClientConfig, setUp: string, limits: SessionLimits): Promise<Session> {
    const client = new pg.Client({ ...config, types: TYPES, pipeline: true });
    const session = new Session(client, config, limits);
    const opened = new AbortController();
    void systemClock.sleep(limits.openMs, opened.signal).then((late) => {
      if (late) session.#break(noReply(limits.openMs));
    });
    try {
      if (limits.signal?.aborted) session.destroy(limits.signal.reason as Error);
      await session.#unlessBroken(() => client.connect());
      await session.query(setUp);
      // Of the function behind pg_stat_activity: the view costs the server half as much again as the rest of a session.
      const [own] = await session.rows<ServerSession>(
        'SELECT pid, backend_start::text AS "startedAt" FROM pg_stat_get_activity(pg_backend_pid())',
      );
      session.#server = own;
      return session;
    } catch (error) {
      session.destroy();
      throw error;
    } finally {
      opened.abort();
    }
  }

  get server(): ServerSession | undefined {
    return this.#server;
  }

  get isBroken(): boolean {
    return this.#broken !== undefined;
  }

  /** What the client offers beyond statements: notifications. */
  onNotification(told: (channel: string, payload: string) => void): void {
    this.#client.on('notification', ({ channel, payload }) => told(channel, payload ?? ''));
  }

  /** Told once, when the session is no more; at once where it already isn't. */
  onEnd(told: (error: Error) => void): void {
    if (this.#broken) told(this.#broken);
    else this.#endings.add(told);
  }

  async rows<T>(sql: string, params?: readonly unknown[]): Promise<T[]> {
    return (await this.query(sql, params)).rows as T[];
  }

  query(sql: string, params?: readonly unknown[]): Promise<pg.QueryResult> {
    return this.#inTurn(() =>
      params === undefined ? this.#client.query(sql) : this.#client.query(sql, params.map(toStored)),
    );
  }

  /** The same, of a statement that comes again and again: the server keeps what it made of it. */
  prepared(sql: string, params: readonly unknown[]): Promise<pg.QueryResult> {
    return this.#inTurn(() => this.#prepared(sql, params));
  }

  /**
   * Statements of one transaction that don't wait for each other's answers: with BEGIN and COMMIT they are on their way at
   * once, and cost one trip. Of a transaction that fails the first fault is thrown.
   * @param work asks for all of them before it waits for anything
   */
  together<T>(work: (ask: Session['prepared']) => Promise<T>): Promise<T> {
    return this.#inTurn(async () => {
      const socket = socketOf(this.#client);
      socket?.cork();
      const begun = this.#client.query('BEGIN');
      const worked = work((sql, params) => this.#prepared(sql, params));
      const committed = this.#client.query('COMMIT');
      socket?.uncork();
      const [first, result, last] = await Promise.allSettled([begun, worked, committed]);
      if (first.status === 'rejected') throw first.reason;
      if (result.status === 'rejected') throw result.reason;
      if (last.status === 'rejected') throw last.reason;
      if (last.value.command !== 'COMMIT') throw new Error(`COMMIT was answered by ${last.value.command}`);
      return result.value;
    });
  }

  #prepared(sql: string, params: readonly unknown[]): Promise<pg.QueryResult> {
    const name = createHash('sha1').update(sql).digest('hex');
    return this.#client.query({ name, text: sql, values: params.map(toStored) });
  }

  #inTurn<T>(ask: () => Promise<T>): Promise<T> {
    const answer = this.#last.then(() => this.#ask(ask));
    this.#last = answer.catch(() => {});
    return answer;
  }

  async #ask<T>(ask: () => Promise<T>): Promise<T> {
    const answered = new AbortController();
    try {
      return await this.#unlessBroken(() => {
        void this.#watch(answered.signal);
        return ask();
      });
    } finally {
      answered.abort();
    }
  }

  async #unlessBroken<T>(work: () => Promise<T>): Promise<T> {
    if (this.#broken) throw this.#broken;
    let forget = (): void => {};
    const gone = new Promise<never>((_, reject) => {
      this.#endings.add(reject);
      forget = () => this.#endings.delete(reject);
    });
    try {
      return await Promise.race([work(), gone]);
    } finally {
      forget();
    }
  }

  async #watch(answered: AbortSignal): Promise<void> {
    const { replyMs, silent } = this.#limits;
    const lookMs = besideMs(replyMs);
    while (await systemClock.sleep(replyMs - lookMs, answered)) {
      const [isAtWork] = await Promise.all([this.#isAtWork(lookMs), systemClock.sleep(lookMs, answered)]);
      if (isAtWork || answered.aborted || this.#broken) continue;
      const error = noReply(replyMs);
      silent?.(error);
      this.#break(error);
      return;
    }
  }

  /**
   * Whether the server is computing: asked by another connection. One that waits for a lock is treated as one that doesn't
   * reply; no statement of ours waits for long where all is well.
   */
  async #isAtWork(withinMs: number): Promise<boolean> {
    const server = this.#server;
    if (!server) return false;
    const client = new pg.Client(this.#config);
    client.on('error', () => {});
    const over = new AbortController();
    void systemClock.sleep(withinMs, over.signal).then(() => destroy(client));
    try {
      await client.connect();
      const sql = `SELECT 1 FROM pg_stat_activity WHERE pid = $1 AND backend_start::text = $2
        AND state = 'active' AND wait_event_type IS DISTINCT FROM 'Lock' AND wait_event_type IS DISTINCT FROM 'Client'`;
      return ((await client.query(sql, [server.pid, server.startedAt])).rowCount ?? 0) > 0;
    } catch {
      return false;
    } finally {
      over.abort();
    }
  }

  #break(error: Error): void {
    if (this.#broken) return;
    this.#broken = error;
    for (const told of this.#endings) told(error);
    this.#endings.clear();
    destroy(this.#client);
  }

  /** Says goodbye; what is asked later fails. */
  async close(): Promise<void> {
    if (this.#broken) return;
    this.#endings.clear();
    this.#broken = new Error('Connection terminated: closed');
    await endWithin(this.#client, besideMs(this.#limits.replyMs));
  }

  /** Without a word, for a session that may hang. */
  destroy(why = new Error('Connection terminated: destroyed')): void {
    this.#break(why);
    destroy(this.#client);
  }
}

/** Says goodbye, and waits for the server to do so for no longer than that. */
async function endWithin(client: pg.Client, ms: number): Promise<void> {
  const ended = new AbortController();
  await Promise.race([client.end().catch(() => {}), systemClock.sleep(ms, ended.signal)]);
  ended.abort();
  destroy(client);
}

/** Ends a client's connection without a word, as its server may not listen. */
export function destroy(client: pg.ClientBase): void {
  socketOf(client)?.destroy();
}

function noReply(ms: number): NoAnswer {
  return new NoAnswer(`no reply for ${ms / 1000} s`);
}

function socketOf(client: pg.ClientBase): Duplex | undefined {
  return (client as unknown as { connection?: { stream?: Duplex } }).connection?.stream;
}
