import { type Message, message } from '../../errors/message.js';
import type { Json, JsonObject } from '../../model/json.js';
import type { ItemContent, Operation, OperationName } from '../../model/operation.js';
import { assetNumbers, textOf } from './named-things.js';

/** Where the platform can be asked what became of an item. */
export type Lookup = AssetLookup | CustomerLookup | { readonly kind: 'none'; readonly reason: Message };

export interface AssetLookup {
  readonly kind: 'assets';
  readonly enterpriseGlobalId: string;
  /** Distinct. */
  readonly numbers: readonly string[];
  /** The order revokes them, where others create them. */
  readonly revokes: boolean;
}

export interface CustomerLookup {
  readonly kind: 'customer';
  readonly channelCode: string;
  readonly channelCustomerId: string;
  /** The main account that it was to be bound to. */
  readonly enterpriseName: string;
}

/** The asset list shows assets of these types (§4.7). */
const CLOUD_TYPES: ReadonlySet<string> = new Set(['cloud_account', 'cloud_customer', 'cloud_personal']);

/** How an item of an operation can be looked up, or why it can't. Pure. */
export function lookupOf(operation: Operation, { body }: Pick<ItemContent, 'body'>): Lookup {
  switch (operation.name) {
    case 'order.new_buy':
    case 'order.delete_asset':
      return assetLookup(body, operation.name);
    case 'enterprise.bind':
      return {
        kind: 'customer',
        channelCode: textOf(body, 'channelCode'),
        channelCustomerId: textOf(body, 'channelCustomerId'),
        enterpriseName: textOf(body, 'enterpriseName'),
      };
    default:
      return { kind: 'none', reason: message('resolve.no_lookup', { operation: operation.name }) };
  }
}

/** Items with the same text here are answered by one request. */
export function requestOf(lookup: Exclude<Lookup, { kind: 'none' }>): {
  readonly operation: OperationName;
  readonly fields: JsonObject;
} {
  if (lookup.kind === 'assets') {
    return { operation: 'asset.list', fields: { enterpriseGlobalId: lookup.enterpriseGlobalId } };
  }
  const { channelCode, channelCustomerId } = lookup;
  // N: all customers, not only the default one (§4.5).
  const fields = { channelCode, channelCustomerId, defaultCustomer: 'N' };
  return { operation: 'enterprise.query', fields };
}

function assetLookup(body: Json, operation: OperationName): Lookup {
  const type = textOf(body, 'licenseType');
  if (!CLOUD_TYPES.has(type)) {
    return { kind: 'none', reason: message('resolve.no_lookup_for_type', { type }) };
  }
  const enterpriseGlobalId = textOf(body, 'enterpriseGlobalId');
  const numbers = assetNumbers(body);
  if (enterpriseGlobalId === '' || numbers.length === 0) {
    return { kind: 'none', reason: message('resolve.nothing_to_look_up') };
  }
  return { kind: 'assets', enterpriseGlobalId, numbers, revokes: operation === 'order.delete_asset' };
}
