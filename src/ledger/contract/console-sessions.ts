/** Somebody who is signed in at a console. Times are milliseconds since 1970. */
export interface ConsoleSession {
  /** SHA-256 of what the browser holds: who reads the ledger can't sign in with it. */
  readonly id: string;
  /** As audits name them: `os:wang@desk-7`, or the name of a person. */
  readonly who: string;
  /** The person of the ledger; absent for the user of the console's own machine. */
  readonly person?: string;
  readonly via: 'link' | 'token' | 'oidc';
  readonly createdAt: number;
  /** When it was used last, to the minute. */
  readonly seenAt: number;
  readonly expiresAt: number;
}

/** Sessions of consoles. One that has expired or was revoked is never given. */
export interface ConsoleSessionStore {
  /** Durable when it resolves. Those that expired long ago are forgotten. */
  begin(session: ConsoleSession): Promise<void>;
  find(id: string, now: number): Promise<ConsoleSession | undefined>;
  /** Notes that it is in use, unless somebody else is writing for long: then that is noted another time. */
  seen(id: string, at: number): Promise<void>;
  /** The last to sign in first; of one, where named. */
  list(now: number, who?: string): Promise<readonly ConsoleSession[]>;
  /** True when it was living until now. */
  revoke(id: string, at: number): Promise<boolean>;
  /** Ends all of one; gives how many there were. */
  revokeOf(who: string, at: number): Promise<number>;
}
