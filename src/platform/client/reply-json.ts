import type { Field } from '../../model/field.js';
import type { Endpoint, ReplyShape } from '../../model/operation.js';
import { fieldTable } from '../wire/field-table.js';
import { type ParsedJson, parseJson } from './lossless.js';

const { may } = fieldTable('§4.1.6');

/** Either service, and a gateway before both, may answer in these words. */
const WORDS: readonly Field[] = [
  may('code', 'String', 'Business code'),
  may('message', 'String', 'Message'),
  may('cause', 'String', 'Cause'),
];

const TABLES = new WeakMap<Endpoint, readonly Field[]>();

/** Parses a reply of the endpoint: a number where the interface has a String is its digits, as they stand in the reply. */
export function parseReply(text: string, endpoint: Endpoint): ParsedJson {
  let fields = TABLES.get(endpoint);
  if (!fields) {
    fields = fieldsOf(endpoint);
    TABLES.set(endpoint, fields);
  }
  return parseJson(text, fields);
}

/** The members of a whole reply's body (§4.1.6, §2.7). */
function fieldsOf({ service, reply }: Endpoint): readonly Field[] {
  if (service === 'activity') return [...('fields' in reply ? reply.fields : []), ...WORDS];
  return [...WORDS, dataField(reply)];
}

function dataField(reply: ReplyShape): Field {
  switch (reply.kind) {
    case 'none':
      return may('data', 'object', 'Data');
    case 'string array':
      return may('data', 'String array', 'Data');
    case 'object':
    case 'object array':
      return { ...may('data', reply.kind, 'Data'), fields: reply.fields };
  }
}
