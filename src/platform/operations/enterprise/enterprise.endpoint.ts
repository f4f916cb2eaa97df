import type { AllowedValue, Field } from '../../../model/field.js';
import type { Endpoint } from '../../../model/operation.js';
import { fieldTable, IDENTIFIER, IN_QUERY, KEY, ORDER_SERVICE, within } from '../../wire/field-table.js';

const customer = fieldTable('§2.1');

/** The reply of bind, and an element of the reply of query. */
export const ENTERPRISE_CUSTOMER_FIELDS: readonly Field[] = [
  customer.must('customerId', 'String', 'Id of the customer on the licence platform', IDENTIFIER),
  customer.may('channelCode', 'String', 'Code of the sales channel', IDENTIFIER),
  customer.may('channelCustomerId', 'String', 'Number of the customer at the channel', IDENTIFIER),
  customer.may('enterpriseGlobalId', 'String', 'Global id of the enterprise main account', IDENTIFIER),
  customer.may('enterpriseName', 'String', 'Name of the enterprise main account'),
  customer.may('isDefault', 'Boolean', 'This is the default customer'),
];

const bind = fieldTable('§4.3');

const BIND_FIELDS: readonly Field[] = [
  bind.must('channelCode', 'String', 'Code of the sales channel', KEY),
  bind.must('channelCustomerId', 'String', 'Number of the customer at the channel', KEY),
  bind.must('customerName', 'String', 'Name of the customer'),
  bind.must('branchName', 'String', 'Name of the branch'),
  bind.must('enterpriseName', 'String', 'Name of the enterprise main account', { echo: 'warn' }),
  bind.must('passwordMobile', 'String', 'Security phone', { ...IDENTIFIER, phone: true }),
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

const create = fieldTable('§4.4');
const creation = fieldTable('§2.2');

const CREATE_FIELDS: readonly Field[] = [
  create.must('crmCustomerId', 'String', 'Number of the customer in the CRM', KEY),
  create.must('customerName', 'String', 'Name of the customer'),
  create.must('branchName', 'String', 'Name of the branch'),
  create.may('address', 'String', 'Address of the customer'),
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

const query = fieldTable('§4.5');

const DEFAULT_CUSTOMER: readonly AllowedValue[] = [
  { value: 'Y', meaning: 'only the default customer', zh: '仅默认客户' },
  { value: 'N', meaning: 'all customers', zh: '全部客户' },
];

export const QUERY_FIELDS: readonly Field[] = [
  query.must('channelCode', 'String', 'Code of the sales channel', { ...KEY, ...IN_QUERY }),
  query.must('channelCustomerId', 'String', 'Number of the customer at the channel', {
    ...KEY,
    ...IN_QUERY,
  }),
  query.must('defaultCustomer', 'String', 'Which of the customers to return', {
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

const update = fieldTable('§4.5');

const UPDATE_FIELDS: readonly Field[] = [
  update.must('crmCustomerId', 'String', 'Number of the customer in the CRM', KEY),
  update.must('customerName', 'String', 'New name of the customer'),
  update.must('branchName', 'String', 'Name of the branch'),
  update.may('address', 'String', 'New address of the customer'),
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
