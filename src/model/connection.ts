import { isLoopback } from '../util/loopback.js';
import type { CommandSource, SecretSource } from '../util/secret-source.js';

/** The normalized host of a URL, without its port. All names of this machine become `localhost`. */
export function hostNameOf({ hostname }: Pick<URL, 'hostname'>): string {
  const name = hostname.replace(/\.+$/, '');
  return isLoopback(name) || isThisMachine(name) ? 'localhost' : name;
}

/**
 * A platform's normalized address: scheme, host, port and path (contract section 4, "Keys and duplicates"). `URL` has already
 * converted the host to lowercase and Punycode, and removed a default port.
 */
export function platformAddress(baseUrl: string): string {
  const url = new URL(baseUrl);
  const path = url.pathname
    .replace(/%[\da-f]{2}/gi, (it) => {
      const character = String.fromCharCode(Number.parseInt(it.slice(1), 16));
      return /[\w~.-]/.test(character) ? character : it.toUpperCase();
    })
    .replace(/\/{2,}/g, '/')
    .replace(/\/$/, '');
  return `${url.protocol}//${hostNameOf(url)}${url.port === '' ? '' : `:${url.port}`}${path}`;
}

/** Addresses that reach this machine, but for which a token requires TLS, unlike loopback names. */
function isThisMachine(name: string): boolean {
  return name === '0.0.0.0' || name === '[::]' || /^\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\]$/.test(name);
}

/** A platform address with its credential and limits, defaults filled in. Contains only the sources of secrets. */
export interface Connection {
  readonly name: string;
  /** The simulated platform, built in or served. */
  readonly sandbox: boolean;
  /** Origin and path prefix without a trailing slash; absent while an in-process sandbox is not started yet. */
  readonly baseUrl?: string;
  /** `baseUrl` is the address of a running sandbox server and not configured: it changes with every start. */
  readonly served?: true;
  /** Name of the platform if the address does not identify it: connections with the same name lead to one platform. */
  readonly platform?: string;
  readonly appKey?: string;
  readonly token: TokenSource;
  readonly requestsPerSecond?: number;
  /** Maximum number of requests in flight, for all workers together. */
  readonly maxInFlight?: number;
  /**
   * Maximum idle time, in milliseconds, of a network connection that is reused for a request that is not repeatable; default 1 s.
   * The server may just have closed an idle connection, and the outcome of the request would be unknown.
   */
  readonly idleReuseMs?: number;
  readonly timestamps: 'milliseconds' | 'seconds';
  /** IANA name. */
  readonly timezone: string;
  readonly allowInsecureHttp: boolean;
  readonly confirm: 'default' | 'always';
  /** `retry`: business code 500 is retried for all; `repeatable`: only for repeatable operations. */
  readonly retryCode500: 'retry' | 'repeatable';
  /** Notifications after a run on this connection, in addition to those of the job. */
  readonly notify?: readonly Notification[];
  /** Plans that require another user's approval; an approval is valid for the plan's hash. */
  readonly approval?: ApprovalPolicy;
  /** Approvals that other connections to the same host require. They apply to this connection too. */
  readonly hostApprovals?: readonly ApprovalPolicy[];
}

/** The plans that require an approval: all, unless a member restricts them. */
export interface ApprovalPolicy {
  /** Operations by name; `*` matches any part of a name. */
  readonly operations?: readonly string[];
  /** Plans of more items than this. */
  readonly above?: number;
}

/**
 * Identifies a platform for approvals: the normalized host, with a port unless it is the default, independent of the name of the
 * connection. The path is ignored, so that another spelling of the address does not bypass a policy. undefined for a sandbox
 * whose address changes with every start.
 */
export function policyHost({ baseUrl, served }: Pick<Connection, 'baseUrl' | 'served'>): string | undefined {
  if (baseUrl === undefined || served) return undefined;
  const url = new URL(baseUrl);
  return `${hostNameOf(url)}${url.port === '' ? '' : `:${url.port}`}`;
}

/** All approvals that the settings require for a connection. */
export function policiesOf({
  approval,
  hostApprovals = [],
}: Pick<Connection, 'approval' | 'hostApprovals'>): readonly ApprovalPolicy[] {
  return approval ? [approval, ...hostApprovals] : hostApprovals;
}

export type TokenSource =
  | SecretSource
  | CommandSource
  | { readonly kind: 'sandbox' }
  /** Replaces a command in a ledger, because its arguments may contain secrets. */
  | { readonly kind: 'withheld'; readonly sha256: string };

/** A notification at the end of a run: its condition and its target. */
export interface Notification {
  /** problem: every exit code but 0. */
  readonly on: 'always' | 'problem' | 'success';
  readonly target: WebhookTarget | CommandTarget;
}

export interface WebhookTarget {
  readonly kind: 'webhook';
  /** https, or http to a loopback address. May be a secret itself. */
  readonly url: string;
  /** Key of the HMAC-SHA-256 signature. */
  readonly secret?: SecretSource;
  /** The body: text in which `{field}` is replaced by that field of the run's summary; absent: the summary as JSON. */
  readonly template?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly retries: number;
}

export interface CommandTarget {
  readonly kind: 'command';
  /** Program and arguments; the program reads the summary as JSON from its standard input. */
  readonly argv: readonly string[];
  readonly timeoutMs: number;
}
