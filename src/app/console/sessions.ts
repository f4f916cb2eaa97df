import type { ConsoleSession } from '../../ledger/contract/console-sessions.js';
import { systemClock } from '../../util/clock.js';
import type { AppContext } from '../context.js';
import { withLedger } from '../open.js';
import { permitted } from '../people/permit.js';

/** Who is signed in: one's own sessions, or everybody's. @throws ProductError safety: only admins see those of others */
export function listSessions(context: AppContext, whose: 'own' | 'all'): Promise<readonly ConsoleSession[]> {
  return withLedger(
    context,
    ({ ledger, actor }) => ledger.sessions.list(systemClock.now(), whose === 'own' ? actor.who : undefined),
    { act: whose === 'own' ? 'read' : 'sessions' },
  );
}

/**
 * Ends a session, wherever it is used.
 * @returns false where there is none (any more)
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
