import { message } from '../../../errors/message.js';
import type { Field } from '../../../model/field.js';
import { isObject, type Json, type JsonObject } from '../../../model/json.js';
import type { Operation, ReplyReading, WireRequest } from '../../../model/operation.js';
import type { ItemOutcome } from '../../../model/outcome.js';
import { plainText } from '../../../util/plain-text.js';
import { checkReply } from '../../wire/check.js';
import { checkFilled } from './common-rules.js';
import { composeSingle } from './compose.js';
import { impossibleId, withoutImpossibleIds } from './possible-ids.js';
import { malformed, settled, unbelievable } from './reading.js';
import { columnPaths } from './records.js';
import { compareKeys, sentKeys } from './reply-keys.js';
import { returnedFields } from './returned-fields.js';
import { gather, type Report } from './rule-report.js';

type Own = Pick<
  Operation,
  | 'name'
  | 'purpose'
  | 'endpoint'
  | 'repeatable'
  | 'key'
  | 'resultColumns'
  | 'wayBack'
  | 'verifyBy'
  | 'lists'
  | 'namesAssets'
  | 'touches'
  | 'recordsExpected'
  | 'gives'
> & {
  readonly subject?: string;
  /** Fields of a record, where the operation returns records. */
  readonly records?: readonly Field[];
  /** Rules beyond what every operation checks; gets the request's fields. */
  readonly check?: (fields: JsonObject, report: Report) => void;
  /** The outcome that a reply of the right shape tells; `sent` are the request's body fields. */
  readonly outcome: (
    reply: Parameters<Operation['read']>[0],
    sent: JsonObject,
  ) => ReturnType<Operation['read']>['outcomes'][number] & object;
};

/** An operation whose request is its item: one row, one request. */
export function singleOperation({ check, outcome, subject, records, ...own }: Own): Operation {
  const { endpoint } = own;
  const shape = endpoint.request;
  const place = { kind: 'single' } as const;
  return {
    ...own,
    subject,
    ...(records ? { recordColumns: columnPaths(records) } : {}),
    returns: returnedFields(own, records),
    shape,
    place,
    envelope: [],
    batch: { size: 1, fixed: true },
    rules: (content) =>
      gather((report) => {
        checkFilled(shape, place, content, report);
        if (check && isObject(content.body)) check(content.body, report);
      }),
    compose: (_envelope, bodies, context) => composeSingle(endpoint, shape, bodies, context),
    read: (reply, sent, items) => readSingle({ endpoint, outcome, records }, reply, sent, items),
  };
}

/** Compares the reply with the request first: what is about something else may have any form. */
function readSingle(
  { endpoint, outcome, records }: Pick<Own, 'endpoint' | 'outcome' | 'records'>,
  reply: Json,
  sent: WireRequest,
  items: number,
): ReplyReading {
  const keys = sentKeys(endpoint, sent);
  const { reply: shape } = endpoint;
  let believed = reply;
  let said: Pick<ItemOutcome, 'message'> = {};
  let noMatch: Pick<ReplyReading, 'noMatch'> = {};
  if (Array.isArray(reply)) {
    const compared = reply.map((it: Json) => ({ it, other: compareKeys(keys, it).other }));
    const own = compared.filter(({ other }) => !other).map(({ it }) => it);
    const why = compared.find(({ other }) => other)?.other;
    believed = own;
    if (why) {
      const params = { count: reply.length - own.length, why };
      said = { message: message('operation.other_records', params) };
      if (own.length === 0) noMatch = { noMatch: message('operation.only_other_records', params) };
    }
  } else {
    const { other, warning } = compareKeys(keys, reply);
    if (other) return unbelievable(other, items);
    if (warning) said = { message: warning };
  }
  const problems = checkReply(shape, believed, endpoint.service === 'order' ? 'data' : 'result');
  if (problems.length > 0) return malformed(problems, items);
  const impossible = impossibleIn(shape, believed);
  if (impossible) return unbelievable(impossible, items);
  if (shape.kind === 'object array' && Array.isArray(believed))
    believed = believed.map((it: Json) => (isObject(it) ? withoutImpossibleIds(shape.fields, it) : it));
  const came = outcome(believed, sent.body ?? {});
  const clean =
    came.records && records ? came.records.map((it) => withoutImpossibleIds(records, it)) : undefined;
  return { ...settled({ ...said, ...came, ...(clean ? { records: clean } : {}) }), ...noMatch };
}

/** Of a list only what each record must have is looked at here: an asset may well belong to no customer. */
function impossibleIn(shape: Operation['endpoint']['reply'], reply: Json) {
  if (!('fields' in shape)) return undefined;
  const isList = Array.isArray(reply);
  const fields = isList ? shape.fields.filter((it) => it.required) : shape.fields;
  for (const record of isList ? reply : [reply]) {
    const found = isObject(record) ? impossibleId(fields, record) : undefined;
    if (!found) continue;
    const params = { field: found.field.name, value: plainText(found.value, 100) };
    return message('operation.impossible_id', params);
  }
  return undefined;
}
