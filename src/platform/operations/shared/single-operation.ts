import type { Field } from '../../../model/field.js';
import { isObject, type JsonObject } from '../../../model/json.js';
import type { Operation } from '../../../model/operation.js';
import { checkReply } from '../../wire/check.js';
import { checkFilled } from './common-rules.js';
import { composeSingle } from './compose.js';
import { malformed, settled } from './reading.js';
import { columnPaths } from './records.js';
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
    read: (reply, sent, items) => {
      const problems = checkReply(endpoint.reply, reply, endpoint.service === 'order' ? 'data' : 'result');
      return problems.length > 0 ? malformed(problems, items) : settled(outcome(reply, sent.body ?? {}));
    },
  };
}
