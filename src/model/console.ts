import type { CommandSource, SecretSource } from '../util/secret-source.js';

/** The settings of `console:` in `license-sync.yaml`. */
export interface ConsoleSettings {
  /** Address for users: `https://licences.example.com`, without a path. */
  readonly url?: string;
  /** Absolute paths of PEM files. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** A proxy in front terminates TLS: any that connects, or those in these networks. */
  readonly trustedProxy?: true | readonly string[];
  readonly oidc?: OidcSettings;
  /** How long a user stays signed in. */
  readonly sessionAgeMs: number;
  /** How long a check of an import, a guess or a plan of one may take. */
  readonly checkTimeoutMs: number;
  /** Maximum size of an uploaded file, in bytes. */
  readonly uploadLimit: number;
}

/** The OpenID provider for signing in. */
export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  /** Absent for public clients. */
  readonly clientSecret?: SecretSource | CommandSource;
  readonly scope: string;
}

/** Roles of users. `admin` includes maker and checker. */
export const ROLES = ['viewer', 'maker', 'checker', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** A user of the ledger. Only the SHA-256 of the API token is stored. */
export interface Person {
  /** Unique among users that are not removed. */
  readonly name: string;
  readonly roles: readonly Role[];
  /** The user's `sub` at the OpenID provider; unique among users that are not removed. */
  readonly subject?: string;
  /** Milliseconds since 1970, UTC. */
  readonly addedAt: number;
  /** Expiry of the API token, milliseconds since 1970, UTC; absent: never. */
  readonly tokenExpiresAt?: number;
}
