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
 * Something that a request carries out, complete: applied to the same state it does the same again, which is what
 * makes the journal replayable. Kinds and members are the journal's format: those that are there keep their names.
 */
export interface Effect {
  readonly kind: string;
}

/** An effect as the journal keeps it. */
export interface JournalEntry {
  readonly effect: Effect;
  /** Milliseconds since 1970, UTC. */
  readonly at: number;
  /** Of the request that caused it, so that it stays used after a restart. */
  readonly nonce: string;
}

/**
 * What an endpoint makes of a request, before anything changes.
 * - reply: nothing to carry out; the reply as it is
 * - effect: to be carried out; the reply's data is what carrying it out gives
 * - invalid: parameter validation failure (13004, or 1001 of the activity service)
 * - business: another business exception (HTTP 299)
 */
export type SimulatedDecision<Own extends Effect = Effect> =
  | { readonly kind: 'reply'; readonly data: Json }
  | { readonly kind: 'effect'; readonly effect: Own }
  | { readonly kind: 'invalid'; readonly problems: readonly string[] }
  | { readonly kind: 'business'; readonly code: string; readonly message: string; readonly cause: string };

/** A point that the interface leaves open ("not shown", or open to several readings), and what the sandbox does. */
export interface SandboxChoice {
  /** Of the interface. */
  readonly section: string;
  readonly text: string;
}

/** What the sandbox does at one endpoint. */
export interface Simulation<Own extends Effect = Effect> {
  /** In the statistics of the sandbox. */
  readonly name: string;
  readonly endpoint: Endpoint;
  /** The kind of effect that its requests have; absent: it only reads. */
  readonly effect?: Own['kind'];
  /** What it counts in `State.counts`, each from 0. */
  readonly counts?: readonly string[];
  readonly choices?: readonly SandboxChoice[];
  /** A problem of the body's shape that the platform lets pass. */
  lenient?(problem: ShapeProblem, body: JsonObject): boolean;
  /** What becomes of a request whose shape has been checked. Changes nothing. */
  decide(state: State, call: Call): SimulatedDecision<Own>;
  /** Carries out what it decided, now or when the journal is read again; gives the data of the reply. */
  apply?(state: State, effect: Own, at: number): Json;
}

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

export function textsOf<Name extends string>(
  body: JsonObject,
  names: readonly Name[],
): Readonly<Record<Name, string>> {
  return Object.fromEntries(names.map((it) => [it, textOf(body, it)])) as Record<Name, string>;
}
