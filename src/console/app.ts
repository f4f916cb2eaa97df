import { Hono } from 'hono';
import type { ConsoleGround } from '../app/console.js';
import type { AppContext } from '../app/context.js';
import { type Language, message } from '../errors/message.js';
import type { Assets } from './assets.js';
import { checkHost, checkOrigin, type Reached } from './auth/origin.js';
import type { SignIn } from './auth/sign-in.js';
import type { ConsoleContext } from './context.js';
import { secured } from './headers.js';
import type { House } from './house.js';
import { openApiOf } from './openapi.js';
import { problemOf, WebRefusal } from './problem.js';
import { readJson } from './read-body.js';
import { isSchema, type Route } from './route.js';

const API = '/api/v1';

export interface ConsoleParts {
  readonly app: AppContext;
  readonly ground: ConsoleGround;
  readonly house: House;
  readonly routes: readonly Route[];
  readonly assets: Assets;
  readonly signIn: SignIn;
  readonly reached: Reached;
  /** For whoever runs the console: faults of the program. */
  readonly tell: (text: string) => void;
}

/** The whole of the console as one function from requests to answers. */
export function consoleApp(parts: ConsoleParts): (request: Request) => Promise<Response> {
  const { signIn, reached, assets, routes } = parts;
  const app = new Hono();
  const document = JSON.stringify(openApiOf(routes));
  app.onError((error, c) => problemOf(error, languageOf(c.req.raw, parts.app.language), parts.tell));
  app.notFound(() => {
    throw new WebRefusal(404, message('console.nothing_there'));
  });
  app.use(async (c, next) => {
    checkHost(c.req.raw, reached);
    await next();
  });
  app.get(`${API}/openapi.json`, () => json(document));
  app.delete(`${API}/session`, async (c) => {
    checkOrigin(c.req.raw, reached);
    return new Response(undefined, { status: 204, headers: { 'set-cookie': await signIn.out(c.req.raw) } });
  });
  for (const it of routes) {
    app.on(it.method.toUpperCase(), API + it.path.replaceAll(/\{(\w+)\}/g, ':$1'), (c) =>
      answerOf(parts, it, c.req.raw, c.req.param()),
    );
  }
  app.all(`${API}/*`, async (c) => {
    await entered(parts, c.req.raw);
    throw new WebRefusal(404, message('console.nothing_there'));
  });
  app.get(
    '*',
    async (c) => (await byLink(parts, c.req.raw)) ?? (await assets.answer(c.req.raw)) ?? c.notFound(),
  );
  return async (request) => secured(await app.fetch(request));
}

function json(text: string, status = 200): Response {
  return new Response(text, { status, headers: { 'content-type': 'application/json' } });
}

/** The page that the printed address leads to: its token becomes a cookie, and leaves the address. */
async function byLink({ signIn }: ConsoleParts, request: Request): Promise<Response | undefined> {
  const url = new URL(request.url);
  const token = url.searchParams.get('token');
  if (token === null) return undefined;
  const cookie = await signIn.byLink(token);
  const known = cookie !== undefined || (await signIn.of(request)) !== undefined;
  const location = known ? url.pathname : '/sign-in';
  return new Response(undefined, {
    status: 303,
    headers: { location, ...(cookie === undefined ? {} : { 'set-cookie': cookie }) },
  });
}

/** @throws WebRefusal where nobody is signed in */
async function entered({ signIn, reached }: ConsoleParts, request: Request) {
  const who = await signIn.of(request);
  if (!who)
    throw new WebRefusal(401, message('console.signed_out'), { headers: { 'www-authenticate': 'Bearer' } });
  const byCookie = who.signedIn.by !== 'bearer';
  if (byCookie && !['GET', 'HEAD'].includes(request.method)) checkOrigin(request, reached);
  return who;
}

async function answerOf(
  parts: ConsoleParts,
  it: Route,
  request: Request,
  named: Readonly<Record<string, string>>,
): Promise<Response> {
  const { app, ground, house } = parts;
  const who = it.access === 'open' ? undefined : await entered(parts, request);
  const language = languageOf(request, app.language);
  const context: ConsoleContext = {
    app: { ...app, language, opened: ground.ledger, ...(who ? { as: who.as } : {}) },
    ...(who ? { signedIn: who.signedIn } : {}),
    language,
    settings: ground.settings,
    house,
  };
  const query = Object.fromEntries(new URL(request.url).searchParams);
  const given = await it.handle({
    context,
    request,
    params: checked(it.params, named),
    query: checked(it.query, query),
    body: isSchema(it.body) ? checked(it.body, await readJson(request)) : undefined,
  });
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

/** As the page's reader chose it, or their browser. */
function languageOf(request: Request, otherwise: Language): Language {
  const said = request.headers.get('accept-language') ?? '';
  const [first] = /\b(?:zh|en)\b/i.exec(said) ?? [];
  return first === undefined ? otherwise : (first.toLowerCase() as Language);
}
