import type { Json, JsonObject } from '../../model/json.js';
import { type Series, THE_FIRST } from '../../model/run-outcome.js';
import { OrderBook } from './order-book.js';

export type Timestamps = 'milliseconds' | 'seconds';

export interface Customer {
  readonly customerId: string;
  readonly crmCustomerId: string;
  readonly channelCode: string;
  readonly channelCustomerId: string;
  readonly enterpriseGlobalId: string;
  readonly isDefault: boolean;
  name: string;
  branchName: string;
  address: string;
}

interface Member {
  readonly memberGlobalId: string;
  readonly memberIdentity: string;
}

export interface Enterprise {
  readonly id: string;
  name: string;
  readonly members: readonly Member[];
}

export interface Product {
  readonly productUri: string;
  readonly crmProductId: string;
  readonly licenseOrderId: string;
  readonly limitStartDate: Json | undefined;
  readonly limitEndDate: Json | undefined;
  readonly limitConcurrent: Json | undefined;
}

export interface Asset {
  readonly assetNum: string;
  readonly licenseType: string;
  /** The order that added it. */
  readonly licenseOrderId: string;
  readonly createdAt: number;
  customerId: string;
  enterpriseGlobalId: string;
  updatedAt: number;
  locked: boolean;
  freezing: boolean;
  borrowed: boolean;
  limitStart?: Json;
  limitEnd?: Json;
  extends: readonly { readonly extendCode: string; readonly extendValue: string }[];
  products: readonly Product[];
  /** The employee it is assigned to. */
  memberId?: string;
  /**
   * The record as another platform returned it. It contains neither orders nor products, so any statement about them is
   * accepted.
   */
  readonly asRead?: JsonObject;
}

/** Counters since the state began (replayed effects included), by the names that the simulations define. */
export type EffectCounts = Record<string, number>;

/** The state of the simulated platform. Only `apply` changes it, so that a replay gives the same state. */
export class State {
  readonly timestamps: Timestamps;
  readonly customers = new Map<string, Customer>();
  readonly enterprises = new Map<string, Enterprise>();
  readonly enterpriseByName = new Map<string, Enterprise>();
  readonly assets = new Map<string, Asset>();
  readonly orders: OrderBook;
  readonly series: Series;
  readonly counts: EffectCounts;
  readonly #memories = new Map<string, Map<string, Json>>();
  readonly #byChannel = new MultiMap<Customer>();
  readonly #byCrm = new MultiMap<Customer>();
  readonly #byEnterprise = new MultiMap<Asset>();

  /** @param counted names of the counters, each from 0 */
  constructor(timestamps: Timestamps, counted: readonly string[], series: Series = THE_FIRST) {
    this.timestamps = timestamps;
    this.series = series;
    this.orders = new OrderBook(series);
    this.counts = Object.fromEntries(counted.map((it) => [it, 0]));
  }

  count(what: string, by = 1): void {
    this.counts[what] = (this.counts[what] ?? 0) + by;
  }

  /** Data of a single simulation, by its own name. */
  memory(name: string): Map<string, Json> {
    const existing = this.#memories.get(name);
    if (existing) return existing;
    const fresh = new Map<string, Json>();
    this.#memories.set(name, fresh);
    return fresh;
  }

  addCustomer(customer: Customer): void {
    this.customers.set(customer.customerId, customer);
    this.#byChannel.add(channelKey(customer.channelCode, customer.channelCustomerId), customer);
    if (customer.crmCustomerId) this.#byCrm.add(customer.crmCustomerId, customer);
  }

  /** In order of creation; [] if the channel has no such customer. */
  channelCustomers(channelCode: string, channelCustomerId: string): readonly Customer[] {
    return this.#byChannel.get(channelKey(channelCode, channelCustomerId));
  }

  crmCustomers(crmCustomerId: string): readonly Customer[] {
    return this.#byCrm.get(crmCustomerId);
  }

  addEnterprise(enterprise: Enterprise): void {
    this.enterprises.set(enterprise.id, enterprise);
    this.enterpriseByName.set(enterprise.name, enterprise);
  }

  renameEnterprise(enterprise: Enterprise, name: string): void {
    if (this.enterpriseByName.get(enterprise.name) === enterprise)
      this.enterpriseByName.delete(enterprise.name);
    enterprise.name = name;
    this.enterpriseByName.set(name, enterprise);
  }

  addAsset(asset: Asset): void {
    this.assets.set(asset.assetNum, asset);
    this.#byEnterprise.add(asset.enterpriseGlobalId, asset);
  }

  revokeAsset(asset: Asset): void {
    this.assets.delete(asset.assetNum);
    this.#byEnterprise.remove(asset.enterpriseGlobalId, asset);
  }

  moveAsset(asset: Asset, customerId: string, enterpriseGlobalId: string): void {
    this.#byEnterprise.remove(asset.enterpriseGlobalId, asset);
    asset.customerId = customerId;
    asset.enterpriseGlobalId = enterpriseGlobalId;
    this.#byEnterprise.add(enterpriseGlobalId, asset);
  }

  enterpriseAssets(enterpriseGlobalId: string): readonly Asset[] {
    return this.#byEnterprise.get(enterpriseGlobalId);
  }

  /** A moment (milliseconds since 1970) in the unit of the Long fields. */
  stamp(at: number): number {
    return this.timestamps === 'seconds' ? Math.floor(at / 1000) : at;
  }
}

function channelKey(channelCode: string, channelCustomerId: string): string {
  return JSON.stringify([channelCode, channelCustomerId]);
}

/** Several values per key. Most keys have one value, which is stored without a list. */
class MultiMap<Value extends object> {
  readonly #map = new Map<string, Value | Value[]>();

  add(key: string, value: Value): void {
    const existing = this.#map.get(key);
    if (existing === undefined) this.#map.set(key, value);
    else if (Array.isArray(existing)) existing.push(value);
    else this.#map.set(key, [existing, value]);
  }

  /** In insertion order; [] if there are none. */
  get(key: string): readonly Value[] {
    const existing = this.#map.get(key);
    if (existing === undefined) return [];
    return Array.isArray(existing) ? existing : [existing];
  }

  remove(key: string, value: Value): void {
    const existing = this.#map.get(key);
    if (existing === value) this.#map.delete(key);
    else if (Array.isArray(existing) && existing.includes(value)) existing.splice(existing.indexOf(value), 1);
  }
}
