import { createHash, randomBytes } from 'node:crypto';
import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { ConsoleSession } from '../../ledger/contract/console-sessions.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import { type Actor, type Caller, localName } from '../../people/identity.js';
import { systemClock } from '../../util/clock.js';
import { permitted } from '../people/permit.js';

/** A use is noted once in this time: a page asks many times a second. */
const NOTED_EVERY_MS = 60_000;

/** A session that was begun; the browser gets its secret, the ledger keeps what can't be turned back into it. */
export interface BegunSession {
  readonly secret: string;
  readonly session: ConsoleSession;
}

/** Somebody who is signed in by a session. */
export interface SessionHolder {
  readonly session: ConsoleSession;
  readonly actor: Actor;
  readonly as: Caller;
}

/** Whoever was given the printed address is the user of this machine. */
export function beginLocalSession(ledger: Ledger, ageMs: number): Promise<BegunSession> {
  return begin(ledger, { who: localName(), via: 'link' }, ageMs);
}

/**
 * A person with their API token.
 * @throws ProductError safety for an unknown or expired one
 */
export async function beginTokenSession(
  ledger: Ledger,
  as: Caller & { readonly kind: 'token' },
  ageMs: number,
): Promise<BegunSession> {
  const { person, who } = await permitted({ as }, ledger, 'read');
  return begin(ledger, { who, person: who, via: 'token' }, ageMs, person!.tokenExpiresAt);
}

/**
 * A person whom an OpenID provider names by this subject.
 * @throws ProductError safety for a subject that nobody was added with
 */
export async function beginSubjectSession(
  ledger: Ledger,
  subject: string,
  ageMs: number,
): Promise<BegunSession> {
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
): Promise<BegunSession> {
  const secret = randomBytes(32).toString('base64url');
  const now = systemClock.now();
  const expiresAt = Math.min(now + ageMs, until);
  const session = { ...who, id: sessionId(secret), createdAt: now, seenAt: now, expiresAt };
  await ledger.sessions.begin(session);
  await ledger.audit.append({ who: who.who, act: 'sign_in', detail: { by: who.via } });
  return { secret, session };
}

/**
 * Whose session it is; undefined for one that has expired, was revoked, or was never there. Of people it is asked each time
 * whether they are still there, and what they may do now.
 * @param localToo whether the user of this machine may come in: not at a console that others reach
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
  // Of another user or machine, over the same ledger: theirs is not this one's.
  if (person === undefined && !(localToo && who === localName())) return undefined;
  const as: Caller =
    person === undefined ? { kind: 'local' } : { kind: 'person', name: person, via: 'session' };
  const actor = await permitted({ as }, ledger, 'read');
  // Somebody else of the same name was added since.
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
