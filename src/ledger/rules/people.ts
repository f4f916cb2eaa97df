import type { Person, Role } from '../../model/console.js';
import type { AuditLine } from '../contract/audit.js';
import type { NewPerson, PeopleRefusal } from '../contract/people.js';

/** Why a user can't be added. */
export function addingRefused(
  people: readonly Person[],
  { name, subject }: Pick<NewPerson, 'name' | 'subject'>,
): PeopleRefusal | undefined {
  if (people.some((it) => it.name === name)) return 'name_taken';
  if (subject !== undefined && people.some((it) => it.subject === subject)) return 'subject_taken';
  return undefined;
}

/** Why a user can't be removed, or keep only these roles. */
export function removingRefused(
  people: readonly Person[],
  name: string,
  roles: readonly Role[] = [],
): PeopleRefusal | undefined {
  const isAdmin = ({ roles }: Person): boolean => roles.includes('admin');
  const person = people.find((it) => it.name === name);
  if (!person) return 'no_such_person';
  const others = people.filter((it) => it !== person);
  const isNoLongerAdmin = isAdmin(person) && !roles.includes('admin');
  return isNoLongerAdmin && others.length > 0 && !others.some(isAdmin) ? 'last_admin' : undefined;
}

/** During this time a user cannot approve plans of the user who gave them access, unless another admin confirms them. */
export const CONFIRMED_WITHIN_MS = 7 * 24 * 3_600_000;

/** Access of a user that no other admin has confirmed. */
export interface Unconfirmed {
  /** The user whose plans they cannot approve. */
  readonly by: string;
  /** Milliseconds since 1970. */
  readonly until: number;
}

/**
 * Unconfirmed access by user name, as checked by the triggers of `approvals`.
 * @param lines of the audit from `CONFIRMED_WITHIN_MS` ago, in order
 */
export function unconfirmedAccess(
  lines: readonly Pick<AuditLine, 'act' | 'who' | 'at' | 'detail'>[],
): ReadonlyMap<string, readonly Unconfirmed[]> {
  const found = new Map<string, readonly Unconfirmed[]>();
  for (const { act, who, at, detail } of lines) {
    const name = String(detail.name);
    const before = found.get(name) ?? [];
    if (act === 'people_add' || act === 'people_token')
      found.set(name, [
        ...before.filter((it) => it.by !== who),
        { by: who, until: at + CONFIRMED_WITHIN_MS },
      ]);
    // Users can confirm neither themselves nor access that they gave.
    else if (act === 'people_confirm' && who !== name)
      found.set(
        name,
        before.filter((it) => it.by === who),
      );
  }
  return found;
}
