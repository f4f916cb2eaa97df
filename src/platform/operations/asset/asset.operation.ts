import { type Message, message } from '../../../errors/message.js';
import type { Comparison } from '../../../model/comparison.js';
import type { ItemOutcome } from '../../../model/item.js';
import { type Json, type JsonObject, member } from '../../../model/json.js';
import type { Operation, OperationName, ReplyReading, WireRequest } from '../../../model/operation.js';
import { plainText } from '../../../util/text.js';
import { ASSET_NUMBER, fieldTable } from '../../wire/field-table.js';
import { readByName } from '../shared/reading.js';
import { nameText, objectsOf, recordFields, recordName } from '../shared/records.js';
import { checkFilled, collectFaults } from '../shared/rule-report.js';
import { composeRequest, singleOperation } from '../shared/single-operation.js';
import {
  LIST_ENDPOINT,
  LIST_FIELDS,
  LOCK_ENDPOINT,
  LOCK_RESULT_FIELDS,
  NUMBER_RECORD_FIELDS,
  NUMBERS_ENDPOINT,
  UNLOCK_ENDPOINT,
  VIRTUAL_ASSET_FIELDS,
} from './asset.endpoint.js';

/** Path segments that URL rules remove even when encoded, and halves of characters, which cannot be encoded. */
const NOT_A_SEGMENT = /^\.{1,2}$|\p{Surrogate}/u;

export const ASSET_LIST = singleOperation({
  name: 'asset.list',
  purpose: 'Lists the cloud assets of enterprises',
  endpoint: LIST_ENDPOINT,
  repeatable: true,
  key: undefined,
  reversal: { kind: 'none', reason: message('way_back.reads') },
  namesAssets: [],
  resultColumns: ['recordCount'],
  lists: 'assets',
  records: VIRTUAL_ASSET_FIELDS,
  check: (fields, report) => {
    const text = member(fields, 'enterpriseGlobalId');
    if (typeof text === 'string' && NOT_A_SEGMENT.test(text)) {
      report('enterpriseGlobalId', message('rule.path_segment', { text }));
    }
  },
  outcome: (reply) => {
    const records = objectsOf(reply);
    return {
      status: 'succeeded',
      code: '0',
      columns: { recordCount: String(records.length) },
      records,
    };
  },
});

const record = fieldTable('§2.6');

/** Assets, by the list of their enterprise (§4.7). */
export const ASSET: Comparison = {
  name: 'asset',
  purpose: 'Compares assets (locks, cloud assets) with the asset lists of their enterprises',
  sharedNames: false,
  inquiry: 'asset.list',
  key: [
    ...LIST_FIELDS,
    record.must(
      'assetNum',
      'String array',
      'Number of the asset; of several, each is compared',
      ASSET_NUMBER,
    ),
  ],
  // The requested enterprise is stored with each record, so that actions can name it.
  record: recordFields([...LIST_FIELDS.filter((it) => it.required), ...VIRTUAL_ASSET_FIELDS]),
  request: ({ enterpriseGlobalId, extendCode }) => ({
    enterpriseGlobalId: enterpriseGlobalId ?? '',
    ...(extendCode === undefined ? {} : { extendCode }),
  }),
  names: ({ enterpriseGlobalId, assetNum }) => {
    const enterprise = nameText(enterpriseGlobalId) ?? '';
    const numbers = Array.isArray(assetNum) ? assetNum : [assetNum];
    const texts = numbers.map((it) => nameText(it)).filter((it) => it !== undefined);
    return [...new Set(texts)].map((it) => recordName(it, enterprise, it));
  },
  // The list does not name the enterprise; the request does.
  nameOf: ({ assetNum }, { enterpriseGlobalId }) => {
    const number = nameText(assetNum);
    return number === undefined ? undefined : recordName(number, nameText(enterpriseGlobalId) ?? '', number);
  },
};

/** `reversal`: the operation that reverts it. */
type LockParts = Pick<Operation, 'name' | 'purpose' | 'endpoint'> & { readonly reversal: OperationName };

