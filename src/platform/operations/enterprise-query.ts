import { ENDPOINTS } from '../wire/endpoints.js';
import { ENTERPRISE_CUSTOMER_FIELDS } from '../wire/enterprise-fields.js';
import { objectsOf } from './read-list.js';
import { columnPaths, columnsOf } from './records.js';
import { singleOperation } from './single-operation.js';

/** Shown beside the row only when one record came: of several, all are in the sheet Records. */
const COLUMNS = ['customerId', 'enterpriseGlobalId', 'enterpriseName', 'isDefault'];

export const ENTERPRISE_QUERY = singleOperation({
  name: 'enterprise.query',
  purpose: 'Looks up the customers of enterprise main accounts',
  endpoint: ENDPOINTS.query,
  repeatable: true,
  key: undefined,
  resultColumns: ['recordCount', ...COLUMNS],
  recordColumns: columnPaths(ENTERPRISE_CUSTOMER_FIELDS),
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
