import { resolve } from 'node:path';
import type { Notification } from '../model/connection.js';
import { isLoopback } from '../util/loopback.js';
import type { CommandSource, SecretSource } from '../util/secret-source.js';
import { type Problem, problemAt } from './problem.js';
import { NOTIFY_KEYS, NOTIFY_TARGETS, type NotifyFile } from './schema/connection.js';
import { durationMs } from './schema/sections.js';
import { type MapEntry, type MappingNode, type Node, nodeAt } from './yaml/node.js';

/** Keys below `notify` whose values messages may repeat; all other values may be secrets. */
export const SHOWN: readonly string[] = ['on', 'timeout', 'retries'];

const COMMAND_TIMEOUT = '30s';
/** RFC 9110, section 5.6.2, without names that no header has in practice. */
const HEADER_NAME = /^[0-9A-Za-z][!#$%&'*+.^_`|~0-9A-Za-z-]*$/;
/** Headers that `fetch` sets itself or refuses to send. */
const OWN_HEADERS = new Set([
  'content-length',
  'host',
  'connection',
  'transfer-encoding',
  'expect',
  'upgrade',
]);

type Listed = NonNullable<NotifyFile>[number];

/** Problems of `notify` that its schema does not find. They never contain values, because these may be secrets. */
export function notifyProblems(list: Node | undefined): readonly Problem[] {
  if (list?.kind !== 'list') return [];
  return list.items.flatMap((item) => (item.kind === 'mapping' ? entryProblems(item) : []));
}

function entryProblems(item: MappingNode): readonly Problem[] {
  const problems: Problem[] = [];
  const { entries } = item;
  const [first, second] = NOTIFY_TARGETS.flatMap((target) => entries.get(target) ?? []);
  const timeout = entries.get('timeout');
  // A misspelt key is not reported as missing too.
  const misspelt = [...entries.keys()].some((key) => !NOTIFY_KEYS.includes(key));
  if (second) problems.push(problemAt(second.keyPlace, 'job.notify_both', {}));
  else if (!first && !misspelt) problems.push(problemAt(item.place, 'job.notify_nobody', {}));
  const webhook = entries.get('webhook');
  if (timeout && webhook && !second) problems.push(problemAt(timeout.keyPlace, 'job.notify_timeout', {}));
  if (webhook?.value.kind === 'mapping') problems.push(...webhookProblems(webhook.value));
  return problems;
}

function webhookProblems(webhook: MappingNode): readonly Problem[] {
  const problems: Problem[] = [];
  const url = webhook.entries.get('url');
  if (url) problems.push(...urlProblems(url));
  const secret = webhook.entries.get('secret');
  if (secret?.value.kind === 'mapping') {
    const { entries } = secret.value;
    const count = ['env', 'file'].filter((key) => entries.has(key)).length;
    if (count === 2 || entries.size === 0)
      problems.push(problemAt(secret.keyPlace, 'job.secret_ways', { count }));
  }
  const headers = nodeAt(webhook, ['headers'])?.node;
  if (headers?.kind === 'mapping')
    for (const entry of headers.entries.values()) problems.push(...headerProblems(entry));
  return problems;
}

function urlProblems({ value }: MapEntry): readonly Problem[] {
  if (value.kind !== 'scalar' || value.written.trim() === '' || value.value === null) return [];
  let url: URL;
  try {
    url = new URL(value.written.trim());
  } catch {
    return [problemAt(value.place, 'job.bad_webhook', {})];
  }
  if (url.username || url.password) return [problemAt(value.place, 'job.url_credentials', {})];
  const open = url.protocol === 'http:' && isLoopback(url.hostname);
  return url.protocol === 'https:' || open ? [] : [problemAt(value.place, 'job.bad_webhook', {})];
}

function headerProblems({ key, keyPlace, value }: MapEntry): readonly Problem[] {
  if (!HEADER_NAME.test(key)) return [problemAt(keyPlace, 'job.bad_header_name', {})];
  if (OWN_HEADERS.has(key.toLowerCase())) return [problemAt(keyPlace, 'job.own_header', { header: key })];
  // A header cannot contain characters beyond Latin-1 either.
  const isInvalid = value.kind === 'scalar' && /[^\t\x20-\x7e\x80-\xff]/.test(value.written);
  return isInvalid ? [problemAt(value.place, 'job.bad_header', { header: key })] : [];
}

/** The notifications of a checked list. File paths are relative to `folder`. */
export function notifications(list: readonly Listed[], folder: string): readonly Notification[] {
  return list.flatMap(({ on, webhook, command, timeout }): Notification[] => {
    if (command)
      return [
        {
          on,
          target: { kind: 'command', argv: command, timeoutMs: durationMs(timeout ?? COMMAND_TIMEOUT) },
        },
      ];
    // An unknown target would be ignored silently.
    if (!webhook) throw new Error('a notification has no target');
    const { url, secret, template, headers, retries } = webhook;
    return [
      {
        on,
        target: {
          kind: 'webhook',
          url: url.trim(),
          secret: secret && secretSource(secret, folder),
          template,
          headers,
          timeoutMs: durationMs(webhook.timeout),
          retries,
        },
      },
    ];
  });
}

interface SecretPlace {
  readonly env?: string;
  readonly file?: string;
  readonly command?: readonly string[];
}

/** The source of a secret; undefined if none is named. @param folder base of a relative file path */
export function secretSource(
  secret: SecretPlace & { readonly command?: undefined },
  folder: string,
): SecretSource | undefined;
export function secretSource(secret: SecretPlace, folder: string): SecretSource | CommandSource | undefined;
export function secretSource({ env, file, command }: SecretPlace, folder: string) {
  if (env !== undefined) return { kind: 'env', name: env };
  if (file !== undefined) return { kind: 'file', path: resolve(folder, file) };
  return command && { kind: 'command', argv: command };
}

/** The number of sources that a secret names. There must be exactly one. */
export function sourceCount(secret: SecretPlace): number {
  return Object.values(secret).filter((source) => source !== undefined).length;
}
