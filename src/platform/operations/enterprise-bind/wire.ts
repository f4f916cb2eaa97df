import type { Field } from '../../../model/field.js';
import type { Endpoint } from '../../../model/operation.js';
import { fieldTable, IDENTIFIER, KEY, ORDER_SERVICE } from '../../wire/field-table.js';
import { ENTERPRISE_CUSTOMER_FIELDS } from '../enterprise/wire-customer.js';

const { must } = fieldTable('§4.3');

const BIND_FIELDS: readonly Field[] = [
  must('channelCode', 'String', 'Code of the sales channel', KEY),
  must('channelCustomerId', 'String', 'Number of the customer at the channel', KEY),
  must('customerName', 'String', 'Name of the customer'),
  must('branchName', 'String', 'Name of the branch'),
  must('enterpriseName', 'String', 'Name of the enterprise main account', { echo: 'warn' }),
  must('passwordMobile', 'String', 'Security phone', { ...IDENTIFIER, phone: true }),
];

export const BIND_ENDPOINT: Endpoint = {
  number: 1,
  method: 'POST',
  path: `${ORDER_SERVICE}/enterprise/user/bind`,
  purpose: 'Creates an authorized customer and binds it to an enterprise main account',
  section: '§4.3',
  service: 'order',
  request: BIND_FIELDS,
  reply: { kind: 'object', fields: ENTERPRISE_CUSTOMER_FIELDS },
};
