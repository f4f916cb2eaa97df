import type { Field } from '../../../model/field.js';
import type { Endpoint } from '../../../model/operation.js';
import { fieldTable, IDENTIFIER, KEY, ORDER_SERVICE, within } from '../../wire/field-table.js';

const { must, may } = fieldTable('§4.4');
const creation = fieldTable('§2.2');

const CREATE_FIELDS: readonly Field[] = [
  must('crmCustomerId', 'String', 'Number of the customer in the CRM', KEY),
  must('customerName', 'String', 'Name of the customer'),
  must('branchName', 'String', 'Name of the branch'),
  may('address', 'String', 'Address of the customer'),
];

export const MEMBER_FIELDS: readonly Field[] = [
  creation.may('memberGlobalId', 'String', 'Global id of the employee', IDENTIFIER),
  creation.may('memberIdentity', 'String', 'Identity of the employee', IDENTIFIER),
];

const ENTERPRISE_CREATION_FIELDS: readonly Field[] = [
  creation.must('enterpriseGlobalId', 'String', 'Global id of the enterprise main account', IDENTIFIER),
  creation.may('defaultType', 'Boolean', 'The customer is the default customer'),
  within(creation.may('members', 'object array', 'Employees that were created with it'), () => MEMBER_FIELDS),
];

export const CREATE_ENDPOINT: Endpoint = {
  number: 2,
  method: 'POST',
  path: `${ORDER_SERVICE}/enterprise/user/create`,
  purpose: 'Creates an enterprise main account with its customers, administrator and cloud employees',
  section: '§4.4',
  service: 'order',
  request: CREATE_FIELDS,
  reply: { kind: 'object', fields: ENTERPRISE_CREATION_FIELDS },
};
