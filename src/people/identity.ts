import { createHash } from 'node:crypto';
import type { Ledger } from '../ledger/contract/ledger.js';
import type { Person, Role } from '../model/person.js';
import { currentUser } from '../util/current-user.js';

/** As whom somebody comes in; looked up in the ledger for every act, so that a removal holds at once. */
export type Caller =
  /** An API token: `LICENSE_SYNC_USER_TOKEN`, or a Bearer of the console. */
  | {
      readonly kind: 'token';
      readonly token: string;
      /** The address that it came from, where that isn't this machine's user. */
      readonly from?: string;
    }
  /** A session of the console, of a person of the ledger. */
  | { readonly kind: 'person'; readonly name: string; readonly via: 'session' }
  /** Whoever sits at this machine. */
  | { readonly kind: 'local' };

/** Somebody whom the ledger knows, or the user of this machine. */
export interface Actor {
  /** For the audit: `os:wang@desk-7`, or the person's name. */
  readonly who: string;
  readonly person?: Person;
  readonly roles: readonly Role[];
}

/** A caller who is nobody here. */
export interface Stranger {
  readonly why: 'token_unknown' | 'token_expired' | 'person_gone';
  /** For the audit: whose token it was, the user of this machine, or `unknown` for one who came from elsewhere. */
  readonly who: string;
}

/** Nobody is named who wasn't there. */
const UNKNOWN = 'unknown';

/** The user of this machine, as the audit names them; no person may have such a name. */
export function localName(): string {
  return `os:${currentUser()}`;
}

export function tokenDigest(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/**
 * Who it is. The user of this machine may do all on a ledger that is a file; on a server's with people in it only read,
 * and manage people as long as none of them is an admin.
 */
export async function identify(
  ledger: Pick<Ledger, 'people' | 'queue'>,
  caller: Caller,
  now: number,
): Promise<Actor | Stranger> {
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
