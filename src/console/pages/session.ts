import { signal } from '@preact/signals';
import type { z } from 'zod';
import type { sessionSchema } from '../routes/schemas.js';
import { act, ask, whenSignedOut } from './api/client.js';
import { type ProblemDocument, problemFrom } from './api/problem.js';

/** Who is at the page, and at which console. */
export type SessionAnswer = z.infer<typeof sessionSchema>;

/** How it stands with whoever is at the page. */
type SessionState =
  | { readonly kind: 'asking' }
  | { readonly kind: 'nobody' }
  | { readonly kind: 'problem'; readonly problem: ProblemDocument }
  | { readonly kind: 'there'; readonly session: SessionAnswer };

export const session = signal<SessionState>({ kind: 'asking' });

export async function askSession(): Promise<void> {
  try {
    session.value = { kind: 'there', session: await ask<SessionAnswer>('/session') };
  } catch (error) {
    const problem = problemFrom(error);
    session.value = problem.status === 401 ? { kind: 'nobody' } : { kind: 'problem', problem };
  }
}

/** Nobody is signed in any more: the page asks for it, and stays where it is. */
function signedOut(): void {
  session.value = { kind: 'nobody' };
}

whenSignedOut(signedOut);

/** @param token an API token, of which nothing is kept here */
export async function signIn(token: string): Promise<void> {
  await act('POST', '/session', { token });
  await askSession();
}

export async function signOut(): Promise<void> {
  await act('DELETE', '/session');
  signedOut();
}

/** True where the roles of whoever is here include one of these. */
export function hasRole(...wanted: readonly string[]): boolean {
  const now = session.value;
  return now.kind === 'there' && now.session.roles.some((it) => it === 'admin' || wanted.includes(it));
}
