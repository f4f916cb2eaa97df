import { type Simulation, textsOf } from '../../simulated/simulation.js';
import { newEnterprise, nextCustomerId } from '../enterprise/sandbox-customer.js';
import { CREATE_ENDPOINT } from './wire.js';

const FIELDS = ['crmCustomerId', 'customerName', 'branchName', 'address'] as const;

type CreateEffect = { readonly kind: 'create' } & Readonly<Record<(typeof FIELDS)[number], string>>;

export const CREATE_SIMULATION: Simulation<CreateEffect> = {
  name: 'create',
  endpoint: CREATE_ENDPOINT,
  effect: 'create',
  counts: ['creates', 'duplicateCreates'],
  choices: [
    {
      section: '§4.4',
      text: 'Creating makes a default and an industry-information customer, an administrator and one employee. A repeated crmCustomerId is carried out once more with defaultType false, and counted as a duplicate.',
    },
  ],
  decide: (_, { body }) => ({ kind: 'effect', effect: { kind: 'create', ...textsOf(body, FIELDS) } }),
  /** A main account with its default and its industry-information customer, administrator and one employee. */
  apply: (state, effect) => {
    const repeated = state.crmCustomers(effect.crmCustomerId).length > 0;
    if (repeated) state.count('duplicateCreates');
    const enterprise = newEnterprise(state, effect.customerName);
    for (const isDefault of [!repeated, false]) {
      state.addCustomer({
        customerId: nextCustomerId(state),
        crmCustomerId: effect.crmCustomerId,
        channelCode: '',
        channelCustomerId: '',
        enterpriseGlobalId: enterprise.id,
        isDefault,
        name: effect.customerName,
        branchName: effect.branchName,
        address: effect.address,
      });
    }
    state.count('creates');
    return {
      enterpriseGlobalId: enterprise.id,
      defaultType: !repeated,
      members: enterprise.members.map((member) => ({ ...member })),
    };
  },
};
