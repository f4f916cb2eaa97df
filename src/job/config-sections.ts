import { resolve } from 'node:path';
import type { z } from 'zod';
import { ProductError } from '../errors/product-error.js';
import type { ApprovalPolicy, Connection } from '../model/connection.js';
import type { ConsoleSettings } from '../model/console.js';
import { OPERATION_NAMES } from '../model/operation.js';
import { isLedgerPath, isPostgresUrl, isSchemaName, ledgerPlace } from '../util/ledger-address.js';
import { isLoopback } from '../util/loopback.js';
import { matchesPattern } from '../util/name-match.js';
import { networkOf } from '../util/network.js';
import { checkUrl, type ReadConnection, SANDBOX } from './built-in-connections.js';
import { checkNode, unknownValue } from './check.js';
import { notifications, notifyProblems, SHOWN, secretSource, sourceCount } from './notify.js';
import { type Problem, problemAt } from './problem.js';
import {
  approvalSchema,
  connectionSchema,
  type consoleSchema,
  ledgerSchema,
  sizeBytes,
} from './schema/connection.js';
import { durationMs } from './schema/sections.js';
import { type MapEntry, type Node, nodeAt, shown } from './yaml/node.js';

interface ReadLedger {
  /** Path or URL; absent when there are problems. */
  readonly location?: string;
  readonly problems: readonly Problem[];
}

/**
 * Reads the key `ledger` of the `license-sync.yaml` in `folder`: a path, a server's URL, or a mapping with URL, password source
 * and schema. Problems never contain values, because these may be secrets.
 */
export function readLedger(entry: MapEntry, folder: string, env: NodeJS.ProcessEnv): ReadLedger {
  const { key, value } = entry;
  if (value.kind === 'mapping') return readServer(value, folder, env);
  if (value.kind !== 'scalar') {
    return { problems: [problemAt(value.place, 'job.expected_text', { key, value: '…' })] };
  }
  if (value.value === null) return { problems: [problemAt(entry.keyPlace, 'job.empty_value', { key })] };
  if (value.written === '') return { problems: [problemAt(value.place, 'job.empty_text', { key })] };
  return locationOf(value.written, value, folder, { env });
}

function readServer(node: Node, folder: string, env: NodeJS.ProcessEnv): ReadLedger {
  const checked = checkNode(ledgerSchema, node, { hide: ['url', 'password'] });
  const problems = [...checked.problems];
  if (!checked.value) return { problems };
  const { url, password = {}, schema } = checked.value;
  const nodeOf = (key: string) => nodeAt(node, [key])?.node ?? node;
  const sources = sourceCount(password);
  if (checked.value.password && sources !== 1)
    problems.push(problemAt(nodeOf('password').place, 'job.password_ways', { count: sources }));
  if (!isPostgresUrl(url)) problems.push(problemAt(nodeOf('url').place, 'job.ledger_url', {}));
  if (schema !== undefined && !isSchemaName(schema))
    problems.push(problemAt(nodeOf('schema').place, 'job.ledger_schema', {}));
  if (problems.length > 0) return { problems };
  return locationOf(url, nodeOf('url'), folder, { env, password: secretSource(password, folder), schema });
}

function locationOf(
  text: string,
  node: Node,
  folder: string,
  naming: Parameters<typeof ledgerPlace>[2],
): ReadLedger {
  if (!isLedgerPath(text) && !isPostgresUrl(text)) {
    return { problems: [problemAt(node.place, 'job.bad_ledger', {})] };
  }
  try {
    return { location: ledgerPlace(text, folder, naming), problems: [] };
  } catch (error) {
    if (!(error instanceof ProductError)) throw error;
    return { problems: [problemAt(node.place, 'job.bad_ledger_url', { reason: error.detail })] };
  }
}

/** Reads the key `console`, which its schema has checked, of the file in `folder`. */
export function readConsole(
  { url, tls, trustedProxy, oidc, ...limits }: z.output<typeof consoleSchema>,
  node: Node | undefined,
  folder: string,
): { readonly settings: ConsoleSettings; readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const placeOf = (...path: string[]) => (node && (nodeAt(node, path)?.node ?? node))!.place;
  const origin = url === undefined ? undefined : originOf(url);
  if (url !== undefined && origin === undefined)
    problems.push(problemAt(placeOf('url'), 'job.console_url', {}));
  for (const network of trustedProxy === true ? [] : (trustedProxy ?? [])) {
    if (!networkOf([network]))
      problems.push(problemAt(placeOf('trustedProxy'), 'job.bad_network', { network }));
  }
  const secret = oidc?.clientSecret;
  if (secret && sourceCount(secret) !== 1)
    problems.push(
      problemAt(placeOf('oidc', 'clientSecret'), 'job.password_ways', { count: sourceCount(secret) }),
    );
  if (oidc && !isSafeUrl(oidc.issuer))
    problems.push(problemAt(placeOf('oidc', 'issuer'), 'job.bad_issuer', {}));
  const settings: ConsoleSettings = {
    url: origin,
    tls: tls && { cert: resolve(folder, tls.cert), key: resolve(folder, tls.key) },
    trustedProxy,
    oidc: oidc && { ...oidc, clientSecret: secret && secretSource(secret, folder) },
    sessionAgeMs: durationMs(limits.sessionAge),
    checkTimeoutMs: durationMs(limits.checkTimeout),
    uploadLimit: sizeBytes(limits.uploadLimit),
  };
  return { settings, problems };
}

