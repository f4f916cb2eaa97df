import { execFile } from 'node:child_process';
import { inspect } from 'node:util';
import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { TokenSource } from '../../model/connection.js';
import { childEnvironment, rememberSecret } from '../../util/known-secrets.js';
import { readPrivateFile } from '../../util/private-file.js';

/** What a sandbox connection presents as its token. No secret: the simulated platform protects nothing. */
const SANDBOX_TOKEN = 'sandbox-token';
const COMMAND_MS = 30_000;
const MAX_BYTES = 65_536;

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

/**
 * Fetches a connection's token from where its settings say. Throws `ProductError` (usage) that names the place,
 * never the value: nothing there, a file that others can read, a command that failed, or text that is no token.
 */
export async function resolveToken(
  source: TokenSource,
  connection: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Token> {
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

/** Visible ASCII only: anything else cannot stand in a header, or was never meant to be part of a token. */
function checked(value: string, connection: string, place: string): Token {
  if (!/^[\x21-\x7e]+$/u.test(value)) {
    throw new ProductError('usage', message('platform.token_malformed', { connection, place }));
  }
  rememberSecret(value);
  return new Token(value);
}

async function fromFile(path: string, connection: string): Promise<string> {
  const found = await readPrivateFile(path);
  if (found.kind === 'text') return found.text;
  throw new ProductError(
    'usage',
    found.kind === 'open_to_others'
      ? message('platform.token_file_open', { connection, path })
      : message('platform.token_file', { connection, path, reason: found.reason }),
  );
}

function fromCommand(argv: readonly string[], connection: string, env: NodeJS.ProcessEnv): Promise<string> {
  const [program = '', ...args] = argv;
  return new Promise((resolve, reject) => {
    const fail = (reason: string): void => {
      // The program's name only: its arguments and what it printed may hold secrets.
      reject(new ProductError('usage', message('platform.token_command', { connection, program, reason })));
    };
    if (program === '') return fail('ENOENT');
    const options = { timeout: COMMAND_MS, killSignal: 'SIGKILL', maxBuffer: MAX_BYTES } as const;
    const child = execFile(
      program,
      args,
      { ...options, env: childEnvironment(env), windowsHide: true, encoding: 'utf8' },
      (error, stdout) => {
        if (error) {
          const late = error.killed === true && error.signal === 'SIGKILL' && typeof error.code !== 'string';
          return fail(late ? `${COMMAND_MS / 1000} s` : String(error.code ?? error.signal ?? 'error'));
        }
        const value = stdout.trim();
        return value === '' ? fail('empty') : resolve(value);
      },
    );
    // One that waits for input gets its end at once, instead of hanging until the time is over.
    child.stdin?.on('error', () => undefined).end();
  });
}
