import { message } from '../../../errors/message.js';
import { isObject, type Json, type JsonObject } from '../../../model/json.js';
import type { ReplyReading, WireRequest } from '../../../model/operation.js';
import type { ItemOutcome } from '../../../model/outcome.js';
import { readByName } from '../shared/read-by-name.js';
import { columnsOf } from '../shared/records.js';
import { isGiven } from '../shared/rule-report.js';
import { BATCH_ORDER_ENDPOINT } from './wire.js';

/** §2.4: orders by the `sequence` that was sent. Taken asynchronously, their outcome is still open (§4.5.1). */
export function readOrders(reply: Json, sent: WireRequest): ReplyReading {
  const status = sent.body?.syncMode === 'async' ? 'accepted' : 'succeeded';
  return readByName(reply, {
    endpoint: BATCH_ORDER_ENDPOINT,
    names: sentSequences(sent),
    nameField: 'sequence',
    outcome: (element) => orderOutcome(element, status),
    foreign: (sequence) => message('operation.foreign_sequence', { sequence }),
  });
}

/** An order without an id can't be followed up, so it doesn't count as confirmed. */
function orderOutcome(element: JsonObject, status: 'accepted' | 'succeeded'): ItemOutcome | undefined {
  const licenseOrderId = element.licenseOrderId;
  if (typeof licenseOrderId !== 'string' || !isGiven(licenseOrderId)) return undefined;
  return { status, licenseOrderId, code: '0', columns: columnsOf(element, ['customerId']) };
}

function sentSequences(sent: WireRequest): readonly string[] {
  const orders = sent.body?.orderList;
  if (!Array.isArray(orders)) return [];
  return orders.map((it: Json) => (isObject(it) ? String(it.sequence) : ''));
}