/** The address without a trailing slash; undefined if it has a path or a password, or is not protected by TLS. */
function originOf(text: string): string | undefined {
  if (!isSafeUrl(text)) return undefined;
  const url = new URL(text);
  const isPlain = url.pathname === '/' && url.search === '' && url.hash === '' && url.username === '';
  return isPlain ? url.origin : undefined;
}

/** True for https, and for http to this machine. */
function isSafeUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

interface ReadApproval {
  /** Absent if no approval is required, or there are problems. */
  readonly approval?: ApprovalPolicy;
  readonly problems: readonly Problem[];
}

/** Reads the key `approval` of a connection: `required`, or a mapping that selects plans. */
function readApproval(entry: MapEntry | undefined): ReadApproval {
  if (!entry) return { problems: [] };
  const { key, value: node } = entry;
  if (node.kind !== 'mapping') {
    if (node.kind === 'scalar' && node.written === 'required') return { approval: {}, problems: [] };
    if (node.kind === 'scalar' && node.value === null)
      return { problems: [problemAt(entry.keyPlace, 'job.empty_value', { key })] };
    return { problems: [unknownValue(node.place, key, shown(node), ['required'])] };
  }
  const { value, problems } = checkNode(approvalSchema, node);
  if (!value) return { problems };
  const { operations, above } = value;
  if (operations === undefined && above === undefined)
    return { problems: [problemAt(entry.keyPlace, 'job.empty_approval', {})] };
  const unknown = (operations ?? []).flatMap((pattern, at) => {
    if (OPERATION_NAMES.some((name) => matchesPattern(pattern, name))) return [];
    const place = nodeAt(node, ['operations', at])?.node.place ?? node.place;
    return [
      problemAt(place, 'job.no_such_operations', { value: pattern, known: OPERATION_NAMES.join(', ') }),
    ];
  });
  if (unknown.length > 0) return { problems: unknown };
  return { approval: value, problems: [] };
}

/** Reads one connection of the `license-sync.yaml` in `folder`. Problems never contain values, because these may be secrets. */
export function readConnection(entry: MapEntry, folder: string): ReadConnection {
  const node = entry.value;
  const checked = checkNode(connectionSchema, node, {
    hide: ['token', 'baseUrl', 'appKey', 'notify'],
    show: SHOWN,
  });
  const problems: Problem[] = [...checked.problems, ...notifyProblems(nodeAt(node, ['notify'])?.node)];
  const approved = readApproval(nodeAt(node, ['approval'])?.entry);
  problems.push(...approved.problems);
  const sandbox = entry.key === 'sandbox';
  const has = (key: string) => nodeAt(node, [key]) !== undefined;
  const placeOf = (key: string) => nodeAt(node, [key])?.node.place ?? entry.keyPlace;
  if (node.kind === 'mapping' && !sandbox) {
    if (!has('baseUrl')) problems.push(problemAt(entry.keyPlace, 'job.missing_key', { key: 'baseUrl' }));
    if (!has('token')) problems.push(problemAt(entry.keyPlace, 'job.missing_token', { name: entry.key }));
  }
  const parsed = checked.value;
  if (!parsed) return { connection: undefined, problems };

  const url =
    parsed.baseUrl === undefined
      ? undefined
      : checkUrl(parsed.baseUrl, parsed.allowInsecureHttp, placeOf('baseUrl'));
  if (url?.problem) problems.push(url.problem);
  // Only an address on this machine is the sandbox: for any other, the name must not disable confirmations.
  const simulated = sandbox && (url?.value === undefined || isLoopback(new URL(url.value).hostname));
  if (sandbox && !simulated && !parsed.token)
    problems.push(problemAt(entry.keyPlace, 'job.missing_token', { name: entry.key }));
  if (parsed.token && sourceCount(parsed.token) !== 1)
    problems.push(problemAt(placeOf('token'), 'job.token_ways', { count: sourceCount(parsed.token) }));
  if (problems.length > 0) return { connection: undefined, problems };

  const { token, requestsPerSecond, maxInFlight, idleReuse, platform, notify, approval: _, ...rest } = parsed;
  // `apply` compares the connection with the one that the plan was created for, which has no undefined members.
  const connection = withoutUndefined<Connection>({
    name: entry.key,
    sandbox: simulated,
    ...rest,
    baseUrl: url?.value,
    platform: platform?.trim() || undefined,
    appKey: parsed.appKey ?? (sandbox ? SANDBOX.appKey : undefined),
    token: secretSource(token ?? {}, folder) ?? { kind: 'sandbox' },
    requestsPerSecond,
    maxInFlight,
    idleReuseMs: idleReuse === undefined ? undefined : durationMs(idleReuse),
    approval: approved.approval,
    notify: notify && notifications(notify, folder),
  });
  return { problems, connection };
}

function withoutUndefined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as T;
}
