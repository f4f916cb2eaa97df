import { createHash, randomBytes } from 'node:crypto';
import type { Duplex } from 'node:stream';
import pg from 'pg';
import { systemClock } from '../../util/clock.js';
import { NoAnswer, type ServerSession } from './failures.js';

/** The fraction of the reply time in which another connection checks whether the server is computing. */
const LOOK_PART = 0.3;

const INT8 = 20;
const TEXT = 25;
const TEXT_ARRAY: number = 1009;
const INT8_ARRAY = 1016;
const NUMERIC = 1700;

/** int8 and numeric become numbers: ids, counts and milliseconds are below 2^53. Text is decoded by `fromStored`. */
const TYPES = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === INT8 || oid === NUMERIC) return Number;
    if (oid === INT8_ARRAY) return numbersOf;
    if (oid === TEXT) return fromStored;
    if (oid === TEXT_ARRAY) return (text: string) => storedArray(text).map((it) => it && fromStored(it));
    return pg.types.getTypeParser(oid, format);
  },
};
const storedArray: (text: string) => (string | null)[] = pg.types.getTypeParser(TEXT_ARRAY as never);

/**
 * PostgreSQL's text cannot contain U+0000. It is stored as U+0001 and `0`, and U+0001 as itself and `1`, so that the encoding
 * is reversible. (JSON escapes both characters itself.)
 */
