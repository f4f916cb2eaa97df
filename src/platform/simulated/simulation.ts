import type { ShapeProblem } from '../../model/field.js';
import type { Json, JsonObject } from '../../model/json.js';
import type { Endpoint } from '../../model/operation.js';
import type { State } from './state.js';

/** A checked request: its path and query parameters, and its body ({} where the endpoint has none). */
export interface Call {
  readonly params: ReadonlyMap<string, string>;
  readonly body: JsonObject;
}

/**
 * A complete effect of a request: applied to the same state it has the same result, so that the journal can be
 * replayed. Kinds and members are the journal's format, so existing ones keep their names.
 */
export interface Effect {
  readonly kind: string;
}

export interface JournalEntry {
  readonly effect: Effect;
  /** Milliseconds since 1970, UTC. */
  readonly at: number;
  /** Nonce of the request, so that it stays used after a restart. */
  readonly nonce: string;
}

/**
 * An endpoint's decision on a request, before anything changes.
 * - reply: no effect; the reply
 * - effect: to be applied; applying it returns the reply's data
 * - invalid: parameter validation failure (13004, or 1001 of the activity service)
 * - business: another business exception (HTTP 299)
 */
export type SimulatedDecision<E extends Effect = Effect> =
  | { readonly kind: 'reply'; readonly data: Json }
  | { readonly kind: 'effect'; readonly effect: E }
  | { readonly kind: 'invalid'; readonly problems: readonly string[] }
  | { readonly kind: 'business'; readonly code: string; readonly message: string; readonly cause: string };

/** A point that the interface leaves open ("not shown", or ambiguous), and what the sandbox does. */
export interface SandboxChoice {
  /** Section of the interface. */
  readonly section: string;
  readonly text: string;
}

export interface Simulation<E extends Effect = Effect> {
  /** Name in the statistics of the sandbox. */
  readonly name: string;
  readonly endpoint: Endpoint;
  /** Kind of the effects of its requests; absent: it only reads. */
  readonly effect?: E['kind'];
  /** Counters in `State.counts`, each from 0. */
  readonly counts?: readonly string[];
  readonly choices?: readonly SandboxChoice[];
  /** True for a problem of the body's shape that the platform accepts. */
  lenient?(problem: ShapeProblem, body: JsonObject): boolean;
  /** Decides on a request whose shape has been checked. Changes nothing. */
  decide(state: State, call: Call): SimulatedDecision<E>;
  /** Applies an effect, now or when the journal is replayed; returns the data of the reply. */
  apply?(state: State, effect: E, at: number): Json;
}

/** Business codes chosen by the sandbox (the interface's list: not shown, §7.1). */
export const BUSINESS_CODES = {
  unknownCustomer: '20001',
  noSuchProduct: '20002',
  notOfThatOrder: '20003',
} as const;

/** A text field of a body whose shape was checked; '' if it is absent or null. */
export function textOf(body: JsonObject, name: string): string {
  const value = body[name];
  return typeof value === 'string' ? value : '';
}

export function textsOf<Name extends string>(
  body: JsonObject,
  names: readonly Name[],
): Readonly<Record<Name, string>> {
  return Object.fromEntries(names.map((it) => [it, textOf(body, it)])) as Record<Name, string>;
}
