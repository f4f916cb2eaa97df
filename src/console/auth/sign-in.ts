import { randomBytes } from 'node:crypto';
import { message } from '../../errors/message.js';
import type { Caller } from '../../people/identity.js';
import { currentUser } from '../../util/current-user.js';
import type { SignedIn } from '../context.js';
import { WebRefusal } from '../problem.js';
import { OneTimeToken } from './one-time-token.js';
import { digestOf } from './secrets.js';

/** Somebody who is let in, as pages and as use cases see them. */
export interface Entered {
  readonly signedIn: SignedIn;
  readonly as: Caller;
}

interface Session extends Entered {
  readonly expiresAt: number;
}

/** Knows who is signed in. */
export class SignIn {
  readonly link = new OneTimeToken();
  readonly #sessions = new Map<string, Session>();
  readonly #ageMs: number;
  readonly #cookie: string;

  /** @param cookie its name: browsers keep one jar for all ports of a host */
  constructor(cookie: string, ageMs: number) {
    this.#cookie = cookie;
    this.#ageMs = ageMs;
  }

  /** Of a request; undefined where nobody is signed in. */
  async of(request: Request): Promise<Entered | undefined> {
    const bearer = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
    if (bearer !== undefined) throw new WebRefusal(401, message('console.bad_token'));
    const secret = this.#secretOf(request);
    const session = secret === undefined ? undefined : this.#sessions.get(digestOf(secret));
    return session && session.expiresAt > Date.now() ? session : undefined;
  }

  /** The cookie for whoever has the printed token; undefined when it isn't the one, or was used. */
  async byLink(token: string): Promise<string | undefined> {
    if (!this.link.use(token)) return undefined;
    const secret = randomBytes(32).toString('base64url');
    const key = digestOf(secret);
    this.#sessions.set(key, {
      signedIn: { who: `os:${currentUser()}`, roles: ['admin'], by: 'link', key },
      as: { kind: 'local' },
      expiresAt: Date.now() + this.#ageMs,
    });
    return this.#cookieOf(secret, this.#ageMs / 1000);
  }

  /** Ends the session of a request. Gives the cookie that clears the browser's. */
  async out(request: Request): Promise<string> {
    const secret = this.#secretOf(request);
    if (secret !== undefined) this.#sessions.delete(digestOf(secret));
    return this.#cookieOf('', 0);
  }

  #secretOf(request: Request): string | undefined {
    const pairs = (request.headers.get('cookie') ?? '').split(';').map((it) => it.trim().split('='));
    return pairs.find(([name]) => name === this.#cookie)?.[1];
  }

  #cookieOf(value: string, seconds: number): string {
    return `${this.#cookie}=${value}; Path=/; Max-Age=${Math.floor(seconds)}; HttpOnly; SameSite=Strict`;
  }
}
