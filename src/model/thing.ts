/** The kinds of things on the platform that an item can concern. Stored numbers depend on the order: append only. */
const KINDS = [
  'asset',
  'customerId',
  'crmCustomerId',
  'channelCustomerId',
  'order',
  'customer_data',
] as const;

/**
 * A lock (by its asset number), a customer (by one of its ids) or an order. `customer_data`: name and address of the customer
 * with that `crmCustomerId`, which orders do not change.
 */
export interface Thing {
  readonly kind: (typeof KINDS)[number];
  readonly name: string;
}

/** Each kind has one contiguous range of numbers. All are whole numbers below 2^53. */
const NUMBERS_OF_A_KIND = 2 ** 50;

/** `from <= number < end` */
export interface ThingRange {
  readonly from: number;
  readonly end: number;
}

export const ASSETS: ThingRange = { from: 0, end: NUMBERS_OF_A_KIND };
export const CUSTOMERS: ThingRange = { from: NUMBERS_OF_A_KIND, end: 4 * NUMBERS_OF_A_KIND };
export const CUSTOMER_DATA: ThingRange = { from: 5 * NUMBERS_OF_A_KIND, end: 6 * NUMBERS_OF_A_KIND };

/**
 * The number of a thing in the ledger's index. It takes 16 bytes less than a name, and does not reveal the name after the run is
 * pruned. Ledgers contain these numbers, so the result must never change.
 */
export function thingNumber({ kind, name }: Thing): number {
  return KINDS.indexOf(kind) * NUMBERS_OF_A_KIND + digest50(name);
}

/** Index of the number's kind, which is the order in which customers are compared. */
export function kindOfThing(number: number): number {
  return Math.floor(number / NUMBERS_OF_A_KIND);
}

/** Two 32-bit hashes of a text (cyrb53), cut to 50 bits. A cryptographic hash would take ten times as long. */
function digest50(text: string): number {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    high = Math.imul(high ^ unit, 2654435761);
    low = Math.imul(low ^ unit, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return (low >>> 14) * 2 ** 32 + (high >>> 0);
}
