import type { Simulation } from '../../simulated/simulation.js';
import { customerRecord } from '../enterprise/sandbox-customer.js';
import { QUERY_ENDPOINT } from './wire.js';

export const QUERY_SIMULATION: Simulation = {
  name: 'query',
  endpoint: QUERY_ENDPOINT,
  decide: (state, { params }) => {
    const found = state.channelCustomers(
      params.get('channelCode') ?? '',
      params.get('channelCustomerId') ?? '',
    );
    const shown = params.get('defaultCustomer') === 'Y' ? found.filter((it) => it.isDefault) : found;
    return { kind: 'reply', data: shown.map((it) => customerRecord(state, it)) };
  },
};
