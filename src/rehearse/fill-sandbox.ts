import { type Json, type JsonObject, member } from '../model/json.js';
import type { Asset, State } from '../platform/simulated/state.js';

/** What a platform has of all that a job's rows touch. */
export interface ReadThings {
  /** Customers that rows name, each as the platform's query gives it. */
  readonly customers: readonly JsonObject[];
  /** Assets by the enterprise whose list they stand in. */
  readonly assets: readonly { readonly enterprise: string; readonly record: JsonObject }[];
  /** Customers' numbers in the CRM that rows update: no inquiry finds them, so they are taken for granted. */
  readonly crmCustomers: readonly string[];
}

const text = (value: Json | undefined): string =>
  value === undefined || typeof value === 'object' ? '' : String(value).trim();
const isTrue = (value: Json | undefined): boolean => value === true || /^(?:true|1)$/i.test(text(value));

/** Fills a fresh sandbox with it, and with nothing else. */
export function fillSandbox(state: State, { customers, assets, crmCustomers }: ReadThings): void {
  for (const record of customers) addCustomer(state, record);
  for (const { enterprise, record } of assets) {
    const asset = assetOf(record, enterprise);
    // An asset stands in one list; what has no number can't be named by a row.
    if (asset.assetNum !== '' && !state.assets.has(asset.assetNum)) state.addAsset(asset);
  }
  for (const [index, crmCustomerId] of crmCustomers.entries()) {
    const unknown = { channelCode: '', channelCustomerId: '', enterpriseGlobalId: '', isDefault: true };
    const described = { name: '', branchName: '', address: '' };
    state.addCustomer({ customerId: `CRM-GIVEN-${index + 1}`, crmCustomerId, ...unknown, ...described });
  }
}

function addCustomer(state: State, record: JsonObject): void {
  const of = (name: string): string => text(member(record, name));
  const customerId = of('customerId');
  const known = state.customers.get(customerId);
  const [channelCode, channelCustomerId] = [of('channelCode'), of('channelCustomerId')];
  if (known?.channelCode === channelCode && known.channelCustomerId === channelCustomerId) return;
  const enterpriseGlobalId = of('enterpriseGlobalId');
  const name = of('enterpriseName');
  if (enterpriseGlobalId !== '' && !state.enterprises.has(enterpriseGlobalId)) {
    state.addEnterprise({ id: enterpriseGlobalId, name, members: [] });
  }
  state.addCustomer({
    customerId,
    crmCustomerId: '',
    channelCode,
    channelCustomerId,
    enterpriseGlobalId,
    isDefault: isTrue(member(record, 'isDefault')),
    name,
    branchName: '',
    address: '',
  });
}

function assetOf(record: JsonObject, enterpriseGlobalId: string): Asset {
  const limits = {
    limitStart: member(record, 'limitStartTime') ?? undefined,
    limitEnd: member(record, 'limitEndTime') ?? undefined,
  };
  const extended = member(record, 'assetExtends');
  return {
    assetNum: text(member(record, 'assetNum')),
    licenseType: text(member(record, 'licenseType')),
    licenseOrderId: '',
    createdAt: 0,
    updatedAt: 0,
    customerId: text(member(record, 'customerId')),
    enterpriseGlobalId,
    locked: isTrue(member(record, 'locked')),
    freezing: isTrue(member(record, 'freezing')),
    borrowed: isTrue(member(record, 'borrowedUsbKey')),
    ...(limits.limitStart === undefined ? {} : { limitStart: limits.limitStart }),
    ...(limits.limitEnd === undefined ? {} : { limitEnd: limits.limitEnd }),
    extends: (Array.isArray(extended) ? (extended as readonly Json[]) : []).map((it) => ({
      extendCode: text(member(it, 'extendCode')),
      extendValue: text(member(it, 'extendValue')),
    })),
    products: [],
    asRead: record,
  };
}
