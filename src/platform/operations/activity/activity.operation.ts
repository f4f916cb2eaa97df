import { type Message, message } from '../../../errors/message.js';
import { isObject, type Json, type JsonObject, member } from '../../../model/json.js';
import type { Operation, ReplyReading } from '../../../model/operation.js';
import { malformed, settled, unbelievable } from '../shared/reading.js';
import { columnText } from '../shared/records.js';
import { compareKeys, sentKeys } from '../shared/reply-keys.js';
import { hasValue, objectElements, textOf } from '../shared/rule-report.js';
import { singleOperation } from '../shared/single-operation.js';
import { ACTIVITY_ENDPOINT, ACTIVITY_PRODUCT_FIELDS } from './activity.endpoint.js';

const SUCCESS = '0000';

const PARTICIPATION = singleOperation({
  name: 'activity.participate',
  purpose: 'Takes part in activities and claims their products',
  endpoint: ACTIVITY_ENDPOINT,
  repeatable: false,
  key: ['identity', 'activityLabel'],
  touches: (body) => [textOf(body, 'identity')],
  reversal: { kind: 'none', reason: message('way_back.no_endpoint') },
  // The field may contain a cloud lock's asset number (§4.9).
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
    if (typeof code !== 'string' || !hasValue(code)) {
      return malformed([{ path: 'result.resultCode', problem: 'missing', expected: 'String' }], items);
    }
    // A refusal of another participant's claim says nothing about this one.
    const { other } = compareKeys(sentKeys(ACTIVITY_ENDPOINT, sent), reply);
    if (other) return unbelievable(other, items);
    if (code === SUCCESS) return PARTICIPATION.read(reply, sent, items);
    // `0000` written as a number. Treated as a refusal, an executed claim would be repeated by a user.
    if (Number(code) === 0) {
      return malformed([{ path: 'result.resultCode', problem: 'value', expected: SUCCESS }], items);
    }
    // A refusal is valid in any form of its explanation.
    return settled({ status: 'rejected', code, message: activityRefusal(code, reply) });
  },
};

function productsOf(reply: Json): readonly JsonObject[] {
  const detail = isObject(reply) ? member(reply, 'detail') : undefined;
  return isObject(detail) ? objectElements(detail, 'products', '').map((it) => it.value) : [];
}

/** Replaces a missing explanation of the platform. */
const NO_DETAIL = '—';

/** Reason of a refusal: the meaning of its code (§7.2) with the platform's text, for 3002 its reasons. */
export function activityRefusal(code: string, result: JsonObject): Message {
  const resultText = columnText(member(result, 'resultMessage'));
  const detail = resultText ?? NO_DETAIL;
  switch (code) {
    case '1001':
      return message('operation.activity_1001', { detail });
    case '1002':
      return message('operation.activity_1002', { detail });
    case '1004':
      return message('operation.activity_1004', { detail });
    case '2001':
      return message('operation.activity_2001', { detail });
    case '3001':
      return message('operation.activity_3001', { detail });
    case '3002':
      return message('operation.activity_3002', { detail: reasons(result) ?? detail });
    default:
      return message('operation.activity_other', { code, detail });
  }
}

/** `Spring offer / Unit A: 14005 claimed too often`, for every unit that refused (§2.7). */
function reasons(result: JsonObject): string | undefined {
  const found: string[] = [];
  for (const { value: activity } of objectElements(result, 'activityDtoList', '')) {
    for (const { value: unit } of objectElements(activity, 'engineSubActivityDtos', '')) {
      if (member(unit, 'participateResult') === true) continue;
      const place = [nameOf(activity), nameOf(unit)].filter((it) => it !== undefined).join(' / ');
      const why = [member(unit, 'errorCode'), member(unit, 'errorMessage')]
        .map((it) => columnText(it))
        .filter((it) => it !== undefined)
        .join(' ');
      const reason = [place, why].filter((it) => it !== '').join(': ');
      if (reason !== '') found.push(reason);
    }
  }
  return found.length > 0 ? found.join('; ') : undefined;
}

function nameOf(unit: JsonObject): string | undefined {
  return columnText(member(unit, 'name')) ?? columnText(member(unit, 'id'));
}
