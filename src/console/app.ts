import type { IncomingMessage } from 'node:http';
import { type Context, Hono } from 'hono';
import type { ConsoleEnvironment } from '../app/console/console-environment.js';
import type { AppContext } from '../app/context.js';
import { permitted } from '../app/permit.js';
import { type Language, message } from '../errors/message.js';
import type { MessageSurface } from '../errors/message-surface.js';
import { ProductError } from '../errors/product-error.js';
import type { Act } from '../people/identity.js';
import type { Assets } from './assets.js';
import type { OidcSignIn } from './auth/oidc.js';
import {
  checkOrigin,
  checkSite,
  type PublicAddress,
  type RequestOrigin,
  resolveOrigin,
} from './auth/origin.js';
import type { SignIn } from './auth/sign-in.js';
import { EventStreams, RepeatedWrites, readJson, secured } from './http.js';
import { openApiOf } from './openapi.js';
import { problemOf, WebRefusal } from './problem.js';
import type { ConsoleContext } from './route.js';
import { isRaw, isSchema, type Route, type RouteCall } from './route.js';
import type { ServiceRegistry } from './service-registry.js';

const API = '/api/v1';

export interface ConsoleParts {
  readonly app: AppContext;
  readonly environment: ConsoleEnvironment;
  readonly services: ServiceRegistry;
  readonly routes: readonly Route[];
  readonly assets: Assets;
  readonly signIn: SignIn;
  readonly oidc?: OidcSignIn;
  readonly publicAddress: PublicAddress;
  /** Logs internal errors for the operator of the console. */
  readonly log: (text: string) => void;
}

type Env = { Bindings: { readonly incoming: IncomingMessage }; Variables: { requestOrigin: RequestOrigin } };
type RequestContext = Context<Env>;
export type Respond = (request: Request, env: Env['Bindings']) => Promise<Response>;

/** The whole console as one function from requests to responses. */
export function consoleApp(parts: ConsoleParts): Respond {
  const { publicAddress, assets, routes, environment } = parts;
  const app = new Hono<Env>();
  const document = JSON.stringify(openApiOf(routes));
  const limits = { streams: new EventStreams(), writes: new RepeatedWrites() };
  app.onError((error, c) => {
    if (!(error instanceof WebRefusal)) environment.markLedgerSuspect();
    return problemOf(error, problemWording(c.req.raw, parts.app.language), parts.log);
  });
  app.notFound(() => {
    throw new WebRefusal(404, message('console.nothing_there'));
  });
  app.use(async (c, next) => {
    c.set('requestOrigin', resolveOrigin(c.req.raw, c.env.incoming.socket, publicAddress));
    await next();
  });
  app.get(`${API}/openapi.json`, () => json(document));
  for (const route of routes) {
    const path = API + route.path.replaceAll(/\{(\w+)\}/g, ':$1');
    app.on(route.method.toUpperCase(), path, (c) => handleRoute(parts, limits, route, c));
  }
  // A client that is not signed in cannot find out which paths exist.
  app.all(`${API}/*`, async (c) => {
    await authenticate(parts, c);
    throw new WebRefusal(404, message('console.nothing_there'));
  });
  app.get('/auth/oidc', (c) => toProvider(parts, c));
  app.get('/auth/callback', (c) => fromProvider(parts, c));
  app.get(
    '*',
    async (c) => (await signInByLink(parts, c)) ?? (await assets.answer(c.req.raw)) ?? c.notFound(),
  );
  return async (request, env) => secured(await app.fetch(request, env), publicAddress.scheme);
}

function json(text: string, status = 200): Response {
  return new Response(text, { status, headers: { 'content-type': 'application/json' } });
}

function seeOther(location: string, ...cookies: readonly string[]): Response {
  const headers = new Headers({ location });
  for (const cookie of cookies) headers.append('set-cookie', cookie);
  return new Response(undefined, { status: 303, headers });
}

/** Handles the printed address: exchanges its token for a cookie and redirects, which removes the token from the address. */
async function signInByLink({ signIn }: ConsoleParts, c: RequestContext): Promise<Response | undefined> {
  const url = new URL(c.req.url);
  const token = url.searchParams.get('token');
  if (token === null) return undefined;
  const cookie = await signIn.byLink(token, c.get('requestOrigin'));
  if (cookie !== undefined) return seeOther('/', cookie);
  const caller = await signIn.of(c.req.raw, c.get('requestOrigin')).catch(() => undefined);
  return seeOther(caller ? '/' : '/sign-in?problem=console.link_used');
}

async function toProvider({ signIn, oidc }: ConsoleParts, c: RequestContext): Promise<Response> {
  if (!oidc) return c.notFound();
  return atSignIn(async () => {
    const { location, state, seconds } = await oidc.begin(`${c.get('requestOrigin').origin}/auth/callback`);
    return seeOther(location, signIn.cookieOfFlow(state, seconds));
  });
}

