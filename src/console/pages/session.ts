import { signal } from '@preact/signals';
import type { z } from 'zod';
import type { sessionSchema } from '../routes/schemas.js';
import { getJson, sendJson, whenSignedOut } from './api/client.js';
import { type ProblemDocument, problemFrom } from './api/problem.js';

/** The signed-in user and the console. */
export type SessionAnswer = z.infer<typeof sessionSchema>;

type SessionState =
  | { readonly kind: 'asking' }
  | { readonly kind: 'nobody' }
  | { readonly kind: 'problem'; readonly problem: ProblemDocument }
  | { readonly kind: 'there'; readonly session: SessionAnswer };

export const session = signal<SessionState>({ kind: 'asking' });

export async function askSession(): Promise<void> {
  try {
    session.value = { kind: 'there', session: await getJson<SessionAnswer>('/session') };
  } catch (error) {
    const problem = problemFrom(error);
    session.value = problem.status === 401 ? { kind: 'nobody' } : { kind: 'problem', problem };
  }
}

/** Shows the sign-in form at the current address. */
function signedOut(): void {
  session.value = { kind: 'nobody' };
}

whenSignedOut(signedOut);

/** @param token an API token; it is not stored */
export async function signIn(token: string): Promise<void> {
  await sendJson('POST', '/session', { token });
  await askSession();
}

export async function signOut(): Promise<void> {
  await sendJson('DELETE', '/session');
  signedOut();
}

/** True if the user has one of these roles or is an admin. */
export function hasRole(...roles: readonly string[]): boolean {
  const state = session.value;
  return state.kind === 'there' && state.session.roles.some((it) => it === 'admin' || roles.includes(it));
}
