import type { IncomingMessage } from 'node:http';
import { type Context, Hono } from 'hono';
import type { ConsoleGround } from '../app/console/ground.js';
import type { AppContext } from '../app/context.js';
import { permitted } from '../app/people/permit.js';
import type { Wording } from '../errors/at-page.js';
import { type Language, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { Assets } from './assets.js';
import type { OidcSignIn } from './auth/oidc.js';
import { checkOrigin, checkSite, type Reached, type Way, wayOf } from './auth/origin.js';
import type { SignIn } from './auth/sign-in.js';
import type { ConsoleContext } from './context.js';
import { EventStreams } from './event-streams.js';
import { secured } from './headers.js';
import type { House } from './house.js';
import { openApiOf } from './openapi.js';
import { problemOf, WebRefusal } from './problem.js';
import { readJson } from './read-body.js';
import { RepeatedWrites } from './repeated-writes.js';
import { isRaw, isSchema, type Route, type RouteCall } from './route.js';

const API = '/api/v1';

export interface ConsoleParts {
  readonly app: AppContext;
  readonly ground: ConsoleGround;
  readonly house: House;
  readonly routes: readonly Route[];
  readonly assets: Assets;
  readonly signIn: SignIn;
  readonly oidc?: OidcSignIn;
  readonly reached: Reached;
  /** For whoever runs the console: faults of the program. */
  readonly tell: (text: string) => void;
}

type Env = { Bindings: { readonly incoming: IncomingMessage }; Variables: { way: Way } };
type Asked = Context<Env>;
export type Respond = (request: Request, env: Env['Bindings']) => Promise<Response>;

/** The whole of the console as one function from requests to answers. */
export function consoleApp(parts: ConsoleParts): Respond {
  const { reached, assets, routes, ground } = parts;
  const app = new Hono<Env>();
  const document = JSON.stringify(openApiOf(routes));
  const limits = { streams: new EventStreams(), writes: new RepeatedWrites() };
  app.onError((error, c) => {
    if (!(error instanceof WebRefusal)) ground.doubt();
    return problemOf(error, wordingOfProblems(c.req.raw, parts.app.language), parts.tell);
  });
  app.notFound(() => {
    throw new WebRefusal(404, message('console.nothing_there'));
  });
  app.use(async (c, next) => {
    c.set('way', wayOf(c.req.raw, c.env.incoming.socket, reached));
    await next();
  });
  app.get(`${API}/openapi.json`, () => json(document));
  for (const it of routes) {
    const path = API + it.path.replaceAll(/\{(\w+)\}/g, ':$1');
    app.on(it.method.toUpperCase(), path, (c) => answerOf(parts, limits, it, c));
  }
  // Whoever isn't signed in learns nothing of what is there.
  app.all(`${API}/*`, async (c) => {
    await entered(parts, c);
    throw new WebRefusal(404, message('console.nothing_there'));
  });
  app.get('/auth/oidc', (c) => toProvider(parts, c));
  app.get('/auth/callback', (c) => fromProvider(parts, c));
  app.get('*', async (c) => (await byLink(parts, c)) ?? (await assets.answer(c.req.raw)) ?? c.notFound());
  return async (request, env) => secured(await app.fetch(request, env), reached.scheme);
}

function json(text: string, status = 200): Response {
  return new Response(text, { status, headers: { 'content-type': 'application/json' } });
}

function seeOther(location: string, ...cookies: readonly string[]): Response {
  const headers = new Headers({ location });
  for (const cookie of cookies) headers.append('set-cookie', cookie);
  return new Response(undefined, { status: 303, headers });
}

/** The page that the printed address leads to: its token becomes a cookie, and leaves the address. */
async function byLink({ signIn }: ConsoleParts, c: Asked): Promise<Response | undefined> {
  const url = new URL(c.req.url);
  const token = url.searchParams.get('token');
  if (token === null) return undefined;
  const cookie = await signIn.byLink(token, c.get('way'));
  if (cookie !== undefined) return seeOther('/', cookie);
  const known = await signIn.of(c.req.raw, c.get('way')).catch(() => undefined);
  return seeOther(known ? '/' : '/sign-in?problem=console.link_used');
}

async function toProvider({ signIn, oidc }: ConsoleParts, c: Asked): Promise<Response> {
  if (!oidc) return c.notFound();
  return atSignIn(async () => {
    const { location, state, seconds } = await oidc.begin(`${c.get('way').origin}/auth/callback`);
    return seeOther(location, signIn.cookieOfFlow(state, seconds));
  });
}

async function fromProvider({ signIn, oidc }: ConsoleParts, c: Asked): Promise<Response> {
  if (!oidc) return c.notFound();
  return atSignIn(async () => {
    const { search } = new URL(c.req.url);
    const address = new URL(`${c.get('way').origin}/auth/callback${search}`);
    const cookie = await signIn.bySubject(await oidc.end(address, signIn.flowOf(c.req.raw)));
    return seeOther('/', cookie, signIn.cookieOfFlow('', 0));
  });
}

/** Browsers are led here, not pages: what goes wrong is told by the page that signs in. */
async function atSignIn(work: () => Promise<Response>): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ProductError) || error.kind === 'internal') throw error;
    return seeOther(`/sign-in?problem=${error.code}`);
  }
}

