import { message } from '../../../errors/message.js';
import { ENTERPRISE_CUSTOMER_FIELDS } from '../enterprise/wire-customer.js';
import { columnsOf, objectsOf } from '../shared/records.js';
import { singleOperation } from '../shared/single-operation.js';
import { QUERY_ENDPOINT } from './wire.js';

/** Shown beside the row only when one record came: of several, all are in the sheet Records. */
const COLUMNS = ['customerId', 'enterpriseGlobalId', 'enterpriseName', 'isDefault'];

export const ENTERPRISE_QUERY = singleOperation({
  name: 'enterprise.query',
  purpose: 'Looks up the customers of enterprise main accounts',
  endpoint: QUERY_ENDPOINT,
  repeatable: true,
  key: undefined,
  wayBack: { kind: 'none', reason: message('way_back.reads') },
  resultColumns: ['recordCount', ...COLUMNS],
  lists: 'customers',
  records: ENTERPRISE_CUSTOMER_FIELDS,
  outcome: (reply) => {
    const records = objectsOf(reply);
    const only = records.length === 1 ? records[0] : undefined;
    return {
      status: 'succeeded',
      code: '0',
      columns: { recordCount: String(records.length), ...(only ? columnsOf(only, COLUMNS) : {}) },
      records,
    };
  },
});
