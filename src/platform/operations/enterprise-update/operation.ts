import { message } from '../../../errors/message.js';
import { singleOperation } from '../shared/single-operation.js';
import { UPDATE_ENDPOINT } from './wire.js';

export const ENTERPRISE_UPDATE = singleOperation({
  name: 'enterprise.update',
  purpose: 'Changes names and addresses of enterprise customers',
  endpoint: UPDATE_ENDPOINT,
  repeatable: true,
  key: undefined,
  subject: 'crmCustomerId',
  wayBack: { kind: 'none', reason: message('way_back.values_untold') },
  resultColumns: [],
  outcome: () => ({ status: 'succeeded', code: '0' }),
});
