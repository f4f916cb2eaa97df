import { signal } from '@preact/signals';
import type { z } from 'zod';
import type { sessionSchema } from '../routes/schemas.js';
import { getJson, pageSession, sendJson } from './api/client.js';
import { type ProblemDocument, problemFrom } from './api/problem.js';
import { noteVersion } from './connection.js';

/** The signed-in user and the console. */
export type SessionAnswer = z.infer<typeof sessionSchema>;

type SessionState =
  | { readonly kind: 'asking' }
  | { readonly kind: 'signed_out' }
  | { readonly kind: 'problem'; readonly problem: ProblemDocument }
  | { readonly kind: 'there'; readonly session: SessionAnswer };

export const session = signal<SessionState>({ kind: 'asking' });

/** The session has ended under the page. The page stays, with a dialog to sign in over it. */
export const sessionOver = signal(false);

const RENEWAL_POLL_MS = 2000;

/** Requests that wait until the user is signed in again. */
let renewal: { readonly over: Promise<void>; readonly end: () => void } | undefined;

export async function askSession(): Promise<void> {
  try {
    const found = await getJson<SessionAnswer>('/session');
    const before = session.value;
    // The page contains the input of another user.
    if (before.kind === 'there' && before.session.who !== found.who) return location.reload();
    pageSession.who = found.who;
    noteVersion(found.version);
    session.value = { kind: 'there', session: found };
    sessionOver.value = false;
    renewal?.end();
    renewal = undefined;
  } catch (error) {
    const problem = problemFrom(error);
    const { kind } = session.value;
    if (kind === 'there') sessionOver.value ||= problem.status === 401;
    else if (problem.status === 401) session.value = { kind: 'signed_out' };
    // The sign-in form stays, with what was typed there.
    else if (kind !== 'signed_out') session.value = { kind: 'problem', problem };
  }
}

pageSession.renewed = () => {
  if (!renewal) {
    let end = (): void => {};
    const over = new Promise<void>((resolve) => {
      end = resolve;
    });
    renewal = { over, end };
    void pollSession();
  }
  return renewal.over;
};

/** The user may sign in in another window. */
async function pollSession(): Promise<void> {
  while (renewal) {
    await askSession();
    if (renewal) await new Promise((resolve) => setTimeout(resolve, RENEWAL_POLL_MS));
  }
}

/** @param token an API token; it is not stored */
export async function signIn(token: string): Promise<void> {
  await sendJson('POST', '/session', { token });
  await askSession();
}

export async function signOut(): Promise<void> {
  await sendJson('DELETE', '/session').catch((error: unknown) => {
    if (problemFrom(error).status !== 401) throw error;
  });
  pageSession.who = undefined;
  session.value = { kind: 'signed_out' };
}

/** True if the user has one of these roles or is an admin. */
export function hasRole(...roles: readonly string[]): boolean {
  const state = session.value;
  return state.kind === 'there' && state.session.roles.some((it) => it === 'admin' || roles.includes(it));
}
