import { isGiven as isStandIn } from '../mapping/given-value.js';
import type { Json, JsonObject } from '../model/json.js';
import type { Operation } from '../model/operation.js';
import { type Thing, thingNumber } from '../model/thing.js';
import { assetNumbers, textOf } from '../platform/operations/shared/rule-report.js';

/** Identifies a thing, whatever operation names it. */
export type ThingKey = string;

export function keyOf({ kind, name }: Thing): ThingKey {
  return `${kind} ${name}`;
}

export function assetThing(name: string): Thing {
  return { kind: 'asset', name };
}

/** A channel's customer: different channels may use one id for different customers. */
export function channelCustomer(channelCode: string, channelCustomerId: string): Thing {
  return { kind: 'channelCustomerId', name: JSON.stringify([channelCode, channelCustomerId]) };
}

/**
 * The assets, customers and orders that an item names: those it may have made or changed. A disabled lock is one of them: a
 * person should look if an item had anything to do with the asset. Stand-ins for values of earlier steps name nothing.
 */
export function thingsNamedBy(operation: Operation, envelope: JsonObject, body: Json): readonly Thing[] {
  // A lock's item is its number alone.
  if (typeof body === 'string') return isStandIn(body) ? [] : [assetThing(body)];
  const things: Thing[] = [];
  const add = (kind: Thing['kind'], name: string): void => {
    if (name !== '' && !isStandIn(name)) things.push({ kind, name });
  };
  for (const it of assetNumbers(body)) add('asset', it);
  for (const field of operation.namesAssets ?? []) add('asset', textOf(body, field));
  add('customerId', textOf(body, 'customerId'));
  add('crmCustomerId', textOf(body, 'crmCustomerId'));
  const customer = textOf(body, 'channelCustomerId');
  if (customer !== '' && !isStandIn(customer)) {
    things.push(channelCustomer(textOf(body, 'channelCode') || textOf(envelope, 'channelCode'), customer));
  }
  add('order', textOf(envelope, 'channelOrderId'));
  add('order', textOf(body, 'srcLicenseOrderId'));
  return things;
}

const NO_THINGS: readonly number[] = [];

/** The same as the ledger's index stores them, each once. What only reads concerns nothing. */
export function thingNumbers(operation: Operation, envelope: JsonObject, body: Json): readonly number[] {
  if (operation.endpoint.method === 'GET') return NO_THINGS;
  return [...new Set(thingsNamedBy(operation, envelope, body).map(thingNumber))];
}