async function fromProvider({ signIn, oidc }: ConsoleParts, c: RequestContext): Promise<Response> {
  if (!oidc) return c.notFound();
  return atSignIn(async () => {
    const { search } = new URL(c.req.url);
    const address = new URL(`${c.get('requestOrigin').origin}/auth/callback${search}`);
    const cookie = await signIn.bySubject(await oidc.end(address, signIn.flowOf(c.req.raw)));
    return seeOther('/', cookie, signIn.cookieOfFlow('', 0));
  });
}

/** These requests are navigations of the browser, not calls of a page. Errors are shown by the sign-in page. */
async function atSignIn(work: () => Promise<Response>): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ProductError) || error.kind === 'internal') throw error;
    return seeOther(`/sign-in?problem=${error.code}`);
  }
}

/** @throws WebRefusal if the request is not signed in or comes from another site */
async function authenticate({ signIn }: ConsoleParts, c: RequestContext) {
  const requestOrigin = c.get('requestOrigin');
  const request = c.req.raw;
  const caller = await signIn.of(request, requestOrigin);
  if (!caller)
    throw new WebRefusal(401, message('console.signed_out'), { headers: { 'www-authenticate': 'Bearer' } });
  // A page that one user loaded must not act for another user who signed in since.
  const user = request.headers.get('x-user');
  if (user !== null && user !== encodeURIComponent(caller.signedIn.who))
    throw new WebRefusal(401, message('console.other_user'));
  if (caller.signedIn.by !== 'bearer') {
    if (['GET', 'HEAD'].includes(request.method)) checkSite(request);
    else checkOrigin(request, requestOrigin);
  }
  return caller;
}

interface Limits {
  readonly streams: EventStreams;
  readonly writes: RepeatedWrites;
}

async function handleRoute(
  parts: ConsoleParts,
  limits: Limits,
  route: Route,
  c: RequestContext,
): Promise<Response> {
  const { app, environment, services, signIn } = parts;
  const request = c.req.raw;
  const requestOrigin = c.get('requestOrigin');
  const caller = route.access === 'open' ? undefined : await authenticate(parts, c);
  // Another site must not be able to sign a browser in either.
  if (!caller && request.headers.has('origin') && route.method !== 'get') checkOrigin(request, requestOrigin);
  const language = requestLanguage(request, app.language);
  const { act } = route;
  const params = c.req.param();
  let allowed = caller && { act: 'read' as Act, actor: caller.actor };
  if (caller && act !== undefined)
    allowed = { act, actor: await permitted(caller, await environment.ledger(), act, params.run) };
  const context: ConsoleContext = {
    app: {
      ...app,
      language,
      wording: `${language}@page`,
      opened: environment.ledger,
      as: caller?.as,
      allowed,
    },
    signedIn: caller?.signedIn,
    language,
    settings: environment.settings,
    environment,
    services,
    signIn,
    origin: requestOrigin,
  };
  const headers = new Headers();
  const call: RouteCall = {
    context,
    request,
    headers,
    params: validated(route.params, params),
    query: validated(route.query, Object.fromEntries(new URL(request.url).searchParams)),
    body: isSchema(route.body) ? validated(route.body, await readJson(request)) : undefined,
  };
  const key = caller?.signedIn.key ?? requestOrigin.client;
  const work = async (): Promise<Response> => {
    const answer = await responseOf(route, call);
    headers.forEach((value, name) => {
      answer.headers.append(name, value);
    });
    return answer;
  };
  if (isRaw(route.answer)) return route.answer.events ? limits.streams.opened(key, work) : work();
  const action = request.headers.get('x-act');
  if (route.method === 'get' || action === null || action.length > 100) return work();
  return limits.writes.once(`${key} ${route.method} ${new URL(request.url).pathname} ${action}`, work);
}

async function responseOf(route: Route, call: RouteCall): Promise<Response> {
  const result = await route.handle(call);
  if (route.answer === undefined) return new Response(undefined, { status: 204 });
  return isSchema(route.answer) ? json(JSON.stringify(result), route.status) : (result as Response);
}

/** @throws WebRefusal that names the invalid values */
function validated(schema: Route['params'], value: unknown): unknown {
  if (!schema) return undefined;
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [first, ...others] = result.error.issues.map((issue) =>
    message('console.bad_value', { name: issue.path.join('.') || 'body', text: issue.message }),
  );
  throw new WebRefusal(400, first!, { others });
}

/** Problems use the wording of the command line unless a page of the console sent the request. */
function problemWording(request: Request, otherwise: Language): MessageSurface {
  const language = requestLanguage(request, otherwise);
  return request.headers.get('x-words') === 'page' ? `${language}@page` : language;
}

/** The language chosen in the page (`lang` in links), or that of the browser. */
function requestLanguage(request: Request, otherwise: Language): Language {
  const chosen =
    new URL(request.url).searchParams.get('lang') ?? request.headers.get('accept-language') ?? '';
  const [first] = /\b(?:zh|en)\b/i.exec(chosen) ?? [];
  return first === undefined ? otherwise : (first.toLowerCase() as Language);
}
