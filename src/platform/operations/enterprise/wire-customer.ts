import type { Field } from '../../../model/field.js';
import { fieldTable, IDENTIFIER } from '../../wire/field-table.js';

const { must, may } = fieldTable('§2.1');

/** What bind returns, and query a list of. */
export const ENTERPRISE_CUSTOMER_FIELDS: readonly Field[] = [
  must('customerId', 'String', 'Id of the customer on the licence platform', IDENTIFIER),
  may('channelCode', 'String', 'Code of the sales channel', IDENTIFIER),
  may('channelCustomerId', 'String', 'Number of the customer at the channel', IDENTIFIER),
  may('enterpriseGlobalId', 'String', 'Global id of the enterprise main account', IDENTIFIER),
  may('enterpriseName', 'String', 'Name of the enterprise main account'),
  may('isDefault', 'Boolean', 'This is the default customer'),
];
