import { message } from '../../../errors/message.js';
import type { Json } from '../../../model/json.js';
import type { VerifyQuestion } from '../../../model/verify-question.js';
import { assetNumbers, textOf } from '../shared/rule-report.js';
import { CLOUD_LICENSE_TYPES } from './wire-license-types.js';

/** Orders of cloud licence types, by the asset list of their enterprise: it shows no others (§4.7). */
export function orderQuestion(body: Json, revokes: boolean): VerifyQuestion {
  const type = textOf(body, 'licenseType');
  if (!CLOUD_LICENSE_TYPES.has(type)) {
    return { kind: 'none', reason: message('resolve.no_lookup_for_type', { type }) };
  }
  const enterpriseGlobalId = textOf(body, 'enterpriseGlobalId');
  const numbers = assetNumbers(body);
  if (enterpriseGlobalId === '' || numbers.length === 0) {
    return { kind: 'none', reason: message('resolve.nothing_to_look_up') };
  }
  return { kind: 'assets', enterpriseGlobalId, numbers, revokes };
}
