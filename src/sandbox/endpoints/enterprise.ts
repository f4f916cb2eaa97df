import type { Json } from '../../model/json.js';
import type { EffectOf } from '../state/effect.js';
import type { Customer, Enterprise, State } from '../state/state.js';
import { BUSINESS_CODES, type Call, type Decision, textOf } from './decision.js';

const pad = (number: number) => String(number).padStart(6, '0');

/** §2.1 */
function record(state: State, customer: Customer): Json {
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

function newEnterprise(state: State, name: string): Enterprise {
  const id = `ENT-${pad(state.enterprises.size + 1)}`;
  const members = ['admin', 'member'].map((role, index) => ({
    memberGlobalId: `${id}-M${index + 1}`,
    memberIdentity: `${role}@${id.toLowerCase()}.sandbox.example`,
  }));
  const enterprise = { id, name, members };
  state.addEnterprise(enterprise);
  return enterprise;
}

/** Endpoint 1 (§4.3). */
export function decideBind(_: State, { body }: Call): Decision {
  return {
    kind: 'effect',
    effect: {
      kind: 'bind',
      channelCode: textOf(body, 'channelCode'),
      channelCustomerId: textOf(body, 'channelCustomerId'),
      customerName: textOf(body, 'customerName'),
      branchName: textOf(body, 'branchName'),
      enterpriseName: textOf(body, 'enterpriseName'),
    },
  };
}

/** The enterprise of that name, or a new one; its first customer is the default. A repeat binds once more. */
export function applyBind(state: State, effect: EffectOf<'bind'>): Json {
  const known = state.enterpriseByName.get(effect.enterpriseName);
  const enterprise = known ?? newEnterprise(state, effect.enterpriseName);
  const bound = state.channelCustomers(effect.channelCode, effect.channelCustomerId);
  if (bound.some((it) => it.enterpriseGlobalId === enterprise.id)) state.counts.duplicateBinds += 1;
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
  state.counts.binds += 1;
  return record(state, customer);
}

/** Endpoint 2 (§4.4). */
export function decideCreate(_: State, { body }: Call): Decision {
  return {
    kind: 'effect',
    effect: {
      kind: 'create',
      crmCustomerId: textOf(body, 'crmCustomerId'),
      customerName: textOf(body, 'customerName'),
      branchName: textOf(body, 'branchName'),
      address: textOf(body, 'address'),
    },
  };
}

/** A main account with its default and its industry-information customer, administrator and one employee. */
export function applyCreate(state: State, effect: EffectOf<'create' | 'update'>): Json {
  const repeated = state.crmCustomers(effect.crmCustomerId).length > 0;
  if (repeated) state.counts.duplicateCreates += 1;
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
  state.counts.creates += 1;
  return {
    enterpriseGlobalId: enterprise.id,
    defaultType: !repeated,
    members: enterprise.members.map((member) => ({ ...member })),
  };
}

/** Endpoint 3 (§4.5). */
export function decideQuery(state: State, { params }: Call): Decision {
  const wanted = params.get('defaultCustomer');
  const found = state.channelCustomers(
    params.get('channelCode') ?? '',
    params.get('channelCustomerId') ?? '',
  );
  const shown = wanted === 'Y' ? found.filter((it) => it.isDefault) : found;
  return { kind: 'reply', data: shown.map((it) => record(state, it)) };
}

/** Endpoint 4 (§4.5). */
export function decideUpdate(state: State, { body }: Call): Decision {
  const crmCustomerId = textOf(body, 'crmCustomerId');
  if (state.crmCustomers(crmCustomerId).length === 0) {
    return {
      kind: 'business',
      code: BUSINESS_CODES.unknownCustomer,
      message: `no customer with crmCustomerId ${crmCustomerId}`,
      cause: 'CustomerNotFound',
    };
  }
  return {
    kind: 'effect',
    effect: {
      kind: 'update',
      crmCustomerId,
      customerName: textOf(body, 'customerName'),
      branchName: textOf(body, 'branchName'),
      address: textOf(body, 'address'),
    },
  };
}

/** Changes every customer of that CRM id, and the name of the main account whose default customer it is. */
export function applyUpdate(state: State, effect: EffectOf<'create' | 'update'>): Json {
  for (const customer of state.crmCustomers(effect.crmCustomerId)) {
    customer.name = effect.customerName;
    customer.branchName = effect.branchName;
    if (effect.address) customer.address = effect.address;
    const enterprise = state.enterprises.get(customer.enterpriseGlobalId);
    if (enterprise && customer.isDefault) state.renameEnterprise(enterprise, effect.customerName);
  }
  state.counts.updates += 1;
  return null;
}
