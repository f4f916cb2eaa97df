import { message } from '../../../errors/message.js';
import { isObject } from '../../../model/json.js';
import { columnsOf } from '../shared/records.js';
import { textOf } from '../shared/rule-report.js';
import { singleOperation } from '../shared/single-operation.js';
import { BIND_ENDPOINT } from './wire.js';

const COLUMNS = ['customerId', 'enterpriseGlobalId', 'enterpriseName', 'isDefault'];

export const ENTERPRISE_BIND = singleOperation({
  name: 'enterprise.bind',
  purpose: 'Creates customers and binds each to an enterprise main account',
  endpoint: BIND_ENDPOINT,
  repeatable: false,
  key: ['channelCode', 'channelCustomerId'],
  touches: (body) => [
    `customer ${textOf(body, 'channelCustomerId')}`,
    `enterprise ${textOf(body, 'enterpriseName')}`,
  ],
  wayBack: { kind: 'none', reason: message('way_back.no_endpoint') },
  verifyBy: (body) => ({
    kind: 'customer',
    channelCode: textOf(body, 'channelCode'),
    channelCustomerId: textOf(body, 'channelCustomerId'),
    enterpriseName: textOf(body, 'enterpriseName'),
  }),
  resultColumns: COLUMNS,
  outcome: (reply) => ({
    status: 'succeeded',
    code: '0',
    columns: isObject(reply) ? columnsOf(reply, COLUMNS) : {},
  }),
});
