import { resolve } from 'node:path';
import type { z } from 'zod';
import type { ConsoleSettings, OidcSettings } from '../model/console.js';
import { isLoopback } from '../util/loopback.js';
import { networkOf } from '../util/network.js';
import { type Problem, problemAt } from './problem.js';
import { type consoleSchema, sizeBytes } from './schema/console.js';
import { durationMs } from './schema/shared.js';
import { type Node, nodeAt } from './yaml/node.js';

type ConsoleFile = z.output<typeof consoleSchema>;

/** The key `console`, checked by its schema, in the file of `folder`. */
export function readConsole(
  it: ConsoleFile,
  node: Node | undefined,
  folder: string,
): { readonly settings: ConsoleSettings; readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const at = (...path: string[]) => (node && (nodeAt(node, path)?.node ?? node))!.place;
  const url = it.url === undefined ? undefined : originOf(it.url);
  if (it.url !== undefined && url === undefined) problems.push(problemAt(at('url'), 'job.console_url', {}));
  for (const network of it.trustedProxy === true ? [] : (it.trustedProxy ?? [])) {
    if (!networkOf([network])) problems.push(problemAt(at('trustedProxy'), 'job.bad_network', { network }));
  }
  const secret = it.oidc?.clientSecret;
  const ways = Object.values(secret ?? {}).filter((one) => one !== undefined).length;
  if (secret && ways !== 1)
    problems.push(problemAt(at('oidc', 'clientSecret'), 'job.password_ways', { count: ways }));
  if (it.oidc && !isSafeIssuer(it.oidc.issuer))
    problems.push(problemAt(at('oidc', 'issuer'), 'job.bad_issuer', {}));
  const settings: ConsoleSettings = {
    ...(url === undefined ? {} : { url }),
    ...(it.tls ? { tls: { cert: resolve(folder, it.tls.cert), key: resolve(folder, it.tls.key) } } : {}),
    ...(it.trustedProxy === undefined ? {} : { trustedProxy: it.trustedProxy }),
    ...(it.oidc ? { oidc: oidcOf(it.oidc, folder) } : {}),
    sessionAgeMs: durationMs(it.sessionAge),
    checkTimeoutMs: durationMs(it.checkTimeout),
    uploadLimit: sizeBytes(it.uploadLimit),
  };
  return { settings, problems };
}

function oidcOf({ clientSecret, ...it }: NonNullable<ConsoleFile['oidc']>, folder: string): OidcSettings {
  const { env, file, command } = clientSecret ?? {};
  if (env !== undefined) return { ...it, clientSecret: { kind: 'env', name: env } };
  if (file !== undefined) return { ...it, clientSecret: { kind: 'file', path: resolve(folder, file) } };
  return command === undefined ? it : { ...it, clientSecret: { kind: 'command', argv: command } };
}

/** The address without a slash at its end; undefined where it has a path, a password, or is in the clear. */
function originOf(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const plain = url.pathname === '/' && url.search === '' && url.hash === '' && url.username === '';
  const safe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
  return plain && safe ? url.origin : undefined;
}

function isSafeIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}
