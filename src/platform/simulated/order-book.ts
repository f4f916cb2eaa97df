import { createHash } from 'node:crypto';
import { numbered, type Series } from '../../model/series.js';
import type { OrderContent } from './order-content.js';

/** One order that was carried out, kept small: a long run leaves many. */
export interface CarriedOrder {
  readonly licenseOrderId: string;
  readonly channelCode: string;
  readonly channelOrderId: string;
  readonly sequence: number;
  readonly orderType: OrderContent['orderType'];
  readonly content: string;
  readonly assetNums: readonly string[];
  /** 1 for the first time these channelCode, channelOrderId, sequence and content were carried out, then 2, 3, … */
  readonly time: number;
}

export interface OrderCounts {
  /** Orders carried out, repeats included. */
  readonly orders: number;
  readonly byType: Readonly<Record<OrderContent['orderType'], number>>;
  /** Of those: the same channelCode, channelOrderId, sequence and content had been carried out before. */
  readonly duplicates: number;
  /** Of those: the same content had been carried out before, under whatever order number and sequence. */
  readonly repeatedContents: number;
}

/** Counts every order carried out, and the repeats among them. */
export class OrderBook {
  readonly #orders: CarriedOrder[] = [];
  readonly #times = new Map<string, number>();
  readonly #contents = new Set<string>();
  readonly #byType = { new_buy: 0, delete_asset: 0, delete_product: 0 };
  readonly #series: Series;
  #duplicates = 0;
  #repeated = 0;

  constructor(series: Series) {
    this.#series = series;
  }

  /** Counts an order that is being carried out now and numbers it. */
  add(channelCode: string, channelOrderId: string, order: OrderContent): CarriedOrder {
    const identity = digest(JSON.stringify([channelCode, channelOrderId, order.sequence, order.content]));
    const time = (this.#times.get(identity) ?? 0) + 1;
    this.#times.set(identity, time);
    if (time > 1) this.#duplicates += 1;
    if (this.#contents.has(order.content)) this.#repeated += 1;
    else this.#contents.add(order.content);
    this.#byType[order.orderType] += 1;
    const carried: CarriedOrder = {
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
    this.#orders.push(carried);
    return carried;
  }

  counts(): OrderCounts {
    return {
      orders: this.#orders.length,
      byType: { ...this.#byType },
      duplicates: this.#duplicates,
      repeatedContents: this.#repeated,
    };
  }

  /** In the order in which they were carried out. */
  all(): readonly CarriedOrder[] {
    return this.#orders;
  }
}

/** 96 bits of SHA-256: short, as one is kept for every order, and still never the same for two texts by chance. */
export function digest(text: string): string {
  return createHash('sha256').update(text).digest().toString('base64url', 0, 12);
}
