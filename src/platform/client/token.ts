import { inspect } from 'node:util';
import { type Message, message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { Connection, TokenSource } from '../../model/connection.js';
import { readSecret } from '../../util/read-secret.js';
import type { CommandSource, SecretSource } from '../../util/secret-source.js';
import { REDACTED_FROM, redactor } from '../../util/secrets.js';

/** The token of a sandbox connection. Not a secret: the simulated platform protects nothing. */
const SANDBOX_TOKEN = 'sandbox-token';

/** A credential that no log, dump or JSON text shows; only `reveal()` returns it. */
export class Token {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return '[redacted]';
  }

  toJSON(): string {
    return '[redacted]';
  }

  [inspect.custom](): string {
    return '[redacted]';
  }
}

/** Tokens fetched in advance: a command may have prompted a user for it. */
const prepared = new WeakMap<TokenSource, Token>();

/**
 * Fetches a connection's token in advance.
 * @throws ProductError usage, as `resolveToken`
 */
export async function prepareToken(
  { token, name }: Pick<Connection, 'token' | 'name'>,
  env?: NodeJS.ProcessEnv,
): Promise<void> {
  prepared.set(token, await resolveToken(token, name, env));
}

/**
 * Fetches a connection's token from the source in its settings. Throws `ProductError` (usage) that names the source,
 * never the value: nothing there, a file that others can read, a command that failed, or text that is not a token.
 */
export async function resolveToken(
  source: TokenSource,
  connection: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Token> {
  const ready = prepared.get(source);
  if (ready) {
    prepared.delete(source);
    return ready;
  }
  if (source.kind === 'sandbox') return new Token(SANDBOX_TOKEN);
  if (source.kind === 'withheld')
    throw new ProductError('usage', message('platform.token_withheld', { connection }));
  const found = await readSecret(source, env);
  if (found.kind === 'text') return checked(found.text, connection, placeOf(source));
  const params = { connection, ...found.params };
  throw new ProductError(
    'usage',
    found.encoding === undefined
      ? message(`platform.token_${found.why}`, params)
      : message('platform.token_encoding', { ...params, encoding: found.encoding }),
  );
}

/** Of a command only the program: its arguments may contain secrets. */
function placeOf(source: SecretSource | CommandSource): string {
  if (source.kind === 'env') return `$${source.name}`;
  return source.kind === 'file' ? source.path : (source.argv[0] ?? '');
}

/** An object, a list or a text in quotes. */
const JSON_VALUE = /^\s*(?:[{[]|(["'])[\s\S]*\1\s*$)/u;
/** `LICENSE_TOKEN=abc`, as in an environment file; `=` only at the end is the padding of Base64. */
const ASSIGNMENT = /^\s*(?:(?:export|set)\s+)?[A-Za-z_]\w*\s*=\s*[^=\s]/u;

/** Visible ASCII only: other characters cannot be in a header, or do not belong to a token. */
function checked(value: string, connection: string, place: string): Token {
  const params = { connection, place };
  if (JSON_VALUE.test(value)) throw new ProductError('usage', message('platform.token_json', params));
  if (ASSIGNMENT.test(value)) throw new ProductError('usage', message('platform.token_assignment', params));
  if (!/^[\x21-\x7e]+$/u.test(value)) {
    throw new ProductError('usage', message('platform.token_malformed', params));
  }
  return new Token(value);
}

/** `renewed`: requests are sent with another token from now on; `same`: the refused token was fetched again. */
export type TokenRenewal =
  | { readonly kind: 'renewed' }
  | { readonly kind: 'same' }
  | { readonly kind: 'failed'; readonly why: Message };

/** The token that a client sends. After a 401 it is fetched again, if it comes from a command or a file. */
export class ClientToken {
  readonly renewable: boolean;
  /** Removes all tokens of this client from a text. */
  redact: (text: string) => string = (text) => text;
  /** The same for replies, in which short tokens may be part of other values by chance. */
  redactReply: (text: string) => string = (text) => text;
  readonly #fetch: () => Promise<string>;
  /** All fetched tokens; the last one is sent. */
  readonly #fetched: string[] = [];
  #renewal: { readonly of: string; readonly result: Promise<TokenRenewal> } | undefined;

  private constructor(source: TokenSource, fetch: () => Promise<string>) {
    this.renewable = source.kind === 'command' || source.kind === 'file';
    this.#fetch = fetch;
  }

  /** @throws ProductError usage, as `resolveToken` */
  static async fetch(
    { token, name }: Pick<Connection, 'token' | 'name'>,
    env: NodeJS.ProcessEnv,
  ): Promise<ClientToken> {
    const fetch = async (): Promise<string> => (await resolveToken(token, name, env)).reveal();
    const created = new ClientToken(token, fetch);
    created.#add(await fetch());
    return created;
  }

  get current(): string {
    return this.#fetched.at(-1)!;
  }

  /** Fetches the token again. Requests refused with the same token share one fetch. Never rejects. */
  async renew(refused: string | undefined): Promise<TokenRenewal> {
    const { current } = this;
    if (refused !== current) return { kind: 'renewed' };
    if (this.#renewal?.of !== current) this.#renewal = { of: current, result: this.#fetchAgain() };
    return this.#renewal.result;
  }

  async #fetchAgain(): Promise<TokenRenewal> {
    try {
      const next = await this.#fetch();
      if (next === this.current) return { kind: 'same' };
      this.#add(next);
      return { kind: 'renewed' };
    } catch (error) {
      if (!(error instanceof ProductError)) throw error;
      return { kind: 'failed', why: error.detail };
    }
  }

  #add(token: string): void {
    this.#fetched.push(token);
    const long = this.#fetched.filter((it) => it.length >= REDACTED_FROM);
    this.redact = redactor(this.#fetched);
    this.redactReply = redactor(long);
  }
}
