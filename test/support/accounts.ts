import type { ExecutedOrder } from '../../src/platform/simulated/order-book.js';

/** A promise that was broken. */
class BrokenPromise extends Error {}

export function must(holds: boolean, promise: string, detail: unknown = ''): asserts holds {
  if (!holds)
    throw new BrokenPromise(`${promise} ${typeof detail === 'string' ? detail : JSON.stringify(detail)}`);
}

type Line = Readonly<Record<string, string>>;

export interface Accounts {
  readonly carriedOut: number;
  readonly unknown: number;
  /** Of the unknown: sent once more, these would have been executed twice. */
  readonly unknownDone: number;
}

/** Row by row: what the result says against what the platform did. */
export function checkAccounts(
  lines: readonly Line[],
  carried: readonly ExecutedOrder[],
  story: { readonly orders: number },
): Accounts {
  const byAsset = new Map<string, ExecutedOrder>();
  for (const order of carried) {
    const asset = order.assetNums.join();
    must(!byAsset.has(asset), 'no order may be carried out twice:', {
      asset,
      order,
      before: byAsset.get(asset),
    });
    byAsset.set(asset, order);
  }
  must(lines.length === story.orders, 'every row must be in the result:', lines.length);
  let unknown = 0;
  let unknownDone = 0;
  for (const [at, line] of lines.entries()) {
    must(line.row === String(at + 2), 'rows must stand in the source’s order:', line);
    const order = byAsset.get(line.Asset ?? '');
    byAsset.delete(line.Asset ?? '');
    if (line.status === 'unknown') {
      unknown += 1;
      if (order) unknownDone += 1;
    } else if (line.status === 'succeeded') {
      must(order !== undefined, 'nothing may show as succeeded that was not carried out:', line);
      must(order.licenseOrderId === line.licenseOrderId, 'a row must show its own order:', { line, order });
    } else {
      must(order === undefined, 'what was carried out must show as succeeded or unknown:', line);
      must(false, 'a resumed run must come to an end for every row:', line);
    }
  }
  must(byAsset.size === 0, 'every order carried out must have a row:', [...byAsset.keys()]);
  return { carriedOut: carried.length, unknown, unknownDone };
}
