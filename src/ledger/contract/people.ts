import type { Person, Role } from '../../model/person.js';

export interface NewPerson {
  readonly name: string;
  readonly roles: readonly Role[];
  readonly subject?: string | undefined;
  /** SHA-256 of the API token, in hex. */
  readonly tokenSha256: string;
  /** When the token ends; absent: it doesn't. */
  readonly tokenExpiresAt?: number | undefined;
}

/** Why people weren't changed; nothing was written then. */
export type PeopleRefusal = 'name_taken' | 'subject_taken' | 'no_such_person' | 'last_admin';

/** People of the ledger. Every change is one transaction with its line of the audit, told as done by `by`. */
export interface PersonStore {
  /** By name; those who were removed are left out, here and below. */
  list(): Promise<readonly Person[]>;
  get(name: string): Promise<Person | undefined>;
  /** Whose API token that is; also where it has expired. */
  byToken(tokenSha256: string): Promise<Person | undefined>;
  bySubject(subject: string): Promise<Person | undefined>;
  add(person: NewPerson, by: string): Promise<PeopleRefusal | undefined>;
  /** The last admin isn't removed as long as others remain: nobody could manage them any more. */
  remove(name: string, by: string): Promise<PeopleRefusal | undefined>;
  /** Gives a person a new API token; the one before ends. */
  setToken(
    name: string,
    token: { readonly sha256: string; readonly expiresAt?: number | undefined },
    by: string,
  ): Promise<PeopleRefusal | undefined>;
}
