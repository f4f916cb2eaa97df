import type { Person } from '../../model/person.js';
import type { NewPerson, PeopleRefusal } from '../contract/people.js';

/** Why somebody can't be added to those who are there. */
export function addingRefused(
  people: readonly Person[],
  { name, subject }: Pick<NewPerson, 'name' | 'subject'>,
): PeopleRefusal | undefined {
  if (people.some((it) => it.name === name)) return 'name_taken';
  if (subject !== undefined && people.some((it) => it.subject === subject)) return 'subject_taken';
  return undefined;
}

/** Why somebody can't be removed. */
export function removingRefused(people: readonly Person[], name: string): PeopleRefusal | undefined {
  const isAdmin = (it: Person): boolean => it.roles.includes('admin');
  const person = people.find((it) => it.name === name);
  if (!person) return 'no_such_person';
  const others = people.filter((it) => it !== person);
  return isAdmin(person) && others.length > 0 && !others.some(isAdmin) ? 'last_admin' : undefined;
}
