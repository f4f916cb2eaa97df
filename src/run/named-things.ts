import type { Ledger } from '../ledger/contract/ledger.js';
import { isPlaceholder } from '../mapping/given-value.js';
import type { Json, JsonObject } from '../model/json.js';
import { OPERATION_NAMES, type Operation } from '../model/operation.js';
import { type Thing, thingNumber } from '../model/thing.js';
import { operationNamed } from '../platform/operations/catalogue.js';
import { assetNumbers, textOf } from '../platform/operations/shared/rule-report.js';

/** Identifies a thing, independent of the operation that names it. */
export type ThingKey = string;

export function keyOf({ kind, name }: Thing): ThingKey {
  return `${kind} ${name}`;
}

export function assetThing(name: string): Thing {
  return { kind: 'asset', name };
}

/** A customer of a channel. Different channels may use the same id for different customers. */
export function channelCustomer(channelCode: string, channelCustomerId: string): Thing {
  return { kind: 'channelCustomerId', name: JSON.stringify([channelCode, channelCustomerId]) };
}

/**
 * The assets, customers and orders that an item names: those that it may have created or changed. A disabled lock is
 * included, because a user should see any item that involved the asset. Placeholders for values of earlier steps are
 * ignored.
 */
export function thingsNamedBy(operation: Operation, envelope: JsonObject, body: Json): readonly Thing[] {
  // A lock's item is only its number.
  if (typeof body === 'string') return isPlaceholder(body) ? [] : [assetThing(body)];
  const things: Thing[] = [];
  const add = (kind: Thing['kind'], name: string): void => {
    if (name !== '' && !isPlaceholder(name)) things.push({ kind, name });
  };
  for (const asset of assetNumbers(body)) add('asset', asset);
  for (const field of operation.namesAssets) add('asset', textOf(body, field));
  add('customerId', textOf(body, 'customerId'));
  const crmCustomer = textOf(body, 'crmCustomerId');
  add('crmCustomerId', crmCustomer);
  // For operations whose item is one customer.
  if (operation.place.kind === 'single') add('customer_data', crmCustomer);
  const customer = textOf(body, 'channelCustomerId');
  if (customer !== '' && !isPlaceholder(customer))
    things.push(channelCustomer(textOf(body, 'channelCode') || textOf(envelope, 'channelCode'), customer));
  add('order', textOf(envelope, 'channelOrderId'));
  add('order', textOf(body, 'srcLicenseOrderId'));
  return things;
}

const NO_THINGS: readonly number[] = [];

/** The same things as numbers of the ledger's index, each once. Empty for operations that only read. */
export function thingNumbers(operation: Operation, envelope: JsonObject, body: Json): readonly number[] {
  if (operation.endpoint.method === 'GET') return NO_THINGS;
  return [...new Set(thingsNamedBy(operation, envelope, body).map(thingNumber))];
}

/** Indexes the things of runs of earlier program versions, except pruned ones. May run in several processes at once. */
export async function indexOlderRuns({ assetIndex }: Pick<Ledger, 'assetIndex'>): Promise<void> {
  for (const { run, kind, operation: operationName } of await assetIndex.unindexed()) {
    const name = OPERATION_NAMES.find((candidate) => candidate === operationName);
    if (name !== undefined && kind !== 'dry_run') {
      const operation = operationNamed(name);
      for await (const page of assetIndex.contents(run)) {
        await assetIndex.add(
          run,
          page.map(({ item, envelope, body }) => ({ item, things: thingNumbers(operation, envelope, body) })),
        );
      }
    }
    await assetIndex.indexed(run);
  }
}
