import { randomBytes } from 'node:crypto';
import { type Message, message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { PeopleRefusal } from '../../ledger/contract/people.js';
import { type Person, ROLES, type Role } from '../../model/person.js';
import { tokenDigest } from '../../people/identity.js';
import { systemClock } from '../../util/clock.js';
import { nearest } from '../../util/nearest.js';
import { ageMs } from '../age.js';
import type { AppContext } from '../context.js';
import { type OpenedLedger, withLedger, withLedgerIfAny } from '../open.js';

const TOKEN_BYTES = 32;
const LONGEST_NAME = 100;

export interface PersonInput {
  /** One or several, as a list or with commas. */
  readonly role: string | readonly string[];
  /** By which the OpenID provider names them (`sub`). */
  readonly subject?: string;
  /** When the token ends: in milliseconds from now, or as `90d`; absent: it doesn't. */
  readonly expires?: string | number;
}

/** A person, and an API token that nobody can be told again. */
export interface PersonWithToken {
  readonly person: Person;
  readonly token: string;
}

/** People of the ledger by name; where there is no ledger, there are none, and it is said where one was looked for. */
export function listPeople(
  context: AppContext,
): Promise<{ readonly people: readonly Person[]; readonly location: string } | { readonly none: Message }> {
  return withLedgerIfAny(context, async (found) => {
    if ('none' in found) return found;
    return { people: await found.ledger.people.list(), location: found.ledger.location };
  });
}

/**
 * `people add`: somebody whom the ledger knows from now on. The ledger is made where there is none.
 * @throws ProductError usage for a name, a role or a subject that can't be
 */
export async function addPerson(
  context: AppContext,
  name: string,
  input: PersonInput,
): Promise<PersonWithToken> {
  const roles = rolesOf(input.role);
  const subject = input.subject?.trim();
  refuseName(name);
  if (subject === '') throw new ProductError('usage', message('people.empty_subject'));
  const add = async ({ ledger, actor }: OpenedLedger): Promise<PersonWithToken> => {
    const token = newToken();
    const expiresAt = expiryOf(input.expires);
    const person = { name, roles, subject, tokenSha256: tokenDigest(token), tokenExpiresAt: expiresAt };
    refuse(await ledger.people.add(person, actor.who), name, subject);
    return { person: (await ledger.people.get(name))!, token };
  };
  return withLedger(context, add, { act: 'people', make: true });
}

/** `people token`: a new API token; the one before ends, and whoever signed in by it is signed out. @throws ProductError usage where there is no such person */
export async function renewToken(
  context: AppContext,
  name: string,
  { expires }: Pick<PersonInput, 'expires'>,
): Promise<PersonWithToken> {
  const expiresAt = expiryOf(expires);
  return withLedger(
    context,
    async ({ ledger, actor }) => {
      const token = newToken();
      refuse(await ledger.people.setToken(name, { sha256: tokenDigest(token), expiresAt }, actor.who), name);
      await ledger.sessions.revokeOf(name, systemClock.now());
      return { person: (await ledger.people.get(name))!, token };
    },
    { act: 'people' },
  );
}

/** `people remove`: what they did stays told. @throws ProductError usage for the last admin while others remain */
export function removePerson(context: AppContext, name: string): Promise<void> {
  return withLedger(
    context,
    async ({ ledger, actor }) => {
      refuse(await ledger.people.remove(name, actor.who), name);
      await ledger.sessions.revokeOf(name, systemClock.now());
    },
    { act: 'people' },
  );
}

/** `people confirm`: another admin than who gave a person access vouches for them. @throws ProductError usage where there is no such person; safety for oneself */
export function confirmPerson(
  context: AppContext,
  name: string,
): Promise<{ readonly name: string; readonly by: string }> {
  return withLedger(
    context,
    async ({ ledger, actor: { who } }) => {
      if (!(await ledger.people.get(name))) refuse('no_such_person', name);
      if (who === name) throw new ProductError('safety', message('people.confirm_self', { name }));
      await ledger.audit.append({ who, act: 'people_confirm', detail: { name } });
      return { name, by: who };
    },
    { act: 'people' },
  );
}

/** A person as plain data. */
export function personData({ name, roles, subject, addedAt, tokenExpiresAt }: Person) {
  return {
    name,
    roles,
    ...(subject === undefined ? {} : { subject }),
    added: new Date(addedAt).toISOString(),
    ...(tokenExpiresAt === undefined ? {} : { tokenExpires: new Date(tokenExpiresAt).toISOString() }),
  };
}

function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('hex');
}

function expiryOf(expires: string | number | undefined): number | undefined {
  return expires === undefined ? undefined : systemClock.now() + ageMs(expires);
}

function rolesOf(given: string | readonly string[]): readonly Role[] {
  const words = (typeof given === 'string' ? [given] : given)
    .flatMap((it) => it.split(','))
    .map((it) => it.trim());
  const roles = new Set<Role>();
  for (const word of words) {
    const role = ROLES.find((it) => it === word);
    if (!role) {
      const near = nearest(word, ROLES);
      const params = { word, known: ROLES.join(', ') };
      throw new ProductError(
        'usage',
        near === undefined
          ? message('people.unknown_role', params)
          : message('people.unknown_role_near', { ...params, near }),
      );
    }
    roles.add(role);
  }
  return ROLES.filter((it) => roles.has(it));
}

/** Names stand in lists and in the audit; `os:` is how the user of a machine is named there. */
function refuseName(name: string): void {
  const isFit = name !== '' && name === name.trim() && name.length <= LONGEST_NAME && !/\p{C}/u.test(name);
  if (isFit && !name.toLowerCase().startsWith('os:')) return;
  throw new ProductError('usage', message('people.name_unfit', { name, longest: LONGEST_NAME }));
}

/** @throws ProductError usage */
function refuse(refused: PeopleRefusal | undefined, name: string, subject = ''): void {
  switch (refused) {
    case undefined:
      return;
    case 'name_taken':
      throw new ProductError('usage', message('people.name_taken', { name }));
    case 'subject_taken':
      throw new ProductError('usage', message('people.subject_taken', { subject }));
    case 'no_such_person':
      throw new ProductError('usage', message('people.no_such_person', { name }));
    case 'last_admin':
      throw new ProductError('usage', message('people.last_admin', { name }));
  }
}
