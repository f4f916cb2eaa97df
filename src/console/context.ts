import type { ConsoleSettings } from '../app/console.js';
import type { AppContext } from '../app/context.js';
import type { Language } from '../errors/message.js';
import type { House } from './house.js';

/** Who is signed in, as the door found it. */
export interface SignedIn {
  /** `os:wang@desk-7`, or the name of a person. */
  readonly who: string;
  readonly roles: readonly string[];
  readonly by: 'link' | 'token' | 'bearer' | 'oidc';
  /** Of what the limits count by: the session, or the token. */
  readonly key: string;
}

/** What every handler is given. */
export interface ConsoleContext {
  /** For use cases: the caller, the language of the request, and the ledger that is open already. */
  readonly app: AppContext;
  /** Absent where nobody need be signed in. */
  readonly signedIn?: SignedIn;
  readonly language: Language;
  readonly settings: ConsoleSettings;
  /** What there is one of in the whole process. */
  readonly house: House;
}
