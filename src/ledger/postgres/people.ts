import type { Person } from '../../model/person.js';
import type { Clock } from '../../util/clock.js';
import type { NewPerson, PeopleRefusal, PersonStore } from '../contract/people.js';
import { addingRefused, removingRefused } from '../rules/people.js';
import {
  addedEntry,
  type PersonRecord,
  removedEntry,
  SELECT_PERSON,
  tokenEntry,
  toPerson,
} from '../shared/people.js';
import { appendAudit } from './audit.js';
import type { Database } from './database.js';
import type { Queryable } from './transaction.js';

/** Two who are removed at once must not both be let go because of each other. */
const ONE_AT_A_TIME = 'LOCK TABLE people IN SHARE ROW EXCLUSIVE MODE';

export class PostgresPersonStore implements PersonStore {
  readonly #db: Database;
  readonly #clock: Clock;

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  list(): Promise<readonly Person[]> {
    return listed(this.#db);
  }

  get(name: string): Promise<Person | undefined> {
    return this.#one('name', name);
  }

  byToken(tokenSha256: string): Promise<Person | undefined> {
    return this.#one('token_sha256', tokenSha256);
  }

  bySubject(subject: string): Promise<Person | undefined> {
    return this.#one('subject', subject);
  }

  add(person: NewPerson, by: string): Promise<PeopleRefusal | undefined> {
    return this.#change(async (tx) => {
      const refused = addingRefused(await listed(tx), person);
      if (refused) return refused;
      const { name, roles, subject, tokenSha256, tokenExpiresAt } = person;
      const at = this.#clock.now();
      await tx.run(
        'INSERT INTO people (name, roles, subject, token_sha256, token_expires_at, added_at) VALUES ($1, $2, $3, $4, $5, $6)',
        [name, roles.join(','), subject ?? null, tokenSha256, tokenExpiresAt ?? null, at],
      );
      await appendAudit(tx, addedEntry(person, by), at);
      return undefined;
    });
  }

  remove(name: string, by: string): Promise<PeopleRefusal | undefined> {
    return this.#change(async (tx) => {
      const refused = removingRefused(await listed(tx), name);
      if (refused) return refused;
      const at = this.#clock.now();
      const sql =
        'UPDATE people SET removed_at = $1, token_sha256 = NULL WHERE name = $2 AND removed_at IS NULL';
      await tx.run(sql, [at, name]);
      await appendAudit(tx, removedEntry(name, by), at);
      return undefined;
    });
  }

  setToken(...[name, token, by]: Parameters<PersonStore['setToken']>): Promise<PeopleRefusal | undefined> {
    return this.#change(async (tx) => {
      const sql =
        'UPDATE people SET token_sha256 = $1, token_expires_at = $2 WHERE name = $3 AND removed_at IS NULL';
      if ((await tx.run(sql, [token.sha256, token.expiresAt ?? null, name])) === 0) return 'no_such_person';
      await appendAudit(tx, tokenEntry(name, token.expiresAt, by), this.#clock.now());
      return undefined;
    });
  }

  #change(work: (tx: Queryable) => Promise<PeopleRefusal | undefined>): Promise<PeopleRefusal | undefined> {
    return this.#db.transaction(async (tx) => {
      await tx.run(ONE_AT_A_TIME);
      return work(tx);
    });
  }

  async #one(column: 'name' | 'token_sha256' | 'subject', value: string): Promise<Person | undefined> {
    const found = await this.#db.get<PersonRecord>(`${SELECT_PERSON} AND ${column} = $1`, [value]);
    return found && toPerson(found);
  }
}

async function listed(db: Queryable): Promise<Person[]> {
  return (await db.all<PersonRecord>(`${SELECT_PERSON} ORDER BY name`)).map(toPerson);
}
