import { CUSTOMERS, kindOfThing } from '../../model/thing.js';

/**
 * Whether two items name the same customer. The first kind of id that both name decides: `customerId`, then `crmCustomerId`,
 * then `channelCustomerId`. `not_known`: no kind of id is in both.
 * @param one all things that an item names
 */
export function compareCustomers(
  one: readonly number[],
  other: readonly number[],
): 'same' | 'different' | 'not_known' {
  for (const id of one.filter(isCustomer).sort((a, b) => a - b)) {
    const same = other.filter((it) => kindOfThing(it) === kindOfThing(id));
    if (same.length > 0) return same.includes(id) ? 'same' : 'different';
  }
  return 'not_known';
}

/** The ids of the customer that an item names, as text. */
export function customerIds(things: readonly number[]): string {
  return things
    .filter(isCustomer)
    .sort((a, b) => a - b)
    .join(' ');
}

function isCustomer(thing: number): boolean {
  return thing >= CUSTOMERS.from && thing < CUSTOMERS.end;
}
