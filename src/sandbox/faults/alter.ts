import { isObject, type Json, type JsonObject } from '../../model/json.js';
import { httpRefusal, type Reply } from '../http/reply.js';

/** Just past what a double holds exactly. */
const BIG = 9_007_199_254_740_993n;
/** More than the 10 MB that a client should take. */
const OVERSIZE = 11 * 1024 * 1024;

function withData(
  reply: Reply,
  change: (data: readonly Json[]) => readonly Json[] | undefined,
): Reply | undefined {
  const data = isObject(reply.body) ? reply.body.data : undefined;
  if (!Array.isArray(data)) return undefined;
  const changed = change(data);
  return changed && { ...reply, body: { ...(reply.body as JsonObject), data: changed } };
}

/** The same order or lock with another result. */
function contradicted(item: Json): Json | undefined {
  if (!isObject(item)) return undefined;
  if ('licenseOrderId' in item) return { ...item, licenseOrderId: `${String(item.licenseOrderId)}-B` };
  if ('status' in item) return { ...item, status: item.status === 1 ? 3 : 1 };
  return undefined;
}

/** A result for an order or lock that nobody asked for. */
function stranger(item: Json): Json | undefined {
  if (!isObject(item)) return undefined;
  if ('licenseOrderId' in item) return { ...item, sequence: 999_999, licenseOrderId: 'LO-FOREIGN' };
  if ('status' in item) return { ...item, assetNum: '8999999999', status: 1 };
  return undefined;
}

function enlarged(value: Json): Json {
  if (!isObject(value)) return value;
  return 'createTime' in value ? { ...value, createTime: BIG } : { ...value, bigNumber: BIG };
}

/** What changes the reply's content; `number` is the request's, which picks the item. */
const CHANGES = {
  missing: (reply: Reply, number: number) =>
    withData(reply, (data) => (data.length === 0 ? undefined : data.toSpliced(number % data.length, 1))),
  doubled: (reply: Reply, number: number) =>
    withData(reply, (data) => {
      const other = contradicted(data[number % data.length] ?? null);
      return other === undefined ? undefined : [...data, other];
    }),
  foreign: (reply: Reply) =>
    withData(reply, (data) => {
      const extra = stranger(data[0] ?? null);
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
    const nothingToDrop = data === undefined && detail === undefined;
    return reply.refused || nothingToDrop ? undefined : { ...reply, body: rest };
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

/** The reply with the fault in it; undefined where this reply has no place for it. */
export function changed(kind: ChangeKind, reply: Reply, number: number): Reply | undefined {
  return CHANGES[kind](reply, number);
}

/** A trap: whoever follows it is counted. */
export const ELSEWHERE = '/sandbox/elsewhere';

export function redirect(status: number): Reply {
  return httpRefusal(status, 'moved', { location: ELSEWHERE });
}
