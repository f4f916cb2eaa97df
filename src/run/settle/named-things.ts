import type { Json, JsonObject } from '../../model/json.js';
import type { Operation } from '../../model/operation.js';
import { assetNumbers, textOf } from '../../platform/operations/shared/rule-report.js';
import type { NamedThing } from './made-by-attempt.js';

/** One text for each asset or customer that items name, whatever they are items of. */
export type ThingKey = string;

export function assetKey(number: string): ThingKey {
  return `asset ${number}`;
}

export function customerKey(channelCode: string, channelCustomerId: string): ThingKey {
  return JSON.stringify([channelCode, channelCustomerId]);
}

/** What the ledger knows of the things that one item names. */
export interface ItemEvidence {
  thing(key: ThingKey, name: string, createTime: JsonObject[string] | undefined): NamedThing;
}

/**
 * The assets and customers that an item names: what it may have made or changed. A disabled lock counts as well: that
 * an item had to do with an asset is reason enough for a person to look.
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
