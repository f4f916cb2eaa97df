import type { Json, JsonObject } from '../../model/json.js';
import type { Operation } from '../../model/operation.js';
import type { Thing } from './made-by-attempt.js';

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
  thing(key: ThingKey, name: string, createTime: JsonObject[string] | undefined): Thing;
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
  const identity = operation.name === 'activity.participate' ? textOf(body, 'identity') : '';
  return [
    ...assetNumbers(body).map(assetKey),
    ...(customer === '' ? [] : [customerKey(channel, customer)]),
    // May be a cloud lock's asset number (§4.9).
    ...(identity === '' ? [] : [assetKey(identity)]),
  ];
}

/** The distinct asset numbers of an order. */
export function assetNumbers(body: Json): readonly string[] {
  const found = new Set<string>();
  for (const asset of list(member(body, 'assets'))) {
    for (const number of list(member(asset, 'assetNos'))) found.add(String(number));
  }
  return [...found];
}

/** '' where there is none, or no text. */
export function textOf(body: Json, name: string): string {
  const value = member(body, name);
  return typeof value === 'string' ? value : '';
}

function member(value: Json, name: string): Json | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const owner = value as JsonObject;
  return Object.hasOwn(owner, name) ? owner[name] : undefined;
}

function list(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
