import { type Message, message } from '../../../errors/message.js';
import type { Json, JsonObject } from '../../../model/json.js';
import type { Operation, OperationName, ReplyReading, WireRequest } from '../../../model/operation.js';
import type { ItemOutcome } from '../../../model/outcome.js';
import { checkFilled } from '../shared/common-rules.js';
import { composeRequest } from '../shared/compose.js';
import { readByName } from '../shared/read-by-name.js';
import { gather } from '../shared/rule-report.js';
import { LOCK_ENDPOINT, LOCK_RESULT_FIELDS } from './wire.js';

/** `back`: the operation that takes it back. */
type Own = Pick<Operation, 'name' | 'purpose' | 'endpoint'> & { readonly back: OperationName };

/** Disabling and enabling are one shape at two addresses (§4.6). */
export function lockOperation({ back, ...own }: Own): Operation {
  const { endpoint } = own;
  const shape = endpoint.request;
  const place = { kind: 'strings', field: 'assetNums' } as const;
  return {
    ...own,
    repeatable: true,
    shape,
    place,
    envelope: ['operatorIdentity'],
    batch: { size: 100, fixed: false },
    key: undefined,
    subject: place.field,
    wayBack: {
      kind: 'operation',
      operation: back,
      caution: message('way_back.lock'),
      undo: (content, { status }) =>
        status === 'succeeded'
          ? { kind: 'item', content }
          : { kind: 'none', reason: message('way_back.not_done') },
    },
    resultColumns: ['assetStatus'],
    returns: LOCK_RESULT_FIELDS.filter(({ name }) => name === 'status').map((field) => ({
      name: 'assetStatus',
      field,
      many: false,
    })),
    rules: (content) => gather((report) => checkFilled(shape, place, content, report)),
    compose: (envelope, bodies, context) =>
      composeRequest(endpoint, shape, { ...envelope, assetNums: bodies }, context),
    read: (reply, sent) => readLocks(reply, sent),
  };
}

/** Result codes that say no, with their legend (§2.5). */
const REFUSALS: Readonly<Record<string, Message>> = {
  2: message('operation.lock_missing'),
  3: message('operation.lock_failure'),
  4: message('operation.lock_wrong_type'),
};

/** §2.5: locks by their number; the legend is the same for disabling and enabling. */
function readLocks(reply: Json, sent: WireRequest): ReplyReading {
  const locks = sent.body?.assetNums;
  return readByName(reply, {
    endpoint: LOCK_ENDPOINT,
    names: Array.isArray(locks) ? locks.map((it: Json) => String(it)) : [],
    nameField: 'assetNum',
    outcome: lockOutcome,
    foreign: (lock) => message('operation.foreign_lock', { lock }),
  });
}

function lockOutcome(element: JsonObject): ItemOutcome {
  const status = String(element.status);
  const told = { code: status, columns: { assetStatus: status } };
  if (status === '1') return { status: 'succeeded', ...told };
  const refusal = REFUSALS[status];
  if (refusal) return { status: 'rejected', ...told, message: refusal };
  return { status: 'failed', ...told, message: message('operation.lock_other', { status }) };
}
