import type { Json } from '../../../model/json.js';
import type { Customer, Enterprise, State } from '../../simulated/state.js';

const pad = (number: number) => String(number).padStart(6, '0');

/** §2.1 */
export function customerRecord(state: State, customer: Customer): Json {
  return {
    customerId: customer.customerId,
    channelCode: customer.channelCode,
    channelCustomerId: customer.channelCustomerId,
    enterpriseGlobalId: customer.enterpriseGlobalId,
    // An enterprise known only from an order has no name of its own.
    enterpriseName: state.enterprises.get(customer.enterpriseGlobalId)?.name ?? customer.name,
    isDefault: customer.isDefault,
  };
}

/** Orders bring customer ids of their own choosing, so a free one is looked for. */
export function nextCustomerId(state: State): string {
  let number = state.customers.size + 1;
  while (state.customers.has(`CU-${pad(number)}`)) number += 1;
  return `CU-${pad(number)}`;
}

export function newEnterprise(state: State, name: string): Enterprise {
  let number = state.enterprises.size + 1;
  while (state.enterprises.has(`ENT-${pad(number)}`)) number += 1;
  const id = `ENT-${pad(number)}`;
  const members = ['admin', 'member'].map((role, index) => ({
    memberGlobalId: `${id}-M${index + 1}`,
    memberIdentity: `${role}@${id.toLowerCase()}.sandbox.example`,
  }));
  const enterprise = { id, name, members };
  state.addEnterprise(enterprise);
  return enterprise;
}