/** @throws WebRefusal where nobody is signed in, or another page asks */
async function entered({ signIn }: ConsoleParts, c: Asked) {
  const way = c.get('way');
  const request = c.req.raw;
  const who = await signIn.of(request, way);
  if (!who)
    throw new WebRefusal(401, message('console.signed_out'), { headers: { 'www-authenticate': 'Bearer' } });
  if (who.signedIn.by !== 'bearer') {
    if (['GET', 'HEAD'].includes(request.method)) checkSite(request);
    else checkOrigin(request, way);
  }
  return who;
}

interface Limits {
  readonly streams: EventStreams;
  readonly writes: RepeatedWrites;
}

async function answerOf(parts: ConsoleParts, limits: Limits, it: Route, c: Asked): Promise<Response> {
  const { app, ground, house, signIn } = parts;
  const request = c.req.raw;
  const way = c.get('way');
  const who = it.access === 'open' ? undefined : await entered(parts, c);
  // Nobody is signed in by another page, either.
  if (!who && request.headers.has('origin') && it.method !== 'get') checkOrigin(request, way);
  const language = languageOf(request, app.language);
  const context: ConsoleContext = {
    app: {
      ...app,
      language,
      wording: `${language}@page`,
      opened: ground.ledger,
      ...(who ? { as: who.as } : {}),
    },
    ...(who ? { signedIn: who.signedIn } : {}),
    language,
    settings: ground.settings,
    ground,
    house,
    signIn,
    way,
  };
  if (it.act !== undefined) await permitted(context.app, await ground.ledger(), it.act, c.req.param('run'));
  const headers = new Headers();
  const call: RouteCall = {
    context,
    request,
    headers,
    params: checked(it.params, c.req.param()),
    query: checked(it.query, Object.fromEntries(new URL(request.url).searchParams)),
    body: isSchema(it.body) ? checked(it.body, await readJson(request)) : undefined,
  };
  const key = who?.signedIn.key ?? way.client;
  const work = async (): Promise<Response> => {
    const answer = await replied(it, call);
    headers.forEach((value, name) => {
      answer.headers.append(name, value);
    });
    return answer;
  };
  if (isRaw(it.answer)) return it.answer.events ? limits.streams.opened(key, work) : work();
  const act = request.headers.get('x-act');
  if (it.method === 'get' || act === null || act.length > 100) return work();
  return limits.writes.once(`${key} ${it.method} ${new URL(request.url).pathname} ${act}`, work);
}

async function replied(it: Route, call: RouteCall): Promise<Response> {
  const given = await it.handle(call);
  if (it.answer === undefined) return new Response(undefined, { status: 204 });
  return isSchema(it.answer) ? json(JSON.stringify(given), it.status) : (given as Response);
}

/** @throws WebRefusal that says which of it is wrong */
function checked(schema: Route['params'], value: unknown): unknown {
  if (!schema) return undefined;
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const [first, ...others] = read.error.issues.map((issue) =>
    message('console.bad_value', { name: issue.path.join('.') || 'body', text: issue.message }),
  );
  throw new WebRefusal(400, first!, { others });
}

/** Problems say what the command line does, unless a page asks. */
function wordingOfProblems(request: Request, otherwise: Language): Wording {
  const language = languageOf(request, otherwise);
  return request.headers.get('x-words') === 'page' ? `${language}@page` : language;
}

/** As the page's reader chose it (`lang`, where a link says it), or their browser. */
function languageOf(request: Request, otherwise: Language): Language {
  const chosen =
    new URL(request.url).searchParams.get('lang') ?? request.headers.get('accept-language') ?? '';
  const [first] = /\b(?:zh|en)\b/i.exec(chosen) ?? [];
  return first === undefined ? otherwise : (first.toLowerCase() as Language);
}
