import type { ConsoleGround } from '../app/console/ground.js';
import type { AppContext } from '../app/context.js';
import type { Language } from '../errors/message.js';
import type { ConsoleSettings } from '../model/console.js';
import type { Way } from './auth/origin.js';
import type { SignedIn, SignIn } from './auth/sign-in.js';
import type { House } from './house.js';

/** What every handler is given. */
export interface ConsoleContext {
  /** For use cases: the caller, the language of the request, and the ledger that is open already. */
  readonly app: AppContext;
  /** Absent where nobody need be signed in. */
  readonly signedIn?: SignedIn;
  readonly language: Language;
  readonly settings: ConsoleSettings;
  readonly ground: ConsoleGround;
  /** What there is one of in the whole process. */
  readonly house: House;
  readonly signIn: SignIn;
  /** How the request came here. */
  readonly way: Way;
}
