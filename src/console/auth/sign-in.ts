import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { ConsoleEnvironment } from '../../app/console/console-environment.js';
import {
  beginLocalSession,
  beginSubjectSession,
  beginTokenSession,
  endSession,
  holderOf,
  type StartedSession,
} from '../../app/console/sign-in.js';
import { permitted } from '../../app/permit.js';
import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { Actor, Caller } from '../../people/identity.js';
import { WebRefusal } from '../problem.js';
import type { RequestOrigin } from './origin.js';

/** The signed-in user of a request. */
export interface SignedIn {
  /** `os:wang@desk-7`, or the name of a user. */
  readonly who: string;
  readonly roles: readonly string[];
  readonly by: 'link' | 'token' | 'oidc' | 'bearer';
  /** Key of rate limits: the session, or the token's user. */
  readonly key: string;
}

/** A signed-in user, for pages and for use cases. */
interface Authenticated {
  readonly signedIn: SignedIn;
  readonly actor: Actor;
  readonly as: Caller;
}

interface SignInOptions {
  /** Name of the cookie. It contains the port, because browsers share cookies between all ports of a host. */
  readonly cookie: string;
  /** Whether the cookie is sent over TLS only. */
  readonly secure: boolean;
  /** Whether the user of this machine can sign in with the printed address. */
  readonly local: boolean;
}

/** Signs users in and out, and finds the user of a request. */
export class SignIn {
  readonly #environment: ConsoleEnvironment;
  readonly #options: SignInOptions;
  readonly #attempts = new Attempts();
  readonly #link: OneTimeToken | undefined;

  constructor(environment: ConsoleEnvironment, options: SignInOptions) {
    this.#environment = environment;
    this.#options = options;
    this.#link = options.local ? new OneTimeToken() : undefined;
  }

  /** The token of the printed address; undefined if there is none or it was used. */
  get linkToken(): string | undefined {
    return this.#link?.text;
  }

  /** Resolves when the printed address has been used; undefined if there is none. */
  get linkUsed(): Promise<void> | undefined {
    return this.#link?.used;
  }

  get isLocal(): boolean {
    return this.#options.local;
  }

  /**
   * The user of a request; undefined if not signed in.
   * @throws WebRefusal if the API token is invalid or the user was removed
   */
  async of(request: Request, origin: RequestOrigin): Promise<Authenticated | undefined> {
    const bearer = /^Bearer +(\S+) *$/i.exec(request.headers.get('authorization') ?? '')?.[1];
    if (bearer !== undefined) return this.#byBearer(bearer, origin);
    const secret = this.#secretOf(request);
    if (secret === undefined) return undefined;
    const ledger = await this.#environment.ledger();
    const found = await orUnauthorized(holderOf(ledger, secret, this.#options.local));
    if (!found) return undefined;
    const { session, actor, as } = found;
    return { signedIn: { who: actor.who, roles: actor.roles, by: session.via, key: session.id }, actor, as };
  }

  async #byBearer(token: string, origin: RequestOrigin): Promise<Authenticated> {
    const as = { kind: 'token', token, from: origin.client } as const;
    const actor = await this.#withAttemptLimit(origin, async () =>
      permitted({ as }, await this.#environment.ledger(), 'read'),
    );
    const { who, roles } = actor;
    return { signedIn: { who, roles, by: 'bearer', key: `bearer ${who}` }, actor, as };
  }

  /** The cookie for the printed token; undefined if the token is wrong or was used. */
  async byLink(token: string, origin: RequestOrigin): Promise<string | undefined> {
    this.#attempts.check(origin.client);
    if (this.#link?.use(token))
      return this.#cookieOf(await beginLocalSession(await this.#environment.ledger(), this.#ageMs));
    this.#attempts.failed(origin.client);
    return undefined;
  }

  /** The cookie for an API token. @throws WebRefusal if the token is invalid */
  async byToken(token: string, origin: RequestOrigin): Promise<string> {
    return this.#cookieOf(
      await this.#withAttemptLimit(origin, async () => {
        const as = { kind: 'token', token, from: origin.client } as const;
        return beginTokenSession(await this.#environment.ledger(), as, this.#ageMs);
      }),
    );
  }

  /** The cookie for the user with this subject at the OpenID provider. @throws ProductError if the subject is unknown */
  async bySubject(subject: string): Promise<string> {
    return this.#cookieOf(await beginSubjectSession(await this.#environment.ledger(), subject, this.#ageMs));
  }

