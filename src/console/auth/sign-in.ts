import type { ConsoleGround } from '../../app/console/ground.js';
import {
  type BegunSession,
  beginLocalSession,
  beginSubjectSession,
  beginTokenSession,
  endSession,
  holderOf,
} from '../../app/console/sign-in.js';
import { permitted } from '../../app/people/permit.js';
import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { Caller } from '../../people/identity.js';
import { WebRefusal } from '../problem.js';
import { Attempts } from './attempts.js';
import { OneTimeToken } from './one-time-token.js';
import type { Way } from './origin.js';

/** Who is signed in, as the door found it. */
export interface SignedIn {
  /** `os:wang@desk-7`, or the name of a person. */
  readonly who: string;
  readonly roles: readonly string[];
  readonly by: 'link' | 'token' | 'oidc' | 'bearer';
  /** What the limits count by: the session, or the token's person. */
  readonly key: string;
}

/** Somebody who is let in, as pages and as use cases see them. */
export interface Entered {
  readonly signedIn: SignedIn;
  readonly as: Caller;
}

export interface SignInOptions {
  /** Of the cookie. Browsers keep one jar for all ports of a host, so that the port is part of it. */
  readonly cookie: string;
  /** The cookie goes by TLS only. */
  readonly secure: boolean;
  /** Whether the user of this machine comes in, by the printed address. */
  readonly local: boolean;
}

/** Lets people in, and knows who is in. */
export class SignIn {
  readonly #ground: ConsoleGround;
  readonly #options: SignInOptions;
  readonly #attempts = new Attempts();
  readonly #link: OneTimeToken | undefined;

  constructor(ground: ConsoleGround, options: SignInOptions) {
    this.#ground = ground;
    this.#options = options;
    this.#link = options.local ? new OneTimeToken() : undefined;
  }

  /** The token of the printed address; absent where there is none, and once it was used. */
  get linkToken(): string | undefined {
    return this.#link?.text;
  }

  /** Resolves once the printed address was used; absent where there is none. */
  get linkUsed(): Promise<void> | undefined {
    return this.#link?.used;
  }

  get localToo(): boolean {
    return this.#options.local;
  }

  /**
   * Of a request; undefined where nobody is signed in.
   * @throws WebRefusal for an API token that isn't one, and for a person who was removed
   */
  async of(request: Request, way: Way): Promise<Entered | undefined> {
    const bearer = /^Bearer +(\S+) *$/i.exec(request.headers.get('authorization') ?? '')?.[1];
    if (bearer !== undefined) return this.#byBearer(bearer, way);
    const secret = this.#secretOf(request);
    if (secret === undefined) return undefined;
    const ledger = await this.#ground.ledger();
    const found = await orUnauthorized(holderOf(ledger, secret, this.#options.local));
    if (!found) return undefined;
    const { session, actor, as } = found;
    return { signedIn: { who: actor.who, roles: actor.roles, by: session.via, key: session.id }, as };
  }

  async #byBearer(token: string, way: Way): Promise<Entered> {
    const as = { kind: 'token', token, from: way.client } as const;
    const { who, roles } = await this.#tried(way, async () =>
      permitted({ as }, await this.#ground.ledger(), 'read'),
    );
    return { signedIn: { who, roles, by: 'bearer', key: `bearer ${who}` }, as };
  }

  /** The cookie for whoever has the printed token; undefined when it isn't the one, or was used. */
  async byLink(token: string, way: Way): Promise<string | undefined> {
    this.#attempts.check(way.client);
    if (this.#link?.use(token))
      return this.#cookieOf(await beginLocalSession(await this.#ground.ledger(), this.#ageMs));
    this.#attempts.failed(way.client);
    return undefined;
  }

  /** The cookie for a person with an API token. @throws WebRefusal for a wrong one */
  async byToken(token: string, way: Way): Promise<string> {
    return this.#cookieOf(
      await this.#tried(way, async () => {
        const as = { kind: 'token', token, from: way.client } as const;
        return beginTokenSession(await this.#ground.ledger(), as, this.#ageMs);
      }),
    );
  }

  /** The cookie for a person whom the OpenID provider knows by this subject. @throws ProductError for a stranger */
  async bySubject(subject: string): Promise<string> {
    return this.#cookieOf(await beginSubjectSession(await this.#ground.ledger(), subject, this.#ageMs));
  }

  /** Ends the session of a request. Gives the cookie that clears the browser's. */
  async out(request: Request): Promise<string> {
    const secret = this.#secretOf(request);
    if (secret !== undefined) await endSession(await this.#ground.ledger(), secret);
    return this.#cookie('', 0);
  }

  /** What a browser brings back from an OpenID provider: `Lax`, because the way back comes from another site. */
  cookieOfFlow(value: string, seconds: number): string {
    return this.#cookie(value, seconds, '-flow', 'Lax');
  }

  flowOf(request: Request): string | undefined {
    return this.#read(request, `${this.#options.cookie}-flow`);
  }

  async #tried<T>(way: Way, work: () => Promise<T>): Promise<T> {
    this.#attempts.check(way.client);
    try {
      return await work();
    } catch (error) {
      if (!isStranger(error)) throw error;
      this.#attempts.failed(way.client);
      throw new WebRefusal(401, message('console.bad_token'), { headers: { 'www-authenticate': 'Bearer' } });
    }
  }

  get #ageMs(): number {
    return this.#ground.settings.sessionAgeMs;
  }

  #secretOf(request: Request): string | undefined {
    return this.#read(request, this.#options.cookie);
  }

  #read(request: Request, name: string): string | undefined {
    for (const pair of (request.headers.get('cookie') ?? '').split(';')) {
      const [found = '', value = ''] = pair.trim().split('=', 2);
      if (found === name && value !== '') return value;
    }
    return undefined;
  }

  #cookieOf({ secret, session }: BegunSession): string {
    return this.#cookie(secret, (session.expiresAt - session.createdAt) / 1000);
  }

  #cookie(value: string, seconds: number, suffix = '', site: 'Strict' | 'Lax' = 'Strict'): string {
    const { cookie, secure } = this.#options;
    const age = `Max-Age=${Math.floor(seconds)}`;
    return `${cookie}${suffix}=${value}; Path=/; ${age}; HttpOnly; SameSite=${site}${secure ? '; Secure' : ''}`;
  }
}

const STRANGERS: ReadonlySet<string> = new Set([
  'people.token_unknown',
  'people.token_expired',
  'people.person_gone',
]);

function isStranger(error: unknown): error is ProductError {
  return error instanceof ProductError && STRANGERS.has(error.code);
}

/** A person who was removed isn't signed in any more. */
async function orUnauthorized<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw isStranger(error) ? new WebRefusal(401, error.detail) : error;
  });
}