/** Disabling and enabling have the same shape and different addresses (§4.6). */
function lockOperation({ reversal, ...parts }: LockParts): Operation {
  const { endpoint } = parts;
  const shape = endpoint.request;
  const place = { kind: 'strings', field: 'assetNums' } as const;
  return {
    ...parts,
    repeatable: true,
    shape,
    place,
    envelope: ['operatorIdentity'],
    batch: { size: 100, fixed: false },
    key: undefined,
    subject: place.field,
    reversal: {
      kind: 'operation',
      operation: reversal,
      caution: message('way_back.lock'),
      undo: (content, { status }) =>
        status === 'succeeded'
          ? { kind: 'item', content }
          : { kind: 'none', reason: message('way_back.not_done') },
    },
    namesAssets: [],
    resultColumns: ['assetStatus'],
    returns: LOCK_RESULT_FIELDS.filter(({ name }) => name === 'status').map((field) => ({
      name: 'assetStatus',
      field,
      many: false,
    })),
    rules: (content) => collectFaults((report) => checkFilled(shape, place, content, report)),
    compose: (envelope, bodies, context) =>
      composeRequest(endpoint, shape, { ...envelope, assetNums: bodies }, context),
    read: (reply, sent) => readLocks(reply, sent),
  };
}

/** Result codes of refusals, with their legend (§2.5). */
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
  const reported = { code: status, columns: { assetStatus: status } };
  if (status === '1') return { status: 'succeeded', ...reported };
  const refusal = REFUSALS[status];
  if (refusal) return { status: 'rejected', ...reported, message: refusal };
  return { status: 'failed', ...reported, message: message('operation.lock_other', { status }) };
}

export const ASSET_LOCK = lockOperation({
  name: 'asset.lock',
  purpose: 'Disables physical locks',
  reversal: 'asset.unlock',
  endpoint: LOCK_ENDPOINT,
});

export const ASSET_UNLOCK = lockOperation({
  name: 'asset.unlock',
  purpose: 'Enables physical locks',
  reversal: 'asset.lock',
  endpoint: UNLOCK_ENDPOINT,
});

export const ASSET_NUMBERS = singleOperation({
  name: 'asset.numbers',
  purpose: 'Obtains new asset numbers',
  endpoint: NUMBERS_ENDPOINT,
  repeatable: false,
  key: undefined,
  reversal: { kind: 'none', reason: message('way_back.no_endpoint') },
  namesAssets: [],
  resultColumns: ['recordCount'],
  records: NUMBER_RECORD_FIELDS,
  recordsExpected: (body) => {
    const size = member(body, 'size');
    return typeof size === 'number' ? size : undefined;
  },
  gives: {
    ids: ({ records }) => (records ?? []).map((it) => `asset ${String(it.assetNumber)}`),
    acrossRuns: true,
  },
  outcome: (reply, sent) => {
    const numbers = Array.isArray(reply) ? reply.map(String) : [];
    const common = { code: '0', columns: { recordCount: String(numbers.length) } };
    // None of the reply's values is used: an error in one may affect all.
    const wrong = numbers.find((it) => !NUMBER.test(it));
    if (wrong !== undefined) {
      const params = { number: plainText(wrong, 100) };
      return { status: 'unknown', ...common, message: message('operation.impossible_number', params) };
    }
    const twice = repeated(numbers);
    if (twice !== undefined) {
      return {
        status: 'unknown',
        ...common,
        message: message('operation.number_twice', { number: twice }),
      };
    }
    const asked = Number(sent.size);
    const got = numbers.length;
    const records = numbers.map((assetNumber) => ({ assetNumber }));
    // The missing numbers may have been assigned, and a repeat would assign new ones. An order must not go without
    // them.
    if (got < asked)
      return {
        status: 'unknown',
        ...common,
        records,
        message: message('operation.numbers_missing', { asked, got }),
      };
    if (got === asked) return { status: 'succeeded', ...common, records };
    return {
      status: 'succeeded',
      code: '0',
      // Not a result column: later steps of a job use it, also in later runs.
      columns: { ...common.columns, recordsRequested: String(asked) },
      records,
      message: message('operation.numbers_differ', { asked, got }),
    };
  },
});

/** §4.8: 10 digits; the first is the region marker. */
const NUMBER = /^[68]\d{9}$/;

function repeated(texts: readonly string[]): string | undefined {
  const seen = new Set<string>();
  return texts.find((it) => seen.size === seen.add(it).size);
}
