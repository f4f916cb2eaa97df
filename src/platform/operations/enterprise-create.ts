import { ENDPOINTS } from '../wire/endpoints.js';
import { MEMBER_FIELDS } from '../wire/enterprise-fields.js';
import { columnPaths, columnsOf } from './records.js';
import { elements, isObject } from './rule-report.js';
import { singleOperation } from './single-operation.js';

export const ENTERPRISE_CREATE = singleOperation({
  name: 'enterprise.create',
  purpose: 'Creates enterprise main accounts with their administrators and employees',
  endpoint: ENDPOINTS.create,
  repeatable: false,
  key: ['crmCustomerId'],
  resultColumns: ['enterpriseGlobalId', 'defaultType', 'memberCount'],
  recordColumns: columnPaths(MEMBER_FIELDS),
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
