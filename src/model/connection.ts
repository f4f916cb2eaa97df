import type { Notification } from './notification.js';
import { hostNameOf } from './platform-address.js';

/** A platform address with its credential and limits, defaults filled in. Holds no secret: only where it is found. */
export interface Connection {
  readonly name: string;
  /** The simulated platform, built in or served. */
  readonly sandbox: boolean;
  /** Origin and path prefix without a trailing slash; absent while an in-process sandbox is not started yet. */
  readonly baseUrl?: string;
  /** `baseUrl` is that of a sandbox that is being served, and not configured: it changes with every start. */
  readonly served?: true;
  /** Names the platform if the address does not identify it: connections with the same name lead to one platform. */
  readonly platform?: string;
  readonly appKey?: string;
  readonly token: TokenSource;
  readonly requestsPerSecond?: number;
  /** Requests that may be under way at a time, over all workers together. */
  readonly maxInFlight?: number;
  /**
   * How long a connection may have been idle to carry a request that is not repeatable, in milliseconds; default 1 s. The
   * other side may just have closed it, and then nobody knows what became of the request.
   */
  readonly idleReuseMs?: number;
  readonly timestamps: 'milliseconds' | 'seconds';
  /** IANA name. */
  readonly timezone: string;
  readonly allowInsecureHttp: boolean;
  readonly confirm: 'default' | 'always';
  /** `retry`: business code 500 is retried for all; `repeatable`: only where a repeat is harmless. */
  readonly retryCode500: 'retry' | 'repeatable';
  /** Whom to tell when a run over this connection has ended, beside those that the job names. */
  readonly notify?: readonly Notification[];
  /** What is sent over it wants a second person's approval: of the plan, by its hash. */
  readonly approval?: ApprovalPolicy;
  /** What other connections of the settings want that lead to the same host: it holds over this one too. */
  readonly hostApprovals?: readonly ApprovalPolicy[];
}

/** Which plans want an approval: all, unless something narrows it down. */
export interface ApprovalPolicy {
  /** Operations by name, `*` standing for any part of one. */
  readonly operations?: readonly string[];
  /** Plans of more items than this. */
  readonly above?: number;
}

/**
 * By what approvals know a platform: its host in one form, with its port unless that is a usual one, whatever the connection is
 * called. A path is no other platform: nobody gets round a policy by another way of writing it. undefined for a sandbox
 * whose address changes with every start.
 */
export function policyHost({ baseUrl, served }: Pick<Connection, 'baseUrl' | 'served'>): string | undefined {
  if (baseUrl === undefined || served) return undefined;
  const url = new URL(baseUrl);
  return `${hostNameOf(url)}${url.port === '' ? '' : `:${url.port}`}`;
}

/** All that is wanted over a connection by its settings. */
export function policiesOf({
  approval,
  hostApprovals = [],
}: Pick<Connection, 'approval' | 'hostApprovals'>): readonly ApprovalPolicy[] {
  return approval ? [approval, ...hostApprovals] : hostApprovals;
}

export type TokenSource =
  | { readonly kind: 'env'; readonly name: string }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'command'; readonly argv: readonly string[] }
  | { readonly kind: 'sandbox' }
  /** In a ledger, in place of a command: its arguments may hold secrets. */
  | { readonly kind: 'withheld'; readonly sha256: string };