function toStored(value: unknown): unknown {
  if (typeof value === 'string') {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these two characters are encoded here
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

function numbersOf(text: string): (number | null)[] {
  const inside = text.slice(1, -1);
  return inside === '' ? [] : inside.split(',').map((it) => (it === 'NULL' ? null : Number(it)));
}

/** How long a session waits for its server, in milliseconds of the machine's clock (tests may accelerate the run's clock). */
export interface SessionLimits {
  /** For the reply to a statement that the server isn't computing. Afterwards the connection is considered broken. */
  readonly replyMs: number;
  /** For the connection, TLS, the login and the first statements together. */
  readonly openMs: number;
  /** Ends the session at once, in any state. */
  readonly signal?: AbortSignal;
  /** Called when the connection is considered broken. */
  readonly silent?: (error: NoAnswer) => void;
}

/** Time limit of a check of a statement's state and of the end of a connection. */
export function besideMs(replyMs: number): number {
  return Math.ceil(replyMs * LOOK_PART);
}

/** One session with the server. A statement without a reply ends it. */
export class Session {
  /** Unique over all sessions of all processes. */
  readonly name = randomBytes(12).toString('hex');
  readonly #client: pg.Client;
  readonly #config: pg.ClientConfig;
  readonly #limits: SessionLimits;
  readonly #endings = new Set<(error: Error) => void>();
  /** The last statement. Statements run in sequence; queued by the client, their wait time could not be measured. */
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
   * @param setUp statements to run first
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
      // The function is cheaper than the view pg_stat_activity, which adds half the cost of opening a session.
      const [server] = await session.rows<ServerSession>(
        'SELECT pid, backend_start::text AS "startedAt" FROM pg_stat_get_activity(pg_backend_pid())',
      );
      session.#server = server;
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

  onNotification(listener: (channel: string, payload: string) => void): void {
    this.#client.on('notification', ({ channel, payload }) => listener(channel, payload ?? ''));
  }

  /** Calls the listener once when the session ends; at once if it has ended. */
  onEnd(listener: (error: Error) => void): void {
    if (this.#broken) listener(this.#broken);
    else this.#endings.add(listener);
  }

  async rows<T>(sql: string, params?: readonly unknown[]): Promise<T[]> {
    return (await this.query(sql, params)).rows as T[];
  }

  query(sql: string, params?: readonly unknown[]): Promise<pg.QueryResult> {
    return this.#inTurn(() =>
      params === undefined ? this.#client.query(sql) : this.#client.query(sql, params.map(toStored)),
    );
  }

  /** A prepared statement, for repeated use. */
  prepared(sql: string, params: readonly unknown[]): Promise<pg.QueryResult> {
    return this.#inTurn(() => this.#prepared(sql, params));
  }

  /**
   * Statements of one transaction that don't wait for each other's replies: sent together with BEGIN and COMMIT, in one round
   * trip. If the transaction fails, the first error is thrown.
   * @param work must call `ask` for every statement before it awaits anything
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
    const reply = this.#last.then(() => this.#ask(ask));
    this.#last = reply.catch(() => {});
    return reply;
  }

  async #ask<T>(ask: () => Promise<T>): Promise<T> {
    const replied = new AbortController();
    try {
      return await this.#unlessBroken(() => {
        void this.#watch(replied.signal);
        return ask();
      });
    } finally {
      replied.abort();
    }
  }

  async #unlessBroken<T>(work: () => Promise<T>): Promise<T> {
    if (this.#broken) throw this.#broken;
    let forget = (): void => {};
    const ended = new Promise<never>((_, reject) => {
      this.#endings.add(reject);
      forget = () => this.#endings.delete(reject);
    });
    try {
      return await Promise.race([work(), ended]);
    } finally {
      forget();
    }
  }

  async #watch(replied: AbortSignal): Promise<void> {
    const { replyMs, silent } = this.#limits;
    const checkMs = besideMs(replyMs);
    while (await systemClock.sleep(replyMs - checkMs, replied)) {
      const [isComputing] = await Promise.all([
        this.#isComputing(checkMs),
        systemClock.sleep(checkMs, replied),
      ]);
      if (isComputing || replied.aborted || this.#broken) continue;
      const error = noReply(replyMs);
      silent?.(error);
      this.#break(error);
      return;
    }
  }

  /**
   * Whether the server is computing, checked on another connection. A server that waits for a lock is treated as one that
   * doesn't reply: in normal operation no statement waits for long.
   */
  async #isComputing(withinMs: number): Promise<boolean> {
    const server = this.#server;
    if (!server) return false;
    const client = new pg.Client(this.#config);
    client.on('error', () => {});
    const checked = new AbortController();
    void systemClock.sleep(withinMs, checked.signal).then(() => destroy(client));
    try {
      await client.connect();
      const sql = `SELECT 1 FROM pg_stat_activity WHERE pid = $1 AND backend_start::text = $2
        AND state = 'active' AND wait_event_type IS DISTINCT FROM 'Lock' AND wait_event_type IS DISTINCT FROM 'Client'`;
      return ((await client.query(sql, [server.pid, server.startedAt])).rowCount ?? 0) > 0;
    } catch {
      return false;
    } finally {
      checked.abort();
    }
  }

  #break(error: Error): void {
    if (this.#broken) return;
    this.#broken = error;
    for (const listener of this.#endings) listener(error);
    this.#endings.clear();
    destroy(this.#client);
  }

  /** Closes the connection properly. Later statements fail. */
  async close(): Promise<void> {
    if (this.#broken) return;
    this.#endings.clear();
    this.#broken = new Error('Connection terminated: closed');
    await endWithin(this.#client, besideMs(this.#limits.replyMs));
  }

  /** Closes the socket only, for a session that may hang. */
  destroy(why = new Error('Connection terminated: destroyed')): void {
    this.#break(why);
    destroy(this.#client);
  }
}

/** Closes a connection properly, waiting for the server for at most `ms`. */
async function endWithin(client: pg.Client, ms: number): Promise<void> {
  const ended = new AbortController();
  await Promise.race([client.end().catch(() => {}), systemClock.sleep(ms, ended.signal)]);
  ended.abort();
  destroy(client);
}

/** Closes a client's socket without notifying the server, which may not respond. */
export function destroy(client: pg.ClientBase): void {
  socketOf(client)?.destroy();
}

function noReply(ms: number): NoAnswer {
  return new NoAnswer(`no reply for ${Math.round(ms / 100) / 10} s`);
}

function socketOf(client: pg.ClientBase): Duplex | undefined {
  return (client as unknown as { connection?: { stream?: Duplex } }).connection?.stream;
}
