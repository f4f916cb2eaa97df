import { randomBytes } from 'node:crypto';
import { type Message, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { HostPolicy } from '../ledger/contract/approvals.js';
import type { AuditLine } from '../ledger/contract/audit.js';
import type { Ledger } from '../ledger/contract/ledger.js';
import type { PeopleRefusal } from '../ledger/contract/people.js';
import { CONFIRMED_WITHIN_MS, type Unconfirmed, unconfirmedAccess } from '../ledger/rules/people.js';
import { type Person, ROLES, type Role } from '../model/console.js';
import { mayDo, tokenDigest } from '../people/identity.js';
import { systemClock } from '../util/clock.js';
import { nearest } from '../util/name-match.js';
import type { AppContext } from './context.js';
import { ageMs } from './input-values.js';
import { type OpenedLedger, withLedger, withLedgerIfAny } from './with-ledger.js';

const TOKEN_BYTES = 32;
const LONGEST_NAME = 100;

export interface PersonInput {
  /** One or several, as a list or separated by commas. */
  readonly role: string | readonly string[];
  /** The user's subject at the OpenID provider (`sub`). */
  readonly subject?: string;
  /** Lifetime of the token: in milliseconds, or as `90d`; absent: unlimited. */
  readonly expires?: string | number;
}

/** A person with an API token. The token cannot be shown again. */
export interface PersonWithToken {
  readonly person: Person;
  readonly token: string;
}

/** People of the ledger by name, as plain data. Without a ledger, `none` names where it was looked for. */
export function listPeople(
  context: AppContext,
): Promise<
  | { readonly people: readonly ReturnType<typeof personData>[]; readonly location: string }
  | { readonly none: Message }
> {
  return withLedgerIfAny(context, async (found) => {
    if ('none' in found) return found;
    const { ledger } = found;
    const unconfirmed = await unconfirmedOf(ledger);
    const people = (await ledger.people.list()).map((it) => personData(it, unconfirmed.get(it.name)));
    return { people, location: ledger.location };
  });
}

async function unconfirmedOf({ audit }: Ledger): Promise<ReadonlyMap<string, readonly Unconfirmed[]>> {
  const lines: AuditLine[] = [];
  for await (const page of audit.list({ since: systemClock.now() - CONFIRMED_WITHIN_MS + 1 }))
    lines.push(...page.filter((it) => it.act.startsWith('people_')));
  return unconfirmedAccess(lines);
}

/**
 * `people add`: adds a person. The ledger is created if there is none.
 * @throws ProductError usage for an invalid name, role or subject, or one that exists
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

/**
 * `people token`: replaces the API token, and the roles if given, and ends the person's sessions.
 * @throws ProductError usage if there is no such person, and for the last admin while others remain
 */
export async function renewToken(
  context: AppContext,
  name: string,
  { expires, role }: Pick<PersonInput, 'expires'> & Partial<Pick<PersonInput, 'role'>>,
): Promise<PersonWithToken> {
  const expiresAt = expiryOf(expires);
  const roles = role === undefined ? undefined : rolesOf(role);
  return withLedger(
    context,
    async ({ ledger, actor }) => {
      const token = newToken();
      const changed = { sha256: tokenDigest(token), expiresAt, roles };
      refuse(await ledger.people.setToken(name, changed, actor.who), name);
      await ledger.sessions.revokeOf(name, systemClock.now());
      return { person: (await ledger.people.get(name))!, token };
    },
    { act: 'people' },
  );
}

/** `people remove`: the audit entries remain. @throws ProductError usage for the last admin while others remain */
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

/**
 * `people confirm`: an admin confirms the access that another admin gave to a person.
 * @throws ProductError usage if there is no such person; safety for oneself, and if only the caller gave access
 */
export function confirmPerson(
  context: AppContext,
  name: string,
): Promise<{ readonly name: string; readonly by: string }> {
  return withLedger(
    context,
    async ({ ledger, actor: { who } }) => {
      if (!(await ledger.people.get(name))) refuse('no_such_person', name);
      if (who === name) throw new ProductError('safety', message('people.confirm_self', { name }));
      const unconfirmed = (await unconfirmedOf(ledger)).get(name) ?? [];
      if (unconfirmed.length > 0 && unconfirmed.every((it) => it.by === who))
        throw new ProductError('safety', message('people.confirm_own', { name }));
      await ledger.audit.append({ who, act: 'people_confirm', detail: { name } });
      return { name, by: who };
    },
    { act: 'people' },
  );
}

/**
 * A person as plain data.
 * @param unconfirmed access, included only for a person who may approve
 */
export function personData(
  { name, roles, subject, addedAt, tokenExpiresAt }: Person,
  unconfirmed: readonly Unconfirmed[] = [],
) {
  return {
    name,
    roles,
    subject,
    added: new Date(addedAt).toISOString(),
    ...(tokenExpiresAt === undefined ? {} : { tokenExpires: new Date(tokenExpiresAt).toISOString() }),
    ...(unconfirmed.length > 0 && mayDo(roles, 'approve')
      ? { unconfirmed: unconfirmed.map(({ by, until }) => ({ by, until: new Date(until).toISOString() })) }
      : {}),
  };
}

function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('hex');
}

function expiryOf(expires: string | number | undefined): number | undefined {
  return expires === undefined ? undefined : systemClock.now() + ageMs(expires);
}

function rolesOf(input: string | readonly string[]): readonly Role[] {
  const words = (typeof input === 'string' ? [input] : input)
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

/** Names appear in lists and in the audit, where `os:` marks the user of a machine. */
function refuseName(name: string): void {
  const isValid = name !== '' && name === name.trim() && name.length <= LONGEST_NAME && !/\p{C}/u.test(name);
  if (isValid && !name.toLowerCase().startsWith('os:')) return;
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

/** `people policies`: hosts that require approvals according to the ledger. */
export function listPolicies(
  context: AppContext,
): Promise<
  { readonly policies: readonly HostPolicy[]; readonly location: string } | { readonly none: Message }
> {
  return withLedgerIfAny(context, async (found) => {
    if ('none' in found) return found;
    return { policies: await found.ledger.approvals.policies(), location: found.ledger.location };
  });
}

/**
 * `people policies --lift HOST`: removes the approval policies of a host, until a plan for it is created under settings that
 * require approvals.
 * @throws ProductError usage if the host has no policy
 */
export function liftPolicies(context: AppContext, host: string): Promise<void> {
  return withLedger(
    context,
    async ({ ledger, actor }) => {
      if (!(await ledger.approvals.liftPolicies(host, actor.who)))
        throw new ProductError('usage', message('approval.no_policy', { host }));
    },
    { act: 'people' },
  );
}

export function policyData({ host, policy, by, at }: HostPolicy) {
  return { host, approval: policy, by, since: new Date(at).toISOString() };
}
