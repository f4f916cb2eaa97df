import type { Json, JsonObject } from '../../model/json.js';
import { exactParse } from '../../util/exact-json.js';
import type { PendingBatch } from '../contract/execution.js';
import { unpackId } from './ids.js';

/** A batch with its envelope (id and JSON) and a summary of its attempts. */
export interface PendingBatchLine {
  readonly batch: number;
  readonly envelope: number;
  readonly json: string;
  readonly attempts: number | null;
  readonly doubtful: number | null;
  /** Of the last attempt. */
  readonly http_status: number | null;
  readonly sent: number | null;
}

/** An item of a pending batch that is still to be sent. */
export interface PendingItemLine {
  readonly batch: number;
  readonly item: number;
  readonly item_key: string | null;
  readonly json: string;
}

type Items = { item: number; body: Json; key?: string }[];

/** @param lines of all the batches, each batch's in order */
export function toPendingBatches(
  batches: readonly PendingBatchLine[],
  lines: readonly PendingItemLine[],
): PendingBatch[] {
  const items = new Map<number, Items>(batches.map(({ batch }) => [batch, []]));
  for (const line of lines) {
    const item = { item: unpackId(line.item), body: exactParse(line.json) as Json };
    items.get(line.batch)?.push(line.item_key === null ? item : { ...item, key: line.item_key });
  }
  const envelopes = new Map<number, JsonObject>();
  return batches.map(({ batch, envelope, json, attempts, doubtful, http_status: status, sent }) => {
    const read = envelopes.get(envelope) ?? (exactParse(json) as JsonObject);
    envelopes.set(envelope, read);
    return {
      batch: unpackId(batch),
      envelope: read,
      items: items.get(batch)!,
      attempts: attempts ?? 0,
      uncertain: doubtful === 1,
      ...(status === 429 ? { paused: true } : {}),
      ...(sent === 1 ? { sent: true } : {}),
    };
  });
}
