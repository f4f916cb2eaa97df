import type { Json } from '../../../model/json.js';
import { numbered } from '../../../model/run-outcome.js';
import { BUSINESS_CODES, type Simulation, textOf, textsOf } from '../../simulated/simulation.js';
import type { Customer, Enterprise, State } from '../../simulated/state.js';
import { BIND_ENDPOINT, CREATE_ENDPOINT, QUERY_ENDPOINT, UPDATE_ENDPOINT } from './enterprise.endpoint.js';

/** §2.1 */
function customerRecord(state: State, customer: Customer): Json {
  return {
    customerId: customer.customerId,
    channelCode: customer.channelCode,
    channelCustomerId: customer.channelCustomerId,
    enterpriseGlobalId: customer.enterpriseGlobalId,
    // An enterprise known only from an order has no name.
    enterpriseName: state.enterprises.get(customer.enterpriseGlobalId)?.name ?? customer.name,
    isDefault: customer.isDefault,
  };
}

/** Orders may define customer ids, so a free one is searched. */
export function nextCustomerId(state: State): string {
  return firstFree('CU', state.customers, state);
}

function newEnterprise(state: State, name: string): Enterprise {
  const id = firstFree('ENT', state.enterprises, state);
  const members = ['admin', 'member'].map((role, index) => ({
    memberGlobalId: `${id}-M${index + 1}`,
    memberIdentity: `${role}@${id.toLowerCase()}.sandbox.example`,
  }));
  const enterprise = { id, name, members };
  state.addEnterprise(enterprise);
  return enterprise;
}

function firstFree(prefix: string, existing: ReadonlyMap<string, unknown>, { series }: State): string {
  for (let number = existing.size + 1; ; number += 1) {
    const id = numbered(prefix, series, number, 6);
    if (!existing.has(id)) return id;
  }
}

const BIND_TEXTS = [
  'channelCode',
  'channelCustomerId',
  'customerName',
  'branchName',
  'enterpriseName',
] as const;

type BindEffect = { readonly kind: 'bind' } & Readonly<Record<(typeof BIND_TEXTS)[number], string>>;

export const BIND_SIMULATION: Simulation<BindEffect> = {
  name: 'bind',
  endpoint: BIND_ENDPOINT,
  effect: 'bind',
  counts: ['binds', 'duplicateBinds'],
  choices: [
    {
      section: '§4.3',
      text: 'Binding finds the main account by its name or creates it; its first customer is the default one. A repeated binding is executed once more, and counted as a duplicate.',
    },
  ],
  decide: (_, { body }) => ({ kind: 'effect', effect: { kind: 'bind', ...textsOf(body, BIND_TEXTS) } }),
  /** The enterprise of that name, or a new one; its first customer is the default. A repeat binds again. */
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

const CREATE_TEXTS = ['crmCustomerId', 'customerName', 'branchName', 'address'] as const;

type CreateEffect = { readonly kind: 'create' } & Readonly<Record<(typeof CREATE_TEXTS)[number], string>>;

export const CREATE_SIMULATION: Simulation<CreateEffect> = {
  name: 'create',
  endpoint: CREATE_ENDPOINT,
  effect: 'create',
  counts: ['creates', 'duplicateCreates'],
  choices: [
    {
      section: '§4.4',
      text: 'Creating makes a default and an industry-information customer, an administrator and one employee. A repeated crmCustomerId is executed once more with defaultType false, and counted as a duplicate.',
    },
  ],
  decide: (_, { body }) => ({ kind: 'effect', effect: { kind: 'create', ...textsOf(body, CREATE_TEXTS) } }),
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

export const QUERY_SIMULATION: Simulation = {
  name: 'query',
  endpoint: QUERY_ENDPOINT,
  decide: (state, { params }) => {
    const found = state.channelCustomers(
      params.get('channelCode') ?? '',
      params.get('channelCustomerId') ?? '',
    );
    const selected = params.get('defaultCustomer') === 'Y' ? found.filter((it) => it.isDefault) : found;
    return { kind: 'reply', data: selected.map((it) => customerRecord(state, it)) };
  },
};

const UPDATE_TEXTS = ['crmCustomerId', 'customerName', 'branchName', 'address'] as const;

type UpdateEffect = { readonly kind: 'update' } & Readonly<Record<(typeof UPDATE_TEXTS)[number], string>>;

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
    return { kind: 'effect', effect: { kind: 'update', ...textsOf(body, UPDATE_TEXTS) } };
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
