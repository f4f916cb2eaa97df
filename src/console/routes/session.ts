import { z } from 'zod';
import { listSessions, revokeSession, sessionData } from '../../app/console/sign-in.js';
import { type Code, message, render } from '../../errors/message.js';
import { isPostgresUrl } from '../../util/ledger-address.js';
import { VERSION } from '../../util/own-package.js';
import { WebRefusal } from '../problem.js';
import { listOf, route } from '../route.js';
import { consoleSessionSchema, sessionSchema, signInSchema } from './schemas.js';

const LANGUAGES = ['en', 'zh'] as const;

/** Codes allowed in the address. Others are ignored, so that a link cannot make the page show arbitrary texts. */
const PROBLEMS = new Map(
  (
    [
      'console.link_used',
      'console.flow_over',
      'console.subject_unknown',
      'console.provider_refused',
      'console.provider_away',
      'console.too_many_attempts',
    ] as const satisfies readonly Code[]
  ).map((code) => [code as string, code]),
);

export const SESSION_ROUTES = [
  route({
    method: 'get',
    path: '/sign-in',
    access: 'open',
    summary: 'How one signs in here; nothing of what is in the ledger.',
    query: z.object({
      problem: z.string().max(100).optional().describe('Code of the error, as in the address.'),
      lang: z.enum(LANGUAGES).optional(),
    }),
    answer: signInSchema,
  }).handle(async ({ context, query }) => {
    const { signIn, settings, environment, language } = context;
    const ledger = await environment.ledger();
    const problem = query.problem === undefined ? undefined : PROBLEMS.get(query.problem);
    return {
      token: !signIn.isLocal || (await ledger.people.list()).length > 0,
      ...(settings.oidc ? { oidc: '/auth/oidc' } : {}),
      link: signIn.isLocal,
      languages: LANGUAGES,
      version: VERSION,
      ...(problem
        ? { problem: { code: problem, text: render({ code: problem, params: {} }, language) } }
        : {}),
    };
  }),
  route({
    method: 'get',
    path: '/session',
    summary: 'Who is signed in, and what this console stands on.',
    answer: sessionSchema,
  }).handle(async ({ context }) => {
    const { environment, signedIn } = context;
    const ledger = await environment.ledger();
    return {
      who: signedIn!.who,
      roles: signedIn!.roles,
      signedInBy: signedIn!.by,
      ledger: {
        kind: isPostgresUrl(ledger.address) ? 'postgres' : 'sqlite',
        people: (await ledger.people.list()).length > 0,
      },
      languages: LANGUAGES,
      version: VERSION,
    };
  }),
  route({
    method: 'post',
    path: '/session',
    access: 'open',
    summary: 'Signs a browser in by an API token; the answer sets the cookie.',
    body: z.object({ token: z.string().min(1).max(500) }),
  }).handle(async ({ context, body, headers }) => {
    headers.append('set-cookie', await context.signIn.byToken(body.token, context.origin));
  }),
  route({
    method: 'delete',
    path: '/session',
    summary: 'Signs the browser out: its session is over everywhere.',
  }).handle(async ({ context, request, headers }) => {
    headers.append('set-cookie', await context.signIn.out(request));
  }),
  route({
    method: 'get',
    path: '/sessions',
    summary: 'Who is signed in: own sessions, or, for admins, all.',
    query: z.object({ whose: z.enum(['own', 'all']).default('own') }),
    answer: listOf(consoleSessionSchema),
  }).handle(async ({ context, query }) => ({
    items: (await listSessions(context.app, query.whose)).map(sessionData),
  })),
  route({
    method: 'delete',
    path: '/sessions/{id}',
    summary: 'Ends a session: one’s own, or, for admins, anybody’s.',
    params: z.object({ id: z.string() }),
  }).handle(async ({ context, params }) => {
    if (!(await revokeSession(context.app, params.id)))
      throw new WebRefusal(404, message('console.nothing_there'));
  }),
];
