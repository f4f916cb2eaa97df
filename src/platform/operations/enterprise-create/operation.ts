import { message } from '../../../errors/message.js';
import { isObject } from '../../../model/json.js';
import { columnsOf } from '../shared/records.js';
import { elements, textOf } from '../shared/rule-report.js';
import { singleOperation } from '../shared/single-operation.js';
import { CREATE_ENDPOINT, MEMBER_FIELDS } from './wire.js';

export const ENTERPRISE_CREATE = singleOperation({
  name: 'enterprise.create',
  purpose: 'Creates enterprise main accounts with their administrators and employees',
  endpoint: CREATE_ENDPOINT,
  repeatable: false,
  key: ['crmCustomerId'],
  touches: (body) => [`customer ${textOf(body, 'crmCustomerId')}`],
  wayBack: { kind: 'none', reason: message('way_back.no_endpoint') },
  resultColumns: ['enterpriseGlobalId', 'defaultType', 'memberCount'],
  records: MEMBER_FIELDS,
  outcome: (reply) => {
    if (!isObject(reply)) return { status: 'succeeded', code: '0' };
    const members = elements(reply, 'members', '').map((it) => it.value);
    return {
      status: 'succeeded',
      code: '0',
      columns: {
        ...columnsOf(reply, ['enterpriseGlobalId', 'defaultType']),
        memberCount: String(members.length),
      },
      records: members,
    };
  },
});
