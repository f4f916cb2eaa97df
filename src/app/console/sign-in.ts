import { createHash, randomBytes } from 'node:crypto';
import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { ConsoleSession } from '../../ledger/contract/people.js';
import type { OidcSettings } from '../../model/console.js';
import { type Actor, type Caller, localName } from '../../people/identity.js';
import { systemClock } from '../../util/clock.js';
import { readSecret } from '../../util/read-secret.js';
import type { AppContext } from '../context.js';
import { permitted } from '../permit.js';
import { withLedger } from '../with-ledger.js';

/** Minimum interval for recording the use of a session: a page sends many requests per second. */
const NOTED_EVERY_MS = 60_000;

/** A started session. The browser receives its secret, the ledger stores only a hash. */
export interface StartedSession {
  readonly secret: string;
  readonly session: ConsoleSession;
}

/** The user of a session. */
export interface SessionHolder {
  readonly session: ConsoleSession;
  readonly actor: Actor;
  readonly as: Caller;
}

/** A session for the printed address, which only the user of this machine knows. */
export function beginLocalSession(ledger: Ledger, ageMs: number): Promise<StartedSession> {
  return begin(ledger, { who: localName(), via: 'link' }, ageMs);
}

/**
 * A session for a person with an API token.
 * @throws ProductError safety for an unknown or expired one
 */
export async function beginTokenSession(
  ledger: Ledger,
  as: Caller & { readonly kind: 'token' },
  ageMs: number,
): Promise<StartedSession> {
  const { person, who } = await permitted({ as }, ledger, 'read');
  return begin(ledger, { who, person: who, via: 'token' }, ageMs, person!.tokenExpiresAt);
}

/**
 * A session for the person with this subject at the OpenID provider.
 * @throws ProductError safety for an unknown subject
 */
export async function beginSubjectSession(
  ledger: Ledger,
  subject: string,
  ageMs: number,
): Promise<StartedSession> {
  const person = await ledger.people.bySubject(subject);
  if (!person) {
    const detail = { act: 'sign_in', why: 'subject_unknown', subject };
    await ledger.audit.append({ who: 'oidc', act: 'denied', detail });
    throw new ProductError('safety', message('console.subject_unknown'));
  }
  const { name } = person;
  return begin(ledger, { who: name, person: name, via: 'oidc' }, ageMs);
}

async function begin(
  ledger: Ledger,
  who: Pick<ConsoleSession, 'who' | 'person' | 'via'>,
  ageMs: number,
  until = Number.MAX_SAFE_INTEGER,
): Promise<StartedSession> {
  const secret = randomBytes(32).toString('base64url');
  const now = systemClock.now();
  const expiresAt = Math.min(now + ageMs, until);
  const session = { ...who, id: sessionId(secret), createdAt: now, seenAt: now, expiresAt };
  await ledger.sessions.begin(session);
  await ledger.audit.append({ who: who.who, act: 'sign_in', detail: { by: who.via } });
  return { secret, session };
}

/**
 * The user of a session; undefined if it has expired, was revoked or does not exist. Existence and roles of a person are
 * checked on every call.
 * @param localToo whether the user of this machine is accepted: not at a console that other machines can reach
 * @throws ProductError safety for a person who was removed
 */
export async function holderOf(
  ledger: Ledger,
  secret: string,
  localToo: boolean,
): Promise<SessionHolder | undefined> {
  const now = systemClock.now();
  const session = await ledger.sessions.find(sessionId(secret), now);
  if (!session) return undefined;
  const { person, who } = session;
  // A local session of another user or machine on the same ledger is not valid here.
  if (person === undefined && !(localToo && who === localName())) return undefined;
  const as: Caller =
    person === undefined ? { kind: 'local' } : { kind: 'person', name: person, via: 'session' };
  const actor = await permitted({ as }, ledger, 'read');
  // Another person with the same name was added since.
  if (actor.person && actor.person.addedAt > session.createdAt) return undefined;
  if (now - session.seenAt >= NOTED_EVERY_MS) await ledger.sessions.seen(session.id, now);
  return { session, actor, as };
}

/** Ends the session of a browser. */
export async function endSession(ledger: Ledger, secret: string): Promise<void> {
  const now = systemClock.now();
  const session = await ledger.sessions.find(sessionId(secret), now);
  if (!session || !(await ledger.sessions.revoke(session.id, now))) return;
  await ledger.audit.append({ who: session.who, act: 'sign_out' });
}

function sessionId(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** The caller's sessions, or all. @throws ProductError safety: only admins see those of others */
export function listSessions(context: AppContext, whose: 'own' | 'all'): Promise<readonly ConsoleSession[]> {
  return withLedger(
    context,
    ({ ledger, actor }) => ledger.sessions.list(systemClock.now(), whose === 'own' ? actor.who : undefined),
    { act: whose === 'own' ? 'read' : 'sessions' },
  );
}

/**
 * Ends a session.
 * @returns false if there is none
 * @throws ProductError safety: only admins end those of others
 */
export function revokeSession(context: AppContext, id: string): Promise<boolean> {
  return withLedger(context, async ({ ledger, actor }) => {
    const now = systemClock.now();
    const session = await ledger.sessions.find(id, now);
    if (session && session.who !== actor.who) await permitted(context, ledger, 'sessions');
    if (!session || !(await ledger.sessions.revoke(id, now))) return false;
    await ledger.audit.append({ who: actor.who, act: 'sign_out', detail: { of: session.who } });
    return true;
  });
}

/** A session as plain data. */
export function sessionData({ id, who, via, createdAt, seenAt, expiresAt }: ConsoleSession) {
  const iso = (at: number): string => new Date(at).toISOString();
  return { id, who, by: via, since: iso(createdAt), seen: iso(seenAt), expires: iso(expiresAt) };
}

/**
 * The console's client secret at the OpenID provider; undefined if none is configured.
 * @throws ProductError usage naming the source, never the value
 */
export async function clientSecretOf(
  { clientSecret }: OidcSettings,
  env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  if (!clientSecret) return undefined;
  const found = await readSecret(clientSecret, env);
  if (found.kind === 'text') return found.text;
  const { name, reason } = found.params;
  const place = found.why === 'env' ? `$${name}` : name;
  throw new ProductError('usage', message('console.client_secret', { place, reason }));
}
