import { inspect } from 'node:util';
import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { Connection, TokenSource } from '../../model/connection.js';
import { rememberSecret } from '../../util/known-secrets.js';
import { printedSecret } from '../../util/printed-secret.js';
import { readPrivateFile } from '../../util/private-file.js';

/** What a sandbox connection presents as its token. No secret: the simulated platform protects nothing. */
const SANDBOX_TOKEN = 'sandbox-token';

/** A credential that shows itself to no log, dump or JSON text: only `reveal()` gives it away. */
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

/** Fetched already, for whoever asks next: a command may have asked a person for it. */
const prepared = new WeakMap<TokenSource, Token>();

/**
 * Fetches a connection's token before it is needed.
 * @throws ProductError usage, as `resolveToken`
 */
export async function prepareToken(
  { token, name }: Pick<Connection, 'token' | 'name'>,
  env?: NodeJS.ProcessEnv,
): Promise<void> {
  prepared.set(token, await resolveToken(token, name, env));
}

/**
 * Fetches a connection's token from where its settings say. Throws `ProductError` (usage) that names the place,
 * never the value: nothing there, a file that others can read, a command that failed, or text that is no token.
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
  switch (source.kind) {
    case 'sandbox':
      return new Token(SANDBOX_TOKEN);
    case 'withheld':
      throw new ProductError('usage', message('platform.token_withheld', { connection }));
    case 'env': {
      const value = env[source.name];
      if (value === undefined || value === '') {
        throw new ProductError('usage', message('platform.token_env', { connection, name: source.name }));
      }
      return checked(value, connection, `$${source.name}`);
    }
    case 'file':
      return checked(await fromFile(source.path, connection), connection, source.path);
    case 'command':
      return checked(await fromCommand(source.argv, connection, env), connection, source.argv[0] ?? '');
  }
}

/** An object, a list or a text in quotes. */
const JSON_VALUE = /^\s*(?:[{[]|(["'])[\s\S]*\1\s*$)/u;
/** `LICENSE_TOKEN=abc`, as in a file of variables; `=` at the end alone is the padding of Base64. */
const ASSIGNMENT = /^\s*(?:(?:export|set)\s+)?[A-Za-z_]\w*\s*=\s*[^=\s]/u;

/** Visible ASCII only: anything else cannot stand in a header, or was never meant to be part of a token. */
function checked(value: string, connection: string, place: string): Token {
  const params = { connection, place };
  if (JSON_VALUE.test(value)) throw new ProductError('usage', message('platform.token_json', params));
  if (ASSIGNMENT.test(value)) throw new ProductError('usage', message('platform.token_assignment', params));
  if (!/^[\x21-\x7e]+$/u.test(value)) {
    throw new ProductError('usage', message('platform.token_malformed', params));
  }
  rememberSecret(value);
  return new Token(value);
}

async function fromFile(path: string, connection: string): Promise<string> {
  const found = await readPrivateFile(path);
  if (found.kind === 'text') return found.text;
  if ('encoding' in found) {
    const params = { connection, path, encoding: found.encoding };
    throw new ProductError('usage', message('platform.token_encoding', params));
  }
  throw new ProductError(
    'usage',
    found.kind === 'open_to_others'
      ? message('platform.token_file_open', { connection, path })
      : message('platform.token_file', { connection, path, reason: found.reason }),
  );
}

async function fromCommand(
  argv: readonly string[],
  connection: string,
  env: NodeJS.ProcessEnv,
): Promise<string> {
  const found = await printedSecret(argv, env);
  if (found.kind === 'text') return found.text;
  // The program's name only: its arguments may hold secrets.
  const params = { connection, program: argv[0] ?? '', reason: found.reason };
  throw new ProductError('usage', message('platform.token_command', params));
}
