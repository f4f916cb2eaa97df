import type { AllowedValue, Field } from '../../../model/field.js';
import type { Endpoint } from '../../../model/operation.js';
import { fieldTable, IN_QUERY, KEY, ORDER_SERVICE } from '../../wire/field-table.js';
import { ENTERPRISE_CUSTOMER_FIELDS } from '../enterprise/wire-customer.js';

const { must } = fieldTable('§4.5');

const DEFAULT_CUSTOMER: readonly AllowedValue[] = [
  { value: 'Y', meaning: 'only the default customer' },
  { value: 'N', meaning: 'all customers' },
];

export const QUERY_FIELDS: readonly Field[] = [
  must('channelCode', 'String', 'Code of the sales channel', { ...KEY, ...IN_QUERY }),
  must('channelCustomerId', 'String', 'Number of the customer at the channel', {
    ...KEY,
    ...IN_QUERY,
  }),
  must('defaultCustomer', 'String', 'Which of the customers to return', {
    values: DEFAULT_CUSTOMER,
    ...IN_QUERY,
  }),
];

export const QUERY_ENDPOINT: Endpoint = {
  number: 3,
  method: 'GET',
  path: `${ORDER_SERVICE}/enterprise/user/query`,
  purpose: 'Finds enterprise main accounts by channel code and channel customer number',
  section: '§4.5',
  service: 'order',
  request: QUERY_FIELDS,
  reply: { kind: 'object array', fields: ENTERPRISE_CUSTOMER_FIELDS },
};
