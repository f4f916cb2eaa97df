export const PERSON_ROLES = ['viewer', 'maker', 'checker', 'admin'] as const;
export type PersonRole = (typeof PERSON_ROLES)[number];

/** A person as the console tells it. */
export interface PersonAnswer {
  readonly name: string;
  readonly roles: readonly PersonRole[];
  readonly subject?: string;
  readonly added: string;
  readonly tokenExpires?: string;
}

/** With an API token, which nobody is told again. */
export interface TokenAnswer {
  readonly person: PersonAnswer;
  readonly token: string;
}
