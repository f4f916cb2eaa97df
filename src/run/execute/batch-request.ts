import type { Connection } from '../../model/connection.js';
import type { Json, JsonObject } from '../../model/json.js';
import type { Operation, WireRequest } from '../../model/operation.js';

/** The request of a batch: the same on every attempt, of whatever process, but for `g_nonce`. */
export function batchRequest(
  operation: Operation,
  connection: Connection,
  batch: { readonly run: string; readonly batch: number; readonly envelope: JsonObject },
  bodies: readonly Json[],
): WireRequest {
  return operation.compose(batch.envelope, bodies, {
    ...(connection.appKey === undefined ? {} : { appKey: connection.appKey }),
    channelOrderId: `LS-${batch.run}-${batch.batch}`,
  });
}
