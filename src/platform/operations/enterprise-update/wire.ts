import type { Field } from '../../../model/field.js';
import type { Endpoint } from '../../../model/operation.js';
import { fieldTable, KEY, ORDER_SERVICE } from '../../wire/field-table.js';

const { must, may } = fieldTable('§4.5');

const UPDATE_FIELDS: readonly Field[] = [
  must('crmCustomerId', 'String', 'Number of the customer in the CRM', KEY),
  must('customerName', 'String', 'New name of the customer'),
  must('branchName', 'String', 'Name of the branch'),
  may('address', 'String', 'New address of the customer'),
];

export const UPDATE_ENDPOINT: Endpoint = {
  number: 4,
  method: 'POST',
  path: `${ORDER_SERVICE}/enterprise/user/update`,
  purpose: 'Changes name and address of the enterprise customer that belongs to a CRM customer',
  section: '§4.5',
  service: 'order',
  request: UPDATE_FIELDS,
  reply: { kind: 'none' },
};