  /** Ends the session of a request. Returns a header value that clears the cookie. */
  async out(request: Request): Promise<string> {
    const secret = this.#secretOf(request);
    if (secret !== undefined) await endSession(await this.#environment.ledger(), secret);
    return this.#cookie('', 0);
  }

  /** The cookie of a sign-in flow. It is `Lax`, because the redirect back comes from the provider's site. */
  cookieOfFlow(value: string, seconds: number): string {
    return this.#cookie(value, seconds, '-flow', 'Lax');
  }

  flowOf(request: Request): string | undefined {
    return this.#read(request, `${this.#options.cookie}-flow`);
  }

  async #withAttemptLimit<T>(origin: RequestOrigin, work: () => Promise<T>): Promise<T> {
    this.#attempts.check(origin.client);
    try {
      return await work();
    } catch (error) {
      if (!isUnknownUser(error)) throw error;
      this.#attempts.failed(origin.client);
      throw new WebRefusal(401, message('console.bad_token'), { headers: { 'www-authenticate': 'Bearer' } });
    }
  }

  get #ageMs(): number {
    return this.#environment.settings.sessionAgeMs;
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

  #cookieOf({ secret, session }: StartedSession): string {
    return this.#cookie(secret, (session.expiresAt - session.createdAt) / 1000);
  }

  #cookie(value: string, seconds: number, suffix = '', site: 'Strict' | 'Lax' = 'Strict'): string {
    const { cookie, secure } = this.#options;
    const age = `Max-Age=${Math.floor(seconds)}`;
    return `${cookie}${suffix}=${value}; Path=/; ${age}; HttpOnly; SameSite=${site}${secure ? '; Secure' : ''}`;
  }
}

const UNKNOWN_USER_CODES: ReadonlySet<string> = new Set([
  'people.token_unknown',
  'people.token_expired',
  'people.person_gone',
]);

function isUnknownUser(error: unknown): error is ProductError {
  return error instanceof ProductError && UNKNOWN_USER_CODES.has(error.code);
}

/** Turns the errors of an unknown or removed user into 401. */
async function orUnauthorized<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw isUnknownUser(error) ? new WebRefusal(401, error.detail) : error;
  });
}

const WITHIN_MS = 60_000;
const MAX_OF_CLIENT = 10;
const MAX_OF_ALL = 200;
/** Maximum number of clients to remember; beyond it all are forgotten. */
const MAX_CLIENTS = 10_000;

/** Counts failed sign-ins. After too many, a client has to wait. */
class Attempts {
  readonly #failed = new Map<string, number[]>();
  readonly #clock: () => number;

  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock;
  }

  /** @throws WebRefusal after too many failures within a minute, by this client or by all together */
  check(client: string): void {
    const ofClient = this.#recent(client);
    const all = this.#recent('');
    const oldest =
      ofClient.length >= MAX_OF_CLIENT
        ? ofClient.at(-MAX_OF_CLIENT)
        : all.length >= MAX_OF_ALL
          ? all.at(-MAX_OF_ALL)
          : undefined;
    if (oldest === undefined) return;
    const seconds = Math.max(1, Math.ceil((oldest + WITHIN_MS - this.#clock()) / 1000));
    throw new WebRefusal(429, message('console.too_many_attempts', { seconds }), {
      headers: { 'retry-after': String(seconds) },
    });
  }

  failed(client: string): void {
    if (this.#failed.size > MAX_CLIENTS) this.#failed.clear();
    for (const key of [client, '']) this.#failed.set(key, [...this.#recent(key), this.#clock()]);
  }

  #recent(key: string): number[] {
    const since = this.#clock() - WITHIN_MS;
    return (this.#failed.get(key) ?? []).filter((time) => time > since);
  }
}

/** The printed token. The first client that uses it is signed in as the user of this machine. */
class OneTimeToken {
  #token: string | undefined = randomBytes(32).toString('base64url');
  #markUsed = (): void => {};
  /** Resolves when the token has been used. */
  readonly used = new Promise<void>((resolve) => {
    this.#markUsed = resolve;
  });

  get text(): string | undefined {
    return this.#token;
  }

  /** True only once, for the right token. */
  use(token: string): boolean {
    if (this.#token === undefined || !timingSafeEqual(digest(token), digest(this.#token))) return false;
    this.#token = undefined;
    this.#markUsed();
    return true;
  }
}

/** `timingSafeEqual` needs buffers of the same length. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
