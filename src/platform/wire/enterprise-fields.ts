import type { AllowedValue, Field } from '../../model/field.js';
import { fieldTable, IDENTIFIER, IN_QUERY, within } from './field-table.js';

const bind = fieldTable('§4.3');
const create = fieldTable('§4.4');
const queryOrUpdate = fieldTable('§4.5');
const customer = fieldTable('§2.1');
const creation = fieldTable('§2.2');

export const DEFAULT_CUSTOMER: readonly AllowedValue[] = [
  { value: 'Y', meaning: 'only the default customer' },
  { value: 'N', meaning: 'all customers' },
];

export const BIND_FIELDS: readonly Field[] = [
  bind.must('channelCode', 'String', 'Code of the sales channel', IDENTIFIER),
  bind.must('channelCustomerId', 'String', 'Number of the customer at the channel', IDENTIFIER),
  bind.must('customerName', 'String', 'Name of the customer'),
  bind.must('branchName', 'String', 'Name of the branch'),
  bind.must('enterpriseName', 'String', 'Name of the enterprise main account'),
  bind.must('passwordMobile', 'String', 'Security phone', IDENTIFIER),
];

export const CREATE_FIELDS: readonly Field[] = [
  create.must('crmCustomerId', 'String', 'Number of the customer in the CRM', IDENTIFIER),
  create.must('customerName', 'String', 'Name of the customer'),
  create.must('branchName', 'String', 'Name of the branch'),
  create.may('address', 'String', 'Address of the customer'),
];

export const QUERY_FIELDS: readonly Field[] = [
  queryOrUpdate.must('channelCode', 'String', 'Code of the sales channel', { ...IDENTIFIER, ...IN_QUERY }),
  queryOrUpdate.must('channelCustomerId', 'String', 'Number of the customer at the channel', {
    ...IDENTIFIER,
    ...IN_QUERY,
  }),
  queryOrUpdate.must('defaultCustomer', 'String', 'Which of the customers to return', {
    values: DEFAULT_CUSTOMER,
    ...IN_QUERY,
  }),
];

export const UPDATE_FIELDS: readonly Field[] = [
  queryOrUpdate.must('crmCustomerId', 'String', 'Number of the customer in the CRM', IDENTIFIER),
  queryOrUpdate.must('customerName', 'String', 'New name of the customer'),
  queryOrUpdate.must('branchName', 'String', 'Name of the branch'),
  queryOrUpdate.may('address', 'String', 'New address of the customer'),
];

/** What bind returns, and query a list of. */
export const ENTERPRISE_CUSTOMER_FIELDS: readonly Field[] = [
  customer.must('customerId', 'String', 'Id of the customer on the licence platform', IDENTIFIER),
  customer.may('channelCode', 'String', 'Code of the sales channel', IDENTIFIER),
  customer.may('channelCustomerId', 'String', 'Number of the customer at the channel', IDENTIFIER),
  customer.may('enterpriseGlobalId', 'String', 'Global id of the enterprise main account', IDENTIFIER),
  customer.may('enterpriseName', 'String', 'Name of the enterprise main account'),
  customer.may('isDefault', 'Boolean', 'This is the default customer'),
];

export const MEMBER_FIELDS: readonly Field[] = [
  creation.may('memberGlobalId', 'String', 'Global id of the employee', IDENTIFIER),
  creation.may('memberIdentity', 'String', 'Identity of the employee', IDENTIFIER),
];

export const ENTERPRISE_CREATION_FIELDS: readonly Field[] = [
  creation.must('enterpriseGlobalId', 'String', 'Global id of the enterprise main account', IDENTIFIER),
  creation.may('defaultType', 'Boolean', 'The customer is the default customer'),
  within(creation.may('members', 'object array', 'Employees that were created with it'), () => MEMBER_FIELDS),
];
