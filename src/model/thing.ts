/** What an item can concern on the platform. Stored numbers depend on the order: append only. */
const KINDS = ['asset', 'customerId', 'crmCustomerId', 'channelCustomerId', 'order'] as const;

/** A lock (by its asset number), a customer (by one of its ids) or an order. */
export interface Thing {
  readonly kind: (typeof KINDS)[number];
  readonly name: string;
}

/** Numbers of one kind are next to each other. All of them are whole numbers below 2^53. */
const NUMBERS_OF_A_KIND = 2 ** 50;

/** `from <= number < end` */
export interface ThingRange {
  readonly from: number;
  readonly end: number;
}

export const ASSETS: ThingRange = { from: 0, end: NUMBERS_OF_A_KIND };
export const CUSTOMERS: ThingRange = { from: NUMBERS_OF_A_KIND, end: 4 * NUMBERS_OF_A_KIND };

/**
 * The number under which the ledger's index stores a thing. It takes 16 bytes less than a name, and does not show the name
 * once the run is pruned. Ledgers contain these numbers, so the result must never change.
 */
export function thingNumber({ kind, name }: Thing): number {
  return KINDS.indexOf(kind) * NUMBERS_OF_A_KIND + digest50(name);
}

/** Place of the kind in the order in which customers are compared. */
export function kindOfThing(number: number): number {
  return Math.floor(number / NUMBERS_OF_A_KIND);
}

/** Two 32-bit hashes of a text (cyrb53), cut to 50 bits. A cryptographic one costs ten times as much for each item. */
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
