import { isObject, type Json, type JsonObject } from '../model/json.js';
import type { Endpoint } from '../model/operation.js';
import { FAULT_KINDS, type FaultKind } from './faults.js';
import { business, httpRefusal, invalid, type Reply } from './http/reply.js';

/** The smallest integer above those that a double represents exactly. */
const BIG = 9_007_199_254_740_993n;
/** More than the 10 MB that a client should accept. */
const OVERSIZE = 11 * 1024 * 1024;

function withData(
  reply: Reply,
  change: (data: readonly Json[]) => readonly Json[] | undefined,
): Reply | undefined {
  const data = isObject(reply.body) ? reply.body.data : undefined;
  if (!Array.isArray(data)) return undefined;
  const alteredData = change(data);
  return alteredData && { ...reply, body: { ...(reply.body as JsonObject), data: alteredData } };
}

/** The same order or lock with another result. */
function contradicted(item: Json): Json | undefined {
  if (!isObject(item)) return undefined;
  if ('licenseOrderId' in item) return { ...item, licenseOrderId: `${String(item.licenseOrderId)}-B` };
  if ('status' in item) return { ...item, status: item.status === 1 ? 3 : 1 };
  return undefined;
}

/** A result for an order or lock that was not requested. */
function foreignResult(item: Json): Json | undefined {
  if (!isObject(item)) return undefined;
  if ('licenseOrderId' in item) return { ...item, sequence: 999_999, licenseOrderId: 'LO-FOREIGN' };
  if ('status' in item) return { ...item, assetNum: '8999999999', status: 1 };
  return undefined;
}

function enlarged(value: Json): Json {
  if (!isObject(value)) return value;
  return 'createTime' in value ? { ...value, createTime: BIG } : { ...value, bigNumber: BIG };
}

/** Functions that change the reply's content; `number` is the request's and selects the item. */
const CHANGES = {
  missing: (reply: Reply, number: number) =>
    withData(reply, (data) => (data.length === 0 ? undefined : data.toSpliced(number % data.length, 1))),
  doubled: (reply: Reply, number: number) =>
    withData(reply, (data) => {
      const duplicate = contradicted(data[number % data.length] ?? null);
      return duplicate === undefined ? undefined : [...data, duplicate];
    }),
  foreign: (reply: Reply) =>
    withData(reply, (data) => {
      const extra = foreignResult(data[0] ?? null);
      return extra === undefined ? undefined : [...data, extra];
    }),
  bignumber: (reply: Reply): Reply => {
    const listed = withData(reply, (data) => data.map(enlarged));
    if (listed) return listed;
    const body = reply.body as JsonObject;
    return { ...reply, body: isObject(body.data) ? { ...body, data: enlarged(body.data) } : enlarged(body) };
  },
  'no-data': (reply: Reply): Reply | undefined => {
    if (!isObject(reply.body)) return undefined;
    const { data, detail, resultCode: _, ...rest } = reply.body;
    const isEmpty = data === undefined && detail === undefined;
    return reply.refused || isEmpty ? undefined : { ...reply, body: rest };
  },
  oversize: (reply: Reply): Reply => ({
    ...reply,
    body: { ...(reply.body as JsonObject), padding: 'x'.repeat(OVERSIZE) },
  }),
  'status-500-after': () => httpRefusal(500, 'internal server error'),
  'status-504-after': () => httpRefusal(504, 'gateway timeout'),
  'status-303': () => redirect(303),
} as const;

type ChangeKind = keyof typeof CHANGES;

export function isChange(kind: string): kind is ChangeKind {
  return Object.hasOwn(CHANGES, kind);
}

/** The reply with the fault; undefined if the fault does not fit this reply. */
export function alteredReply(kind: ChangeKind, reply: Reply, number: number): Reply | undefined {
  return CHANGES[kind](reply, number);
}

/** Requests to this path are counted: a client must not follow redirects. */
export const REDIRECT_TARGET = '/sandbox/elsewhere';

function redirect(status: number): Reply {
  return httpRefusal(status, 'moved', { location: REDIRECT_TARGET });
}

/** Business code 500, "the caller should retry" (§7.1); the activity service's nearest is 1002. */
export function retryLater(endpoint: Endpoint): Reply {
  const detail = 'network error, please retry';
  if (endpoint.service === 'activity') {
    return { status: 200, body: { resultCode: '1002', resultMessage: detail }, refused: '1002' };
  }
  return { status: 200, body: { code: '500', message: detail, cause: 'Network' }, refused: '500' };
}

/** The reply of an injected fault that occurs before processing; undefined for other kinds and for a bare reset. */
export function earlyReply(kind: FaultKind, endpoint: Endpoint): Reply | undefined {
  if (FAULT_KINDS[kind].when !== 'before') return undefined;
  switch (kind) {
    case 'code-500':
      return retryLater(endpoint);
    case 'code-13004':
      return invalid(endpoint.service, 'refused by an injected fault');
    case 'http-299':
      return business('20999', 'business exception by an injected fault', 'InjectedFault');
    case 'status-302':
    case 'status-307':
      return redirect(Number(kind.slice('status-'.length)));
    case 'status-429':
      return httpRefusal(429, 'too many requests', { 'retry-after': '1' });
    case 'reset-before':
      return undefined;
    default:
      return httpRefusal(Number(kind.slice('status-'.length)), 'injected fault');
  }
}
