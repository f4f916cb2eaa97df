import type { Person, Role } from '../../model/console.js';

export interface NewPerson {
  readonly name: string;
  readonly roles: readonly Role[];
  readonly subject?: string | undefined;
  /** SHA-256 of the API token, in hex. */
  readonly tokenSha256: string;
  /** When the token expires; absent: never. */
  readonly tokenExpiresAt?: number | undefined;
}

/** Why a change of users was refused; nothing was written then. */
export type PeopleRefusal = 'name_taken' | 'subject_taken' | 'no_such_person' | 'last_admin';

/** Users of the ledger. Every change is one transaction with its audit entry, in the name of `by`. */
export interface PersonStore {
  /** By name. Removed users are excluded, here and below. */
  list(): Promise<readonly Person[]>;
  get(name: string): Promise<Person | undefined>;
  /** The user with this API token, even if it has expired. */
  byToken(tokenSha256: string): Promise<Person | undefined>;
  bySubject(subject: string): Promise<Person | undefined>;
  add(person: NewPerson, by: string): Promise<PeopleRefusal | undefined>;
  /** Refuses to remove the last admin while other users remain, because no user could manage them. */
  remove(name: string, by: string): Promise<PeopleRefusal | undefined>;
  /** Replaces a user's API token. */
  setToken(
    name: string,
    token: { readonly sha256: string; readonly expiresAt?: number | undefined },
    by: string,
  ): Promise<PeopleRefusal | undefined>;
}

/** A session of a user at a console. Times are milliseconds since 1970. */
export interface ConsoleSession {
  /** SHA-256 of the browser's secret, so that a reader of the ledger can't sign in with it. */
  readonly id: string;
  /** As in the audit: `os:wang@desk-7`, or a user's name. */
  readonly who: string;
  /** The user of the ledger; absent for the operating system's user on the console's machine. */
  readonly person?: string;
  readonly via: 'link' | 'token' | 'oidc';
  readonly createdAt: number;
  /** Last use, to the minute. */
  readonly seenAt: number;
  readonly expiresAt: number;
}

/** Sessions of consoles. Expired and revoked sessions are never returned. */
export interface ConsoleSessionStore {
  /** Durable when it resolves. Removes sessions that expired long ago. */
  begin(session: ConsoleSession): Promise<void>;
  find(id: string, now: number): Promise<ConsoleSession | undefined>;
  /** Records its use, or skips that while another process holds the write lock for long. */
  seen(id: string, at: number): Promise<void>;
  /** Newest first; only of the user `who`, if given. */
  list(now: number, who?: string): Promise<readonly ConsoleSession[]>;
  /** True if it was valid until now. */
  revoke(id: string, at: number): Promise<boolean>;
  /** Revokes all sessions of a user; returns how many there were. */
  revokeOf(who: string, at: number): Promise<number>;
}
