import { ENDPOINTS } from '../wire/endpoints.js';
import { columnsOf } from './records.js';
import { isObject } from './rule-report.js';
import { singleOperation } from './single-operation.js';

const COLUMNS = ['customerId', 'enterpriseGlobalId', 'enterpriseName', 'isDefault'];

export const ENTERPRISE_BIND = singleOperation({
  name: 'enterprise.bind',
  purpose: 'Creates customers and binds each to an enterprise main account',
  endpoint: ENDPOINTS.bind,
  repeatable: false,
  key: ['channelCode', 'channelCustomerId'],
  resultColumns: COLUMNS,
  outcome: (reply) => ({
    status: 'succeeded',
    code: '0',
    columns: isObject(reply) ? columnsOf(reply, COLUMNS) : {},
  }),
});
