import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** The token that is printed at the start: whoever has it first is the user of this machine. */
export class OneTimeToken {
  #token: string | undefined = randomBytes(32).toString('base64url');
  #markUsed = (): void => {};
  /** Resolves once the token was used. */
  readonly used = new Promise<void>((resolve) => {
    this.#markUsed = resolve;
  });

  get text(): string | undefined {
    return this.#token;
  }

  /** True once, for the right token. */
  use(token: string): boolean {
    if (this.#token === undefined || !timingSafeEqual(digest(token), digest(this.#token))) return false;
    this.#token = undefined;
    this.#markUsed();
    return true;
  }
}

/** Digests are of one length, and tell by the time of comparing nothing of what they were made of. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
