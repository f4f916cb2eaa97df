import { type Message, message } from '../errors/message.js';
import type { Notification, SecretSource } from '../model/connection.js';
import { readPrivateFile } from '../util/files.js';
import { rememberSecret, withholdVariables } from '../util/secrets.js';

type FoundSecret =
  | { readonly kind: 'found'; readonly value: string }
  | { readonly kind: 'missing'; readonly why: Message };

/** Fetches the signing key of a webhook; `host` is for the message. */
export async function findSecret(
  source: SecretSource,
  host: string,
  env: NodeJS.ProcessEnv,
): Promise<FoundSecret> {
  if (source.kind === 'env') {
    const value = env[source.name];
    if (!value) return missing(message('notify.secret_env', { host, name: source.name }));
    return found(value);
  }
  const file = source.path;
  const read = await readPrivateFile(file);
  if (read.kind === 'text') return found(read.text);
  return missing(
    read.kind === 'open_to_others'
      ? message('notify.secret_file_open', { host, file })
      : message('notify.secret_file', { host, file, reason: read.reason }),
  );
}

function found(value: string): FoundSecret {
  rememberSecret(value);
  return { kind: 'found', value };
}

function missing(why: Message): FoundSecret {
  return { kind: 'missing', why };
}

const LONG = 16;
/** Matches keys, not words that may also be folder names. */
const KEY = /^(?=.*\d).{16,}$/u;
const SECRET_HEADER = /auth|token|key|secret|cookie|sign/iu;

/**
 * Registers webhook addresses, their key-like parts and the credentials in their headers as secrets. From then on no log,
 * message or crash shows them. Call it as soon as they are known.
 */
export function rememberAddresses(notify: readonly Notification[]): void {
  for (const { target } of notify) {
    if (target.kind !== 'webhook') continue;
    const url = new URL(target.url);
    const path = url.pathname + url.search;
    // A short path alone could also be part of a file name.
    rememberSecret(path.length >= LONG ? path : url.href);
    for (const part of [...url.pathname.split('/'), ...url.searchParams.values()]) {
      if (KEY.test(part)) rememberSecret(part);
    }
    for (const [name, value] of Object.entries(target.headers)) {
      if (SECRET_HEADER.test(name)) rememberSecret(value);
    }
  }
}

/**
 * Withholds signing keys, and the variables that addresses and headers are built from, from every started program, such as one
 * that fetches a token.
 */
export function withholdFromPrograms(notify: readonly Notification[], env: NodeJS.ProcessEnv): void {
  rememberAddresses(notify);
  withholdVariables(secretVariables(notify));
  const texts = notify.flatMap(({ target }) =>
    target.kind === 'webhook' ? [secretPart(target.url), ...Object.values(target.headers)] : [],
  );
  const parts = Object.entries(env).filter(
    ([, value = '']) => value.length >= SHORTEST_PART && texts.some((it) => it.includes(value)),
  );
  withholdVariables(parts.map(([name]) => name));
}

/** Shorter values may occur in an address by chance. */
const SHORTEST_PART = 6;

function secretPart(url: string): string {
  const { pathname, search } = new URL(url);
  return `${url} ${pathname}${search} ${decodeURI(pathname)}`;
}

/** Environment variables with signing keys. */
function secretVariables(notify: readonly Notification[]): readonly string[] {
  return notify.flatMap(({ target }) =>
    target.kind === 'webhook' && target.secret?.kind === 'env' ? [target.secret.name] : [],
  );
}
