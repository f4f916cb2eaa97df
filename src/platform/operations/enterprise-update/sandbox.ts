import { BUSINESS_CODES, type Simulation, textOf, textsOf } from '../../simulated/simulation.js';
import { UPDATE_ENDPOINT } from './wire.js';

const FIELDS = ['crmCustomerId', 'customerName', 'branchName', 'address'] as const;

type UpdateEffect = { readonly kind: 'update' } & Readonly<Record<(typeof FIELDS)[number], string>>;

export const UPDATE_SIMULATION: Simulation<UpdateEffect> = {
  name: 'update',
  endpoint: UPDATE_ENDPOINT,
  effect: 'update',
  counts: ['updates'],
  choices: [
    {
      section: '§4.5',
      text: 'Updating changes every customer of that crmCustomerId, and the name of the main account whose default customer it is; an unknown crmCustomerId is business code 20001. A query that finds nothing gives an empty array.',
    },
  ],
  decide: (state, { body }) => {
    const crmCustomerId = textOf(body, 'crmCustomerId');
    if (state.crmCustomers(crmCustomerId).length === 0) {
      return {
        kind: 'business',
        code: BUSINESS_CODES.unknownCustomer,
        message: `no customer with crmCustomerId ${crmCustomerId}`,
        cause: 'CustomerNotFound',
      };
    }
    return { kind: 'effect', effect: { kind: 'update', ...textsOf(body, FIELDS) } };
  },
  /** Changes every customer of that CRM id, and the name of the main account whose default customer it is. */
  apply: (state, effect) => {
    for (const customer of state.crmCustomers(effect.crmCustomerId)) {
      customer.name = effect.customerName;
      customer.branchName = effect.branchName;
      if (effect.address) customer.address = effect.address;
      const enterprise = state.enterprises.get(customer.enterpriseGlobalId);
      if (enterprise && customer.isDefault) state.renameEnterprise(enterprise, effect.customerName);
    }
    state.count('updates');
    return null;
  },
};
