import type { TokenSource } from '../model/connection.js';
import { isLoopback } from '../util/loopback.js';
import { readApproval } from './approval.js';
import { checkUrl } from './base-url.js';
import { type ReadConnection, SANDBOX } from './built-in-connections.js';
import { checkNode } from './check.js';
import { notifications, notifyProblems, SHOWN, secretSource } from './notify.js';
import { type Problem, problemAt } from './problem.js';
import { type ConnectionFile, connectionSchema } from './schema/connection.js';
import { durationMs } from './schema/shared.js';
import { type MapEntry, nodeAt } from './yaml/node.js';

/** One connection of `license-sync.yaml`, in `folder`. Problems never contain values, as these may be secrets. */
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
  const it = checked.value;
  if (!it) return { connection: undefined, problems };

  const url =
    it.baseUrl === undefined ? undefined : checkUrl(it.baseUrl, it.allowInsecureHttp, placeOf('baseUrl'));
  if (url?.problem) problems.push(url.problem);
  // Only an address on this machine is the sandbox: elsewhere the name must not switch off confirmations.
  const simulated = sandbox && (url?.value === undefined || isLoopback(new URL(url.value).hostname));
  if (sandbox && !simulated && !it.token)
    problems.push(problemAt(entry.keyPlace, 'job.missing_token', { name: entry.key }));
  const ways = it.token ? Object.entries(it.token).filter(([, value]) => value !== undefined) : [];
  if (it.token && ways.length !== 1)
    problems.push(problemAt(placeOf('token'), 'job.token_ways', { count: ways.length }));
  if (problems.length > 0) return { connection: undefined, problems };

  const {
    baseUrl: _,
    token,
    appKey,
    requestsPerSecond,
    maxInFlight,
    idleReuse,
    platform,
    notify,
    approval: _approval,
    ...rest
  } = it;
  const key = appKey ?? (sandbox ? SANDBOX.appKey : undefined);
  // No member is undefined: `apply` compares the connection with the one that the plan was made for.
  return {
    problems,
    connection: {
      name: entry.key,
      sandbox: simulated,
      ...(url?.value === undefined ? {} : { baseUrl: url.value }),
      ...(platform?.trim() ? { platform: platform.trim() } : {}),
      ...(key === undefined ? {} : { appKey: key }),
      token: tokenSource(token, folder),
      ...(requestsPerSecond === undefined ? {} : { requestsPerSecond }),
      ...(maxInFlight === undefined ? {} : { maxInFlight }),
      ...(idleReuse === undefined ? {} : { idleReuseMs: durationMs(idleReuse) }),
      ...rest,
      ...(approved.approval ? { approval: approved.approval } : {}),
      ...(notify ? { notify: notifications(notify, folder) } : {}),
    },
  };
}

function tokenSource(token: ConnectionFile['token'], folder: string): TokenSource {
  if (!token) return { kind: 'sandbox' };
  const kept = secretSource(token, folder);
  return kept ?? (token.command ? { kind: 'command', argv: token.command } : { kind: 'sandbox' });
}
