import { z } from 'zod';
import type { ConsoleEnvironment } from '../app/console/console-environment.js';
import type { AppContext } from '../app/context.js';
import type { Language } from '../errors/message.js';
import type { ConsoleSettings } from '../model/console.js';
import type { Act } from '../people/identity.js';
import type { RequestOrigin } from './auth/origin.js';
import type { SignedIn, SignIn } from './auth/sign-in.js';
import type { ServiceRegistry } from './service-registry.js';

export interface ConsoleContext {
  /** For use cases: the caller, the language of the request, and the open ledger. */
  readonly app: AppContext;
  /** Absent if the route is open and the request is not signed in. */
  readonly signedIn?: SignedIn | undefined;
  readonly language: Language;
  readonly settings: ConsoleSettings;
  readonly environment: ConsoleEnvironment;
  /** Singletons of the process. */
  readonly services: ServiceRegistry;
  readonly signIn: SignIn;
  /** Client address and origin of the request. */
  readonly origin: RequestOrigin;
}

/** The validated input of a handler. */
export interface RouteCall<Params = unknown, Query = unknown, Body = unknown> {
  readonly context: ConsoleContext;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** For headers, streamed bodies, and the signal that is aborted when the client disconnects. */
  readonly request: Request;
  /** Additional headers of the response. */
  readonly headers: Headers;
}

/** A response that is not JSON; the handler returns a `Response`. */
export interface RawAnswer {
  readonly raw: readonly string[];
  /** Server-sent events. They stay open, and their number per session is limited. */
  readonly events: boolean;
}

/** A body that the handler reads as a stream. */
export interface RawBody {
  readonly raw: readonly string[];
}

type Method = 'get' | 'post' | 'delete';
type ValidatedInput<S> = S extends z.ZodType ? z.output<S> : undefined;
/** The type a handler may return: readonly arrays and members are allowed. */
type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T;
type HandlerResult<S> = S extends z.ZodType
  ? DeepReadonly<z.input<S>>
  : S extends RawAnswer
    ? Response
    : undefined;

interface RouteParts {
  readonly method: Method;
  /** Under `/api/v1`, with `{name}` for the members of `params`. */
  readonly path: string;
  readonly summary: string;
  /** Default `signed-in`. An `open` route needs no sign-in and must not disclose data. */
  readonly access?: 'open' | 'signed-in';
  /**
   * The action whose permission is required; default: reading. It is checked once, before the body is read, so that a
   * client without permission does not send megabytes in vain. The use case does not check the same action again; child
   * processes check it themselves.
   */
  readonly act?: Act;
  /** Path parameters, as text. */
  readonly params?: z.ZodType;
  /** Query parameters, as text: numbers need `z.coerce`. */
  readonly query?: z.ZodType;
  readonly body?: z.ZodType | RawBody;
  /** Absent: 204 without a body. */
  readonly answer?: z.ZodType | RawAnswer;
  /** Default 200. */
  readonly status?: 200 | 201 | 202;
}

export interface Route extends RouteParts {
  handle(call: RouteCall): Promise<unknown>;
}

/**
 * Defines an endpoint: `route({ … }).handle(async ({ context, params }) => …)`. The schemas validate requests and
 * generate the OpenAPI document.
 */
export function route<const Parts extends RouteParts>(parts: Parts) {
  return {
    handle(
      handle: (
        call: RouteCall<
          ValidatedInput<Parts['params']>,
          ValidatedInput<Parts['query']>,
          ValidatedInput<Parts['body']>
        >,
      ) => Promise<HandlerResult<Parts['answer']>>,
    ): Route {
      return { ...parts, handle: handle as Route['handle'] };
    },
  };
}

/** The response is a file of one of these media types. */
export const file = (...raw: string[]): RawAnswer => ({ raw, events: false });

/** The response is a stream of server-sent events. */
export const events: RawAnswer = { raw: ['text/event-stream'], events: true };

/** The handler reads `request.body` itself. */
export const bytes = (...raw: string[]): RawBody => ({ raw });

/** A page of a list; `next` is the cursor of the next page. */
export function listOf<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), next: z.string().optional() });
}

export function isRaw(value: unknown): value is RawAnswer {
  return typeof value === 'object' && value !== null && 'raw' in value;
}

export function isSchema(value: unknown): value is z.ZodType {
  return value instanceof z.ZodType;
}
