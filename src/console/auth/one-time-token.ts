import { randomBytes } from 'node:crypto';
import { sameSecret } from './secrets.js';

/** The token that is printed at the start: whoever has it first is the user of this machine. */
export class OneTimeToken {
  #token: string | undefined = randomBytes(32).toString('base64url');

  get text(): string | undefined {
    return this.#token;
  }

  /** True once, for the right token. */
  use(token: string): boolean {
    if (this.#token === undefined || !sameSecret(token, this.#token)) return false;
    this.#token = undefined;
    return true;
  }
}
