import { z } from 'zod';
import { VERSION } from '../../util/own-package.js';
import { isPostgresUrl } from '../../util/postgres-url.js';
import { route } from '../route.js';

const sessionSchema = z.object({
  who: z.string(),
  roles: z.array(z.string()),
  signedInBy: z.enum(['link', 'token', 'bearer', 'oidc']),
  ledger: z.object({ kind: z.enum(['sqlite', 'postgres']), people: z.boolean() }),
  languages: z.array(z.enum(['en', 'zh'])),
  version: z.string(),
});

const show = route({
  method: 'get',
  path: '/session',
  summary: 'Who is signed in, and what this console stands on.',
  answer: sessionSchema,
}).handle(async ({ context }) => {
  const { app, signedIn } = context;
  const ledger = await app.opened!();
  return {
    who: signedIn!.who,
    roles: signedIn!.roles,
    signedInBy: signedIn!.by,
    ledger: { kind: isPostgresUrl(ledger.address) ? 'postgres' : 'sqlite', people: false },
    languages: ['en', 'zh'],
    version: VERSION,
  };
});

export const SESSION_ROUTES = [show];
