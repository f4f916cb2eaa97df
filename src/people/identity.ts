import { createHash } from 'node:crypto';
import type { Ledger } from '../ledger/contract/ledger.js';
import type { Person, Role } from '../model/console.js';
import { currentUser } from '../util/process.js';

/** How a caller identifies. Looked up in the ledger for every act, so that a removal applies at once. */
export type Caller =
  /** An API token: `LICENSE_SYNC_USER_TOKEN`, or a Bearer of the console. */
  | {
      readonly kind: 'token';
      readonly token: string;
      /** The remote address, if the caller is not this machine's user. */
      readonly from?: string;
    }
  /** A person's session of the console. */
  | { readonly kind: 'person'; readonly name: string; readonly via: 'session' }
  /** The user of this machine. */
  | { readonly kind: 'local' };

/** A person of the ledger, or the user of this machine. */
export interface Actor {
  /** For the audit: `os:wang@desk-7`, or the person's name. */
  readonly who: string;
  readonly person?: Person;
  readonly roles: readonly Role[];
}

/** A caller who could not be identified. */
export interface UnknownCaller {
  readonly why: 'token_unknown' | 'token_expired' | 'person_gone';
  /** For the audit: the owner of the token, the user of this machine, or `unknown` for a remote caller. */
  readonly who: string;
}

const UNKNOWN = 'unknown';

/** The audit's name for the user of this machine. No person may have such a name. */
export function localName(): string {
  return `os:${currentUser()}`;
}

export function tokenDigest(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/**
 * Identifies a caller. The user of this machine is admin of a ledger that is a file. On a server with people, they may only
 * read, and manage people as long as there is no admin (`mayAct`).
 */
export async function identify(
  ledger: Pick<Ledger, 'people' | 'queue'>,
  caller: Caller,
  now: number,
): Promise<Actor | UnknownCaller> {
  if (caller.kind === 'local') return { who: localName(), roles: await localRoles(ledger) };
  const person =
    caller.kind === 'token'
      ? await ledger.people.byToken(tokenDigest(caller.token))
      : await ledger.people.get(caller.name);
  if (!person) {
    return caller.kind === 'token'
      ? { why: 'token_unknown', who: caller.from === undefined ? localName() : UNKNOWN }
      : { why: 'person_gone', who: caller.name };
  }
  const { tokenExpiresAt } = person;
  if (caller.kind === 'token' && tokenExpiresAt !== undefined && tokenExpiresAt <= now)
    return { why: 'token_expired', who: person.name };
  return { who: person.name, person, roles: person.roles };
}

async function localRoles({ people, queue }: Pick<Ledger, 'people' | 'queue'>): Promise<readonly Role[]> {
  const onServer = queue !== undefined;
  return onServer && (await people.list()).length > 0 ? ['viewer'] : ['admin'];
}

/** The acts, each with the role that may perform it. */
export const ACTS = {
  read: 'viewer',
  validate: 'maker',
  plan: 'maker',
  run: 'maker',
  submit: 'maker',
  request: 'maker',
  apply: 'maker',
  stop: 'maker',
  resume: 'maker',
  retry: 'maker',
  resolve: 'maker',
  revert: 'maker',
  reconcile: 'maker',
  rehearse: 'maker',
  pull: 'maker',
  schedule: 'maker',
  import: 'maker',
  correct: 'maker',
  approve: 'checker',
  reject: 'checker',
  people: 'admin',
  sessions: 'admin',
  prune: 'admin',
  ledger_copy: 'admin',
  ledger_accept: 'admin',
} as const satisfies Readonly<Record<string, Role>>;

export type Act = keyof typeof ACTS;

/** Admins may do everything, and every role may read. */
export function mayDo(roles: readonly Role[], act: Act): boolean {
  const required = ACTS[act];
  return required === 'viewer' || roles.includes(required) || roles.includes('admin');
}
