import type { Person, Role } from '../../model/console.js';
import type { JsonObject } from '../../model/json.js';
import type { AuditEntry } from '../contract/audit.js';
import type { ConsoleSession, NewPerson, PeopleRefusal } from '../contract/people.js';
import { addingRefused, removingRefused } from '../rules/people.js';
import { appendAudit } from './audit.js';
import { ClockedSqlStore, SqlStore } from './runner.js';
import { execute, find, list, type Store, serverOnly } from './statement.js';

const SELECT = `
SELECT name, roles, subject, added_at AS "addedAt", token_expires_at AS "tokenExpiresAt" FROM people
WHERE removed_at IS NULL`;

/** Two admins who are removed concurrently must not both count as the remaining one. */
const ONE_AT_A_TIME = 'LOCK TABLE people IN SHARE ROW EXCLUSIVE MODE';

const ADD = `
INSERT INTO people (name, roles, subject, token_sha256, token_expires_at, added_at) VALUES ($1, $2, $3, $4, $5, $6)`;

const REMOVE =
  'UPDATE people SET removed_at = $1, token_sha256 = NULL WHERE name = $2 AND removed_at IS NULL';

const SET_TOKEN =
  'UPDATE people SET token_sha256 = $1, token_expires_at = $2, roles = COALESCE($4, roles) WHERE name = $3 AND removed_at IS NULL';

type Refused = PeopleRefusal | undefined;

/** Users of the ledger. Every change is one transaction with its audit entry, in the name of `by`. */
export class SqlPersonStore extends ClockedSqlStore {
  /** By name. Removed users are excluded, here and below. */
  list(): Promise<readonly Person[]> {
    return this.db.read(() => people());
  }

  get(name: string): Promise<Person | undefined> {
    return this.#one('name', name);
  }

  /** The user with this API token, even if it has expired. */
  byToken(tokenSha256: string): Promise<Person | undefined> {
    return this.#one('token_sha256', tokenSha256);
  }

  bySubject(subject: string): Promise<Person | undefined> {
    return this.#one('subject', subject);
  }

  add(person: NewPerson, by: string): Promise<Refused> {
    return this.db.write(() => add(person, by, this.clock.now()), 'first');
  }

  /** Refuses to remove the last admin while other users remain, because no user could manage them. */
  remove(name: string, by: string): Promise<Refused> {
    return this.db.write(() => remove(name, by, this.clock.now()), 'first');
  }

  /** Replaces a user's API token, and the roles if given. Refuses to take the role from the last admin as `remove` does. */
  setToken(name: string, token: NewToken, by: string): Promise<Refused> {
    return this.db.write(() => setToken(name, token, by, this.clock.now()), 'first');
  }

  async #one(column: 'name' | 'token_sha256' | 'subject', value: string): Promise<Person | undefined> {
    return (await this.db.read(() => people(`AND ${column} = $1`, value)))[0];
  }
}

/** By name. */
function* people(condition = '', ...values: readonly string[]): Store<Person[]> {
  type PersonRow = Omit<Person, 'roles'> & { readonly roles: string };
  const found = yield* list<PersonRow>(`${SELECT} ${condition} ORDER BY name`, ...values);
  return found.map((it) => ({ ...it, roles: it.roles.split(',') as Role[] }));
}

function* add(person: NewPerson, who: string, at: number): Store<Refused> {
  yield* serverOnly(ONE_AT_A_TIME);
  const refused = addingRefused(yield* people(), person);
  if (refused) return refused;
  const { name, roles, subject, tokenSha256, tokenExpiresAt } = person;
  yield* execute(ADD, name, roles.join(','), subject, tokenSha256, tokenExpiresAt, at);
  const detail = { name, roles, ...(subject === undefined ? {} : { subject }) };
  return yield* noted({ who, act: 'people_add', detail }, at);
}

