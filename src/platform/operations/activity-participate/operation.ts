import { message } from '../../../errors/message.js';
import { isObject, type Json, type JsonObject, member } from '../../../model/json.js';
import type { Operation, ReplyReading } from '../../../model/operation.js';
import { malformed, settled, unbelievable } from '../shared/reading.js';
import { compareKeys, sentKeys } from '../shared/reply-keys.js';
import { elements, isGiven, textOf } from '../shared/rule-report.js';
import { singleOperation } from '../shared/single-operation.js';
import { activityRefusal } from './refusal.js';
import { ACTIVITY_ENDPOINT, ACTIVITY_PRODUCT_FIELDS } from './wire.js';

const SUCCESS = '0000';

const PARTICIPATION = singleOperation({
  name: 'activity.participate',
  purpose: 'Takes part in activities and claims their products',
  endpoint: ACTIVITY_ENDPOINT,
  repeatable: false,
  key: ['identity', 'activityLabel'],
  touches: (body) => [textOf(body, 'identity')],
  wayBack: { kind: 'none', reason: message('way_back.no_endpoint') },
  // May be a cloud lock's asset number (§4.9).
  namesAssets: ['identity'],
  resultColumns: ['recordCount'],
  records: ACTIVITY_PRODUCT_FIELDS,
  outcome: (reply) => {
    const records = productsOf(reply);
    return {
      status: 'succeeded',
      code: SUCCESS,
      columns: { recordCount: String(records.length) },
      records,
    };
  },
});

export const ACTIVITY_PARTICIPATE: Operation = {
  ...PARTICIPATION,
  read: (reply, sent, items): ReplyReading => {
    if (!isObject(reply)) return PARTICIPATION.read(reply, sent, items);
    const code = member(reply, 'resultCode');
    if (typeof code !== 'string' || !isGiven(code)) {
      return malformed([{ path: 'result.resultCode', problem: 'missing', expected: 'String' }], items);
    }
    // A refusal of another participant's claim says nothing of this one.
    const { other } = compareKeys(sentKeys(ACTIVITY_ENDPOINT, sent), reply);
    if (other) return unbelievable(other, items);
    if (code === SUCCESS) return PARTICIPATION.read(reply, sent, items);
    // What a number makes of `0000`: called refused, a claim that was carried out would be made again by hand.
    if (Number(code) === 0) {
      return malformed([{ path: 'result.resultCode', problem: 'value', expected: SUCCESS }], items);
    }
    // A refusal stands whatever the form of its explanation.
    return settled({ status: 'rejected', code, message: activityRefusal(code, reply) });
  },
};

function productsOf(reply: Json): readonly JsonObject[] {
  const detail = isObject(reply) ? member(reply, 'detail') : undefined;
  return isObject(detail) ? elements(detail, 'products', '').map((it) => it.value) : [];
}
