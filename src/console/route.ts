import { z } from 'zod';
import type { Act } from '../people/roles.js';
import type { ConsoleContext } from './context.js';

/** What a handler is given: who asks and where things are, and what was sent, checked. */
export interface RouteCall<Params = unknown, Query = unknown, Body = unknown> {
  readonly context: ConsoleContext;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** For headers, streamed bodies, and the signal that is aborted when the client has left. */
  readonly request: Request;
  /** Further headers of the answer. */
  readonly headers: Headers;
}

/** A reply that isn't JSON: the handler gives a `Response`. */
export interface RawAnswer {
  readonly raw: readonly string[];
  /** Server-sent events: they stay open, and each session may have a few only. */
  readonly events: boolean;
}

/** A body that the handler reads itself, as a stream. */
export interface RawBody {
  readonly raw: readonly string[];
}

export type Method = 'get' | 'post' | 'delete';
type Checked<S> = S extends z.ZodType ? z.output<S> : undefined;
/** As a handler may give it: what is only read needn't be changeable. */
type Given<T> = T extends readonly (infer Item)[]
  ? readonly Given<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: Given<T[K]> }
    : T;
type Replied<S> = S extends z.ZodType ? Given<z.input<S>> : S extends RawAnswer ? Response : undefined;

interface RouteParts {
  readonly method: Method;
  /** Under `/api/v1`, with `{name}` for what stands in `params`. */
  readonly path: string;
  readonly summary: string;
  /** `signed-in` where absent: anybody may call an `open` one, which must tell nothing. */
  readonly access?: 'open' | 'signed-in';
  /**
   * The act that its use case asks to be permitted; reading where absent. It is asked for at the door, too: nobody sends
   * a body of megabytes only to hear that they may not.
   */
  readonly act?: Act;
  /** Texts of the path. */
  readonly params?: z.ZodType;
  /** Texts of the query: numbers by `z.coerce`. */
  readonly query?: z.ZodType;
  readonly body?: z.ZodType | RawBody;
  /** Absent: 204, nothing. */
  readonly answer?: z.ZodType | RawAnswer;
  /** 200 where absent. */
  readonly status?: 200 | 201 | 202;
}

/** One endpoint as the table has it. */
export interface Route extends RouteParts {
  handle(call: RouteCall): Promise<unknown>;
}

/**
 * One endpoint: what is asked of it, what it answers, and how: `route({ … }).handle(async ({ context, params }) => …)`. The
 * same schemas check requests and make the OpenAPI document.
 */
export function route<const Parts extends RouteParts>(parts: Parts) {
  return {
    handle(
      handle: (
        call: RouteCall<Checked<Parts['params']>, Checked<Parts['query']>, Checked<Parts['body']>>,
      ) => Promise<Replied<Parts['answer']>>,
    ): Route {
      return { ...parts, handle: handle as Route['handle'] };
    },
  };
}

/** The answer is a file or a page of one of these media types. */
export const file = (...raw: string[]): RawAnswer => ({ raw, events: false });

/** The answer is a stream of server-sent events. */
export const events: RawAnswer = { raw: ['text/event-stream'], events: true };

/** The body is read by the handler: `request.body`. */
export const bytes = (...raw: string[]): RawBody => ({ raw });

/** A page of a list; `next` is what the next one is asked for with. */
export function listOf<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), next: z.string().optional() });
}

export function isRaw(it: unknown): it is RawAnswer {
  return typeof it === 'object' && it !== null && 'raw' in it;
}

export function isSchema(it: unknown): it is z.ZodType {
  return it instanceof z.ZodType;
}
