import { createHash } from 'node:crypto';
import type { Json } from '../../model/json.js';
import { numbered, type Series } from '../../model/run-outcome.js';

/** A product as an order adds or names it; only the fields that the sandbox uses. */
export interface ProductContent {
  readonly productUri: string;
  readonly crmProductId: string;
  readonly limitStartDate?: Json;
  readonly limitEndDate?: Json;
  readonly limitConcurrent?: Json;
  /** Deletion: time range and node count must be equal, too, not only the product id (§4.5.5). */
  readonly strict?: boolean;
}

interface ExtendContent {
  readonly extendCode: string;
  readonly extendValue: string;
}

export interface AssetContent {
  readonly assetNos: readonly string[];
  readonly limitStartDate?: Json;
  readonly limitEndDate?: Json;
  readonly borrowed: boolean;
  readonly transferred: boolean;
  readonly extends: readonly ExtendContent[];
  /** At least one package, even an empty one. */
  readonly packaged: boolean;
  /** Including products in packages at any depth. */
  readonly products: readonly ProductContent[];
}

export interface OrderContent {
  readonly sequence: number;
  readonly orderType: 'new_buy' | 'delete_asset' | 'delete_product';
  readonly licenseType: string;
  readonly customerId: string;
  readonly crmCustomerId: string;
  readonly customerName: string;
  readonly channelCustomerId: string;
  readonly enterpriseGlobalId: string;
  readonly branchName: string;
  readonly address: string;
  /** '' if the order names none. */
  readonly srcLicenseOrderId: string;
  readonly assets: readonly AssetContent[];
  /** Digest of the whole order as sent, without its sequence. */
  readonly content: string;
}

/** One executed order, stored compactly: a long run has many. */
export interface ExecutedOrder {
  readonly licenseOrderId: string;
  readonly channelCode: string;
  readonly channelOrderId: string;
  readonly sequence: number;
  readonly orderType: OrderContent['orderType'];
  readonly content: string;
  readonly assetNums: readonly string[];
  /** 1 for the first order with this channelCode, channelOrderId, sequence and content, then 2, 3, … */
  readonly time: number;
}

export interface OrderCounts {
  /** Executed orders, repeats included. */
  readonly orders: number;
  readonly byType: Readonly<Record<OrderContent['orderType'], number>>;
  /** Orders with the same channelCode, channelOrderId, sequence and content as an earlier one. */
  readonly duplicates: number;
  /** Orders with the same content as an earlier one, whatever their order number and sequence. */
  readonly repeatedContents: number;
}

/** Counts executed orders and the repeats among them. */
export class OrderBook {
  readonly #orders: ExecutedOrder[] = [];
  readonly #times = new Map<string, number>();
  readonly #contents = new Set<string>();
  readonly #byType = { new_buy: 0, delete_asset: 0, delete_product: 0 };
  readonly #series: Series;
  #duplicates = 0;
  #repeated = 0;

  constructor(series: Series) {
    this.#series = series;
  }

  /** Counts an order and numbers it. */
  add(channelCode: string, channelOrderId: string, order: OrderContent): ExecutedOrder {
    const identity = digest(JSON.stringify([channelCode, channelOrderId, order.sequence, order.content]));
    const time = (this.#times.get(identity) ?? 0) + 1;
    this.#times.set(identity, time);
    if (time > 1) this.#duplicates += 1;
    if (this.#contents.has(order.content)) this.#repeated += 1;
    else this.#contents.add(order.content);
    this.#byType[order.orderType] += 1;
    const executed: ExecutedOrder = {
      licenseOrderId: numbered('LO', this.#series, this.#orders.length + 1, 8),
      channelCode,
      channelOrderId,
      sequence: order.sequence,
      orderType: order.orderType,
      content: order.content,
      assetNums:
        order.assets.length === 1 ? order.assets[0]!.assetNos : order.assets.flatMap((it) => it.assetNos),
      time,
    };
    this.#orders.push(executed);
    return executed;
  }

  counts(): OrderCounts {
    return {
      orders: this.#orders.length,
      byType: { ...this.#byType },
      duplicates: this.#duplicates,
      repeatedContents: this.#repeated,
    };
  }

  /** In order of execution. */
  all(): readonly ExecutedOrder[] {
    return this.#orders;
  }
}

/** 96 bits of SHA-256: short, as one is stored for every order, and collisions are negligible. */
export function digest(text: string): string {
  return createHash('sha256').update(text).digest().toString('base64url', 0, 12);
}
