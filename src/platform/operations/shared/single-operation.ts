import { message } from '../../../errors/message.js';
import type { Field } from '../../../model/field.js';
import type { ItemOutcome } from '../../../model/item.js';
import { isObject, type Json, type JsonObject } from '../../../model/json.js';
import type {
  ComposeContext,
  Endpoint,
  Operation,
  ReplyReading,
  WireRequest,
} from '../../../model/operation.js';
import { plainText } from '../../../util/text.js';
import { checkReply } from '../../wire/check.js';
import {
  impossibleId,
  malformed,
  returnedFields,
  settled,
  unbelievable,
  withoutImpossibleIds,
} from './reading.js';
import { columnPaths } from './records.js';
import { compareKeys, sentKeys } from './reply-keys.js';
import { checkFilled, collectFaults, type Report } from './rule-report.js';

/** A request with one item: its fields become path, query and body as their table defines. */
export function composeSingle(
  endpoint: Endpoint,
  shape: readonly Field[],
  bodies: readonly Json[],
  context: ComposeContext,
): WireRequest {
  const only = bodies[0];
  if (bodies.length !== 1 || !isObject(only)) {
    throw new Error(`endpoint ${endpoint.number} takes exactly one item, an object, not ${bodies.length}`);
  }
  return composeRequest(endpoint, shape, only, context);
}

/** Distributes the fields of a request to path, query and body. */
export function composeRequest(
  endpoint: Endpoint,
  shape: readonly Field[],
  fields: JsonObject,
  context: ComposeContext,
): WireRequest {
  let path = endpoint.path;
  const query: Record<string, string> = {};
  const body: Record<string, Json> = {};
  if (endpoint.needsAppKey && context.appKey !== undefined) query.appKey = context.appKey;
  for (const field of shape) {
    const value = arrangedMember(field, fields);
    if (value === undefined) continue;
    const { name } = field;
    if (field.in === 'path') path = path.replace(`{${name}}`, encodeURIComponent(String(value)));
    else if (field.in === 'query') query[name] = String(value);
    else body[name] = value;
  }
  return endpoint.method === 'GET' ? { method: 'GET', path, query } : { method: 'POST', path, query, body };
}

/**
 * The object with its members in the table's order and the table's defaults added, at every depth. Absent members stay
 * absent, so that an empty optional cell is never sent as null.
 */
function arrange(fields: readonly Field[], value: JsonObject): JsonObject {
  const arranged: Record<string, Json> = {};
  for (const field of fields) {
    const member = arrangedMember(field, value);
    if (member !== undefined) arranged[field.name] = member;
  }
  return arranged;
}

/** The arranged member of that field; undefined if it is absent and has no default. */
function arrangedMember(field: Field, owner: JsonObject): Json | undefined {
  const given = Object.hasOwn(owner, field.name) ? owner[field.name] : undefined;
  const value = given ?? field.default;
  const { fields } = field;
  if (!fields) return value;
  if (Array.isArray(value)) return value.map((it: Json) => (isObject(it) ? arrange(fields, it) : it));
  return isObject(value) ? arrange(fields, value) : value;
}

type SingleOperationParts = Pick<
  Operation,
  | 'name'
  | 'purpose'
  | 'endpoint'
  | 'repeatable'
  | 'key'
  | 'resultColumns'
  | 'reversal'
  | 'verifyBy'
  | 'lists'
  | 'namesAssets'
  | 'touches'
  | 'recordsExpected'
  | 'gives'
> & {
  readonly subject?: string;
  /** Fields of a record, if the operation returns records. */
  readonly records?: readonly Field[];
  /** Rules beyond those of every operation; gets the request's fields. */
  readonly check?: (fields: JsonObject, report: Report) => void;
  /** The outcome of a reply with the right shape; `sent` are the request's body fields. */
  readonly outcome: (reply: Json, sent: JsonObject) => ItemOutcome;
};

/** An operation with one row per request. */
export function singleOperation({
  check,
  outcome,
  subject,
  records,
  ...parts
}: SingleOperationParts): Operation {
  const { endpoint } = parts;
  const shape = endpoint.request;
  const place = { kind: 'single' } as const;
  return {
    ...parts,
    subject,
    ...(records ? { recordColumns: columnPaths(records) } : {}),
    returns: returnedFields(parts, records),
    shape,
    place,
    envelope: [],
    batch: { size: 1, fixed: true },
    rules: (content) =>
      collectFaults((report) => {
        checkFilled(shape, place, content, report);
        if (check && isObject(content.body)) check(content.body, report);
      }),
    compose: (_envelope, bodies, context) => composeSingle(endpoint, shape, bodies, context),
    read: (reply, sent, items) => readSingle({ endpoint, outcome, records }, reply, sent, items),
  };
}

/** Compares the reply with the request before its shape is checked: a foreign record may have any shape. */
function readSingle(
  { endpoint, outcome, records }: Pick<SingleOperationParts, 'endpoint' | 'outcome' | 'records'>,
  reply: Json,
  sent: WireRequest,
  items: number,
): ReplyReading {
  const keys = sentKeys(endpoint, sent);
  const { reply: shape } = endpoint;
  let believed = reply;
  let note: Pick<ItemOutcome, 'message'> = {};
  let noMatch: Pick<ReplyReading, 'noMatch'> = {};
  if (Array.isArray(reply)) {
    const compared = reply.map((it: Json) => ({ it, other: compareKeys(keys, it).other }));
    const matching = compared.filter(({ other }) => !other).map(({ it }) => it);
    const why = compared.find(({ other }) => other)?.other;
    believed = matching;
    if (why) {
      const params = { count: reply.length - matching.length, why };
      note = { message: message('operation.other_records', params) };
      if (matching.length === 0) noMatch = { noMatch: message('operation.only_other_records', params) };
    }
  } else {
    const { other, warning } = compareKeys(keys, reply);
    if (other) return unbelievable(other, items);
    if (warning) note = { message: warning };
  }
  const problems = checkReply(shape, believed, endpoint.service === 'order' ? 'data' : 'result');
  if (problems.length > 0) return malformed(problems, items);
  // A key that equals the request's is the value that was sent, even if it is not a possible id.
  const repeated = keys.filter(({ field }) => field.echo !== 'warn').map(({ field }) => field.name);
  const impossible = impossibleIn(shape, believed, repeated);
  if (impossible) return unbelievable(impossible, items);
  if (shape.kind === 'object array' && Array.isArray(believed))
    believed = believed.map((it: Json) => (isObject(it) ? withoutImpossibleIds(shape.fields, it) : it));
  const parsed = outcome(believed, sent.body ?? {});
  const cleanRecords =
    parsed.records && records ? parsed.records.map((it) => withoutImpossibleIds(records, it)) : undefined;
  return {
    ...settled({ ...note, ...parsed, ...(cleanRecords ? { records: cleanRecords } : {}) }),
    ...noMatch,
  };
}

/** Of list elements only required fields are checked: an asset may belong to no customer. */
function impossibleIn(shape: Operation['endpoint']['reply'], reply: Json, repeated: readonly string[]) {
  if (!('fields' in shape)) return undefined;
  const isList = Array.isArray(reply);
  const checked = shape.fields.filter(({ name }) => !repeated.includes(name));
  const fields = isList ? checked.filter((it) => it.required) : checked;
  for (const record of isList ? reply : [reply]) {
    const found = isObject(record) ? impossibleId(fields, record) : undefined;
    if (!found) continue;
    const params = { field: found.field.name, value: plainText(found.value, 100) };
    return message('operation.impossible_id', params);
  }
  return undefined;
}
