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

export class SqlitePersonStore implements PersonStore {
  readonly #db: Database;
  readonly #clock: Clock;

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  async list(): Promise<readonly Person[]> {
    return this.#db.read(() => this.#all());
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

  async add(person: NewPerson, by: string): Promise<PeopleRefusal | undefined> {
    return this.#db.firstWrite(() => {
      const refused = addingRefused(this.#all(), person);
      if (refused) return refused;
      const { name, roles, subject, tokenSha256, tokenExpiresAt } = person;
      const at = this.#clock.now();
      this.#db.run(
        'INSERT INTO people (name, roles, subject, token_sha256, token_expires_at, added_at) VALUES (?, ?, ?, ?, ?, ?)',
        ...[name, roles.join(','), subject ?? null, tokenSha256, tokenExpiresAt ?? null, at],
      );
      appendAudit(this.#db, addedEntry(person, by), at);
      return undefined;
    });
  }

  async remove(name: string, by: string): Promise<PeopleRefusal | undefined> {
    return this.#db.firstWrite(() => {
      const refused = removingRefused(this.#all(), name);
      if (refused) return refused;
      const at = this.#clock.now();
      const sql =
        'UPDATE people SET removed_at = ?, token_sha256 = NULL WHERE name = ? AND removed_at IS NULL';
      this.#db.run(sql, at, name);
      appendAudit(this.#db, removedEntry(name, by), at);
      return undefined;
    });
  }

  async setToken(
    ...[name, token, by]: Parameters<PersonStore['setToken']>
  ): Promise<PeopleRefusal | undefined> {
    return this.#db.firstWrite(() => {
      const sql =
        'UPDATE people SET token_sha256 = ?, token_expires_at = ? WHERE name = ? AND removed_at IS NULL';
      if (this.#db.run(sql, token.sha256, token.expiresAt ?? null, name) === 0) return 'no_such_person';
      appendAudit(this.#db, tokenEntry(name, token.expiresAt, by), this.#clock.now());
      return undefined;
    });
  }

  #all(): Person[] {
    return this.#db.all<PersonRecord>(`${SELECT_PERSON} ORDER BY name`).map(toPerson);
  }

  async #one(column: 'name' | 'token_sha256' | 'subject', value: string): Promise<Person | undefined> {
    const found = this.#db.read(() =>
      this.#db.get<PersonRecord>(`${SELECT_PERSON} AND ${column} = ?`, value),
    );
    return found && toPerson(found);
  }
}