function* remove(name: string, who: string, at: number): Store<Refused> {
  yield* serverOnly(ONE_AT_A_TIME);
  const refused = removingRefused(yield* people(), name);
  if (refused) return refused;
  yield* execute(REMOVE, at, name);
  return yield* noted({ who, act: 'people_remove', detail: { name } }, at);
}

interface NewToken {
  readonly sha256: string;
  readonly expiresAt?: number | undefined;
  readonly roles?: readonly Role[] | undefined;
}

function* setToken(name: string, token: NewToken, who: string, at: number): Store<Refused> {
  const { sha256, expiresAt, roles } = token;
  yield* serverOnly(ONE_AT_A_TIME);
  const refused = roles && removingRefused(yield* people(), name, roles);
  if (refused) return refused;
  if ((yield* execute(SET_TOKEN, sha256, expiresAt, name, roles?.join(','))) === 0) return 'no_such_person';
  const detail: JsonObject = {
    name,
    ...(roles ? { roles } : {}),
    ...(expiresAt === undefined ? {} : { expires: new Date(expiresAt).toISOString() }),
  };
  return yield* noted({ who, act: 'people_token', detail }, at);
}

function* noted(entry: AuditEntry, at: number): Store<undefined> {
  yield* appendAudit(entry, at);
  return undefined;
}

/** How long an expired or revoked session is kept, so that it can be looked up. */
const FORGOTTEN_AFTER_MS = 30 * 24 * 3_600_000;

/** $1: now. */
const LIVING = 'revoked_at IS NULL AND expires_at > $1';

const SELECT_LIVING = `
SELECT id, who, person, via, created_at AS "createdAt", seen_at AS "seenAt", expires_at AS "expiresAt"
FROM console_sessions WHERE ${LIVING}`;

const BEGIN_SESSION = `
INSERT INTO console_sessions (id, who, person, via, created_at, seen_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7)`;

/** Sessions of consoles. Expired and revoked sessions are never returned. */
export class SqlConsoleSessionStore extends SqlStore {
  /** Durable when it resolves. Removes sessions that expired long ago. */
  begin({ id, who, person, via, createdAt, seenAt, expiresAt }: ConsoleSession): Promise<void> {
    return this.db.write(function* () {
      yield* execute('DELETE FROM console_sessions WHERE expires_at < $1', createdAt - FORGOTTEN_AFTER_MS);
      yield* execute(BEGIN_SESSION, id, who, person, via, createdAt, seenAt, expiresAt);
    });
  }

  find(id: string, now: number): Promise<ConsoleSession | undefined> {
    return this.db.read(() => find<ConsoleSession>(`${SELECT_LIVING} AND id = $2`, now, id));
  }

  /** Records its use, or skips that while another process holds the write lock for long. */
  seen(id: string, at: number): Promise<void> {
    const sql = 'UPDATE console_sessions SET seen_at = $1 WHERE id = $2';
    return this.db.writeUnlessBusy(() => execute(sql, at, id));
  }

  /** Newest first; only of the user `who`, if given. */
  list(now: number, who?: string): Promise<readonly ConsoleSession[]> {
    const sql = `${SELECT_LIVING} AND (CAST($2 AS text) IS NULL OR who = $2) ORDER BY created_at DESC, id`;
    return this.db.read(() => list<ConsoleSession>(sql, now, who));
  }

  /** True if it was valid until now. */
  async revoke(id: string, at: number): Promise<boolean> {
    return (await this.#revoke('id', id, at)) === 1;
  }

  /** Revokes all sessions of a user; returns how many there were. */
  revokeOf(who: string, at: number): Promise<number> {
    return this.#revoke('who', who, at);
  }

  #revoke(column: 'id' | 'who', value: string, at: number): Promise<number> {
    const sql = `UPDATE console_sessions SET revoked_at = $1 WHERE ${column} = $2 AND ${LIVING}`;
    return this.db.write(() => execute(sql, at, value));
  }
}
