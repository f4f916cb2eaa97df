import type { Json, JsonObject } from '../../model/json.js';
import type { Operation } from '../../model/operation.js';
import { assetNumbers, textOf } from '../../platform/operations/shared/rule-report.js';
import type { NamedThing } from './made-by-attempt.js';

/** Identifies an asset or customer, whatever operation names it. */
export type ThingKey = string;

export function assetKey(number: string): ThingKey {
  return `asset ${number}`;
}

export function customerKey(channelCode: string, channelCustomerId: string): ThingKey {
  return JSON.stringify([channelCode, channelCustomerId]);
}

/** What the ledger knows of the assets and customers that one item names. */
export interface ItemEvidence {
  thing(key: ThingKey, name: string, createTime: JsonObject[string] | undefined): NamedThing;
}

/**
 * The assets and customers that an item names: those it may have made or changed. A disabled lock counts too: a person
 * should look if an item had anything to do with the asset.
 */
export function thingsNamedBy(operation: Operation, envelope: JsonObject, body: Json): readonly ThingKey[] {
  // A lock's item is its number alone.
  if (typeof body === 'string') return [assetKey(body)];
  const customer = textOf(body, 'channelCustomerId');
  const channel = textOf(body, 'channelCode') || textOf(envelope, 'channelCode');
  const more = (operation.namesAssets ?? []).map((it) => textOf(body, it)).filter((it) => it !== '');
  return [
    ...assetNumbers(body).map(assetKey),
    ...(customer === '' ? [] : [customerKey(channel, customer)]),
    ...more.map(assetKey),
  ];
}
