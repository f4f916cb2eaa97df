import { ENDPOINTS } from '../wire/endpoints.js';
import { singleOperation } from './single-operation.js';

export const ENTERPRISE_UPDATE = singleOperation({
  name: 'enterprise.update',
  purpose: 'Changes names and addresses of enterprise customers',
  endpoint: ENDPOINTS.update,
  repeatable: true,
  key: undefined,
  subject: 'crmCustomerId',
  resultColumns: [],
  outcome: () => ({ status: 'succeeded', code: '0' }),
});
