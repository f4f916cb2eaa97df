import type { Json, JsonObject } from '../../model/json.js';
import type { Effect } from '../state/effect.js';

/** A checked request: its path and query parameters, and its body ({} where the endpoint has none). */
export interface Call {
  readonly params: ReadonlyMap<string, string>;
  readonly body: JsonObject;
}

/**
 * What an endpoint makes of a request, before anything changes.
 * - reply: nothing to carry out; the reply as it is
 * - effect: to be carried out; the reply's data is what carrying it out gives
 * - invalid: parameter validation failure (13004, or 1001 of the activity service)
 * - business: another business exception (HTTP 299)
 */
export type Decision =
  | { readonly kind: 'reply'; readonly data: Json }
  | { readonly kind: 'effect'; readonly effect: Effect }
  | { readonly kind: 'invalid'; readonly problems: readonly string[] }
  | { readonly kind: 'business'; readonly code: string; readonly message: string; readonly cause: string };

/** Business codes of the sandbox's own choosing (the interface's list: not shown, §7.1). */
export const BUSINESS_CODES = {
  unknownCustomer: '20001',
  noSuchProduct: '20002',
  notOfThatOrder: '20003',
} as const;

/** A text field of a body that the shape check has let through; the empty text when it is absent or null. */
export function textOf(body: JsonObject, name: string): string {
  const value = body[name];
  return typeof value === 'string' ? value : '';
}
