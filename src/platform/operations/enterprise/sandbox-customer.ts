import type { Json } from '../../../model/json.js';
import { numbered } from '../../../model/series.js';
import type { Customer, Enterprise, State } from '../../simulated/state.js';

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
  return firstFree('CU', state.customers, state);
}

export function newEnterprise(state: State, name: string): Enterprise {
  const id = firstFree('ENT', state.enterprises, state);
  const members = ['admin', 'member'].map((role, index) => ({
    memberGlobalId: `${id}-M${index + 1}`,
    memberIdentity: `${role}@${id.toLowerCase()}.sandbox.example`,
  }));
  const enterprise = { id, name, members };
  state.addEnterprise(enterprise);
  return enterprise;
}

function firstFree(prefix: string, taken: ReadonlyMap<string, unknown>, { series }: State): string {
  for (let number = taken.size + 1; ; number += 1) {
    const id = numbered(prefix, series, number, 6);
    if (!taken.has(id)) return id;
  }
}
