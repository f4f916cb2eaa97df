/** What somebody may do. `admin` includes maker and checker. */
export const ROLES = ['viewer', 'maker', 'checker', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** Somebody whom the ledger knows. Of the API token only its SHA-256 is kept. */
export interface Person {
  /** Unique among those who weren't removed. */
  readonly name: string;
  readonly roles: readonly Role[];
  /** By which an OpenID provider names them (`sub`); unique among those who weren't removed. */
  readonly subject?: string;
  /** Milliseconds since 1970, UTC, as all times here. */
  readonly addedAt: number;
  /** When the API token ends; absent: it doesn't. */
  readonly tokenExpiresAt?: number;
}
