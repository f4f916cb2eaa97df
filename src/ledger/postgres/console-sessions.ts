import type { ConsoleSession, ConsoleSessionStore } from '../contract/console-sessions.js';
import { FORGOTTEN_AFTER_MS, type SessionRecord, toSession } from '../shared/console-sessions.js';
import type { Database } from './database.js';

/** $1: now. */
const LIVING = 'revoked_at IS NULL AND expires_at > $1';

export class PostgresConsoleSessionStore implements ConsoleSessionStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async begin(it: ConsoleSession): Promise<void> {
    await this.#db.transaction(async (tx) => {
      const forgotten = it.createdAt - FORGOTTEN_AFTER_MS;
      await tx.run('DELETE FROM console_sessions WHERE expires_at < $1', [forgotten]);
      await tx.run(
        `INSERT INTO console_sessions (id, who, person, via, created_at, seen_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)`,
        [it.id, it.who, it.person ?? null, it.via, it.createdAt, it.seenAt, it.expiresAt],
      );
    });
  }

  async find(id: string, now: number): Promise<ConsoleSession | undefined> {
    const sql = `SELECT * FROM console_sessions WHERE id = $2 AND ${LIVING}`;
    const found = await this.#db.get<SessionRecord>(sql, [now, id]);
    return found && toSession(found);
  }

  async seen(id: string, at: number): Promise<void> {
    await this.#db.run('UPDATE console_sessions SET seen_at = $1 WHERE id = $2', [at, id]);
  }

  async list(now: number, who?: string): Promise<readonly ConsoleSession[]> {
    const sql = `SELECT * FROM console_sessions WHERE ${LIVING} AND ($2::text IS NULL OR who = $2)
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
