/** What `console:` of `license-sync.yaml` says. */
export interface ConsoleSettings {
  /** Where people reach it: `https://licences.example.com`, without a path. */
  readonly url?: string;
  /** Absolute paths of PEM files. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** A proxy in front takes care of TLS: any that connects, or those of these networks. */
  readonly trustedProxy?: true | readonly string[];
  readonly oidc?: OidcSettings;
  /** How long somebody stays signed in. */
  readonly sessionAgeMs: number;
  /** How long a check of an import, a guess or a plan of one may take. */
  readonly checkTimeoutMs: number;
  /** Bytes of an uploaded file, at most. */
  readonly uploadLimit: number;
}

/** The OpenID provider that people sign in at. */
export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  /** Absent for public clients. */
  readonly clientSecret?:
    | { readonly kind: 'env'; readonly name: string }
    | { readonly kind: 'file'; readonly path: string }
    | { readonly kind: 'command'; readonly argv: readonly string[] };
  readonly scope: string;
}
