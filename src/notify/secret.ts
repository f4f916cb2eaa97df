import type { Notification, WebhookTarget } from '../model/connection.js';
import { rememberSecret, withholdVariables } from '../util/secrets.js';

const LONG = 16;
/** Matches keys, not words that may also be folder names. */
const KEY = /^(?=.*\d).{16,}$/u;
const SECRET_HEADER = /auth|token|key|secret|cookie|sign/iu;

/** What must never be shown of a target, or be available to a started program. */
interface TargetSecrets {
  /** Texts that are redacted from now on. */
  readonly values: readonly string[];
  readonly variables: readonly string[];
  /** Texts of which parts may come from environment variables, which then contain a secret too. */
  readonly builtFrom: readonly string[];
}

/** The switch has no default: a new kind of target without an entry here does not compile. */
function secretsOf(target: Notification['target']): TargetSecrets {
  switch (target.kind) {
    case 'webhook':
      return webhookSecrets(target);
    case 'command':
      return { values: [], variables: [], builtFrom: [] };
  }
}

function webhookSecrets({ url: written, headers, secret }: WebhookTarget): TargetSecrets {
  const { href, pathname, search, searchParams } = new URL(written);
  const path = pathname + search;
  return {
    values: [
      // A short path alone could also be part of a file name.
      path.length >= LONG ? path : href,
      ...[...pathname.split('/'), ...searchParams.values()].filter((part) => KEY.test(part)),
      ...Object.entries(headers).flatMap(([name, value]) => (SECRET_HEADER.test(name) ? [value] : [])),
    ],
    variables: secret?.kind === 'env' ? [secret.name] : [],
    builtFrom: [`${written} ${path} ${decodeURI(pathname)}`, ...Object.values(headers)],
  };
}

/**
 * Registers webhook addresses, their key-like parts and the credentials in their headers as secrets. From then on no log,
 * message or crash shows them. Call it as soon as they are known.
 */
export function rememberAddresses(notify: readonly Notification[]): void {
  for (const { target } of notify) secretsOf(target).values.forEach(rememberSecret);
}

/** Shorter values may occur in an address by chance. */
const SHORTEST_PART = 6;

/**
 * Withholds signing keys, and the variables that addresses and headers are built from, from every started program, such as one
 * that fetches a token.
 */
export function withholdFromPrograms(notify: readonly Notification[], env: NodeJS.ProcessEnv): void {
  rememberAddresses(notify);
  for (const { target } of notify) {
    const { variables, builtFrom } = secretsOf(target);
    const parts = Object.entries(env).filter(
      ([, value = '']) => value.length >= SHORTEST_PART && builtFrom.some((it) => it.includes(value)),
    );
    withholdVariables([...variables, ...parts.map(([name]) => name)]);
  }
}
