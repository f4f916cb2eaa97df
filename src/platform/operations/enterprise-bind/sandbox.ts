import { type Simulation, textsOf } from '../../simulated/simulation.js';
import type { Customer } from '../../simulated/state.js';
import { customerRecord, newEnterprise, nextCustomerId } from '../enterprise/sandbox-customer.js';
import { BIND_ENDPOINT } from './wire.js';

const FIELDS = ['channelCode', 'channelCustomerId', 'customerName', 'branchName', 'enterpriseName'] as const;

type BindEffect = { readonly kind: 'bind' } & Readonly<Record<(typeof FIELDS)[number], string>>;

export const BIND_SIMULATION: Simulation<BindEffect> = {
  name: 'bind',
  endpoint: BIND_ENDPOINT,
  effect: 'bind',
  counts: ['binds', 'duplicateBinds'],
  choices: [
    {
      section: '§4.3',
      text: 'Binding finds the main account by its name or creates it; its first customer is the default one. A repeated binding is carried out once more, and counted as a duplicate.',
    },
  ],
  decide: (_, { body }) => ({ kind: 'effect', effect: { kind: 'bind', ...textsOf(body, FIELDS) } }),
  /** The enterprise of that name, or a new one; its first customer is the default. A repeat binds once more. */
  apply: (state, effect) => {
    const known = state.enterpriseByName.get(effect.enterpriseName);
    const enterprise = known ?? newEnterprise(state, effect.enterpriseName);
    const bound = state.channelCustomers(effect.channelCode, effect.channelCustomerId);
    if (bound.some((it) => it.enterpriseGlobalId === enterprise.id)) state.count('duplicateBinds');
    const customer: Customer = {
      customerId: nextCustomerId(state),
      crmCustomerId: '',
      channelCode: effect.channelCode,
      channelCustomerId: effect.channelCustomerId,
      enterpriseGlobalId: enterprise.id,
      isDefault: known === undefined,
      name: effect.customerName,
      branchName: effect.branchName,
      address: '',
    };
    state.addCustomer(customer);
    state.count('binds');
    return customerRecord(state, customer);
  },
};
