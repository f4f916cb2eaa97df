import { type Message, message } from '../../errors/message.js';
import type { Json, JsonObject } from '../../model/json.js';
import type { ReplyReading, WireRequest } from '../../model/operation.js';
import type { ItemOutcome } from '../../model/outcome.js';
import { ENDPOINTS } from '../wire/endpoints.js';
import { readByName } from './read-by-name.js';

/** Result codes that say no, with their legend (§2.5). */
const REFUSALS: Readonly<Record<string, Message>> = {
  2: message('operation.lock_missing'),
  3: message('operation.lock_failure'),
  4: message('operation.lock_wrong_type'),
};

/** §2.5: locks by their number; the legend is the same for disabling and enabling. */
export function readLocks(reply: Json, sent: WireRequest): ReplyReading {
  const locks = sent.body?.assetNums;
  return readByName(reply, {
    endpoint: ENDPOINTS.lock,
    names: Array.isArray(locks) ? locks.map((it: Json) => String(it)) : [],
    nameField: 'assetNum',
    outcome: lockOutcome,
    foreign: (lock) => message('operation.foreign_lock', { lock }),
  });
}

function lockOutcome(element: JsonObject): ItemOutcome {
  const status = String(element.status);
  const told = { code: status, columns: { assetStatus: status } };
  if (status === '1') return { status: 'succeeded', ...told };
  const refusal = REFUSALS[status];
  if (refusal) return { status: 'rejected', ...told, message: refusal };
  return { status: 'failed', ...told, message: message('operation.lock_other', { status }) };
}
