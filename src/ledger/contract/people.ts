import type { Role } from '../../model/console.js';

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
