import type { ConsoleSession, ConsoleSessionStore } from '../contract/console-sessions.js';
import { FORGOTTEN_AFTER_MS, type SessionRecord, toSession } from '../shared/console-sessions.js';
import type { Database } from './database.js';

const LIVING = 'revoked_at IS NULL AND expires_at > ?';

export class SqliteConsoleSessionStore implements ConsoleSessionStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async begin(it: ConsoleSession): Promise<void> {
    this.#db.write(() => {
      this.#db.run('DELETE FROM console_sessions WHERE expires_at < ?', it.createdAt - FORGOTTEN_AFTER_MS);
      this.#db.run(
        `INSERT INTO console_sessions (id, who, person, via, created_at, seen_at, expires_at)
         VALUES (?, ?, ?, ?, ?, ?, ?)`,
        it.id,
        it.who,
        it.person ?? null,
        it.via,
        it.createdAt,
        it.seenAt,
        it.expiresAt,
      );
    });
  }

  async find(id: string, now: number): Promise<ConsoleSession | undefined> {
    const sql = `SELECT * FROM console_sessions WHERE id = ? AND ${LIVING}`;
    const found = this.#db.read(() => this.#db.get<SessionRecord>(sql, id, now));
    return found && toSession(found);
  }

  async seen(id: string, at: number): Promise<void> {
    this.#db.unlessBusy(() => this.#db.run('UPDATE console_sessions SET seen_at = ? WHERE id = ?', at, id));
  }

  async list(now: number, who?: string): Promise<readonly ConsoleSession[]> {
    const sql = `SELECT * FROM console_sessions WHERE ${LIVING} AND (?2 IS NULL OR who = ?2)
      ORDER BY created_at DESC, id`;
    const found = this.#db.read(() =>
      this.#db.all<SessionRecord>(sql.replace('> ?', '> ?1'), now, who ?? null),
    );
    return found.map(toSession);
  }

  async revoke(id: string, at: number): Promise<boolean> {
    const sql = `UPDATE console_sessions SET revoked_at = ? WHERE id = ? AND ${LIVING}`;
    return this.#db.write(() => this.#db.run(sql, at, id, at)) === 1;
  }

  async revokeOf(who: string, at: number): Promise<number> {
    const sql = `UPDATE console_sessions SET revoked_at = ? WHERE who = ? AND ${LIVING}`;
    return this.#db.write(() => this.#db.run(sql, at, who, at));
  }
}
