/** Whom to tell when a run has ended, and of which ends. */
export interface Notification {
  /** problem: every exit code but 0. */
  readonly on: 'always' | 'problem' | 'success';
  readonly target: WebhookTarget | CommandTarget;
}

/** Where a secret is found; it is fetched when it is needed and kept nowhere. */
export type SecretSource =
  | { readonly kind: 'env'; readonly name: string }
  | { readonly kind: 'file'; readonly path: string };

export interface WebhookTarget {
  readonly kind: 'webhook';
  /** https, or http to a loopback address. May be a secret itself. */
  readonly url: string;
  /** Key of the HMAC-SHA-256 signature. */
  readonly secret?: SecretSource;
  /** The body: text with `{field}` of the run's summary put in; absent: the summary as JSON. */
  readonly template?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly retries: number;
}

export interface CommandTarget {
  readonly kind: 'command';
  /** Program and arguments; the summary's JSON comes on its stdin. */
  readonly argv: readonly string[];
  readonly timeoutMs: number;
}
