import type { JsonObject } from '../../model/json.js';
import type { Person, Role } from '../../model/person.js';
import type { AuditEntry } from '../contract/audit.js';
import type { NewPerson } from '../contract/people.js';

/** A line of the table `people`. */
export interface PersonRecord {
  readonly name: string;
  /** With commas. */
  readonly roles: string;
  readonly subject: string | null;
  readonly token_expires_at: number | null;
  readonly added_at: number;
}

export const SELECT_PERSON =
  'SELECT name, roles, subject, token_expires_at, added_at FROM people WHERE removed_at IS NULL';

export function toPerson({
  name,
  roles,
  subject,
  token_expires_at: expires,
  added_at,
}: PersonRecord): Person {
  return {
    name,
    roles: roles.split(',') as readonly Role[],
    ...(subject === null ? {} : { subject }),
    addedAt: added_at,
    ...(expires === null ? {} : { tokenExpiresAt: expires }),
  };
}

/** What the audit says of changes to people. */
export function addedEntry({ name, roles, subject }: NewPerson, who: string): AuditEntry {
  return { who, act: 'people_add', detail: { name, roles, ...(subject === undefined ? {} : { subject }) } };
}

export function removedEntry(name: string, who: string): AuditEntry {
  return { who, act: 'people_remove', detail: { name } };
}

export function tokenEntry(name: string, expiresAt: number | undefined, who: string): AuditEntry {
  const detail: JsonObject = {
    name,
    ...(expiresAt === undefined ? {} : { expires: new Date(expiresAt).toISOString() }),
  };
  return { who, act: 'people_token', detail };
}
