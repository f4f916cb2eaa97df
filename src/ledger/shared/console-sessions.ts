import type { ConsoleSession, ConsoleSessionStore } from '../contract/console-sessions.js';
import type { PlainStatements } from './plain-statements.js';

/** A row of `console_sessions`. */
interface SessionRecord {
  readonly id: string;
  readonly who: string;
  readonly person: string | null;
  readonly via: ConsoleSession['via'];
  readonly created_at: number;
  readonly seen_at: number;
  readonly expires_at: number;
}

/** How long an expired or revoked one is kept, for whoever looks back. */
const FORGOTTEN_AFTER_MS = 30 * 24 * 3_600_000;

function toSession(it: SessionRecord): ConsoleSession {
  return {
    id: it.id,
    who: it.who,
    ...(it.person === null ? {} : { person: it.person }),
    via: it.via,
    createdAt: it.created_at,
    seenAt: it.seen_at,
    expiresAt: it.expires_at,
  };
}

/** $1: now. */
const LIVING = 'revoked_at IS NULL AND expires_at > $1';

export class PlainConsoleSessionStore implements ConsoleSessionStore {
  readonly #db: PlainStatements;

  constructor(db: PlainStatements) {
    this.#db = db;
  }

  async begin(it: ConsoleSession): Promise<void> {
    const forgotten = it.createdAt - FORGOTTEN_AFTER_MS;
    const sql = `INSERT INTO console_sessions (id, who, person, via, created_at, seen_at, expires_at)
      VALUES ($1, $2, $3, $4, $5, $6, $7)`;
    const values = [it.id, it.who, it.person ?? null, it.via, it.createdAt, it.seenAt, it.expiresAt];
    await this.#db.together(
      ['DELETE FROM console_sessions WHERE expires_at < $1', [forgotten]],
      [[sql, values]],
    );
  }

  async find(id: string, now: number): Promise<ConsoleSession | undefined> {
    const sql = `SELECT * FROM console_sessions WHERE id = $2 AND ${LIVING}`;
    const found = await this.#db.get<SessionRecord>(sql, [now, id]);
    return found && toSession(found);
  }

  async seen(id: string, at: number): Promise<void> {
    await this.#db.runUnlessBusy('UPDATE console_sessions SET seen_at = $1 WHERE id = $2', [at, id]);
  }

  async list(now: number, who?: string): Promise<readonly ConsoleSession[]> {
    const sql = `SELECT * FROM console_sessions WHERE ${LIVING} AND (CAST($2 AS text) IS NULL OR who = $2)
      ORDER BY created_at DESC, id`;
    return (await this.#db.all<SessionRecord>(sql, [now, who ?? null])).map(toSession);
  }

  async revoke(id: string, at: number): Promise<boolean> {
    const sql = `UPDATE console_sessions SET revoked_at = $1 WHERE id = $2 AND ${LIVING}`;
    return (await this.#db.run(sql, [at, id])) === 1;
  }

  async revokeOf(who: string, at: number): Promise<number> {
    return this.#db.run(`UPDATE console_sessions SET revoked_at = $1 WHERE who = $2 AND ${LIVING}`, [
      at,
      who,
    ]);
  }
}
