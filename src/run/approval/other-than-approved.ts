import { isDeepStrictEqual } from 'node:util';
import { type Message, message } from '../../errors/message.js';
import type { Run } from '../../ledger/contract/run.js';
import type { Connection } from '../../model/connection.js';
import { unpackAny } from '../settings.js';

/** What of a connection decides what the platform makes of a request; token, limits and who is told may change. */
const DECIDING = [
  'baseUrl',
  'appKey',
  'timestamps',
  'timezone',
  'retryCode500',
  'allowInsecureHttp',
  'sandbox',
] as const satisfies readonly (keyof Connection)[];

/** Why an approved run may not go on over its connection as it is configured now: it was approved for another one. */
export function otherThanApproved(run: Run, now: Connection): Message | undefined {
  if (!run.needsApproval) return undefined;
  const { connection: approved } = unpackAny(run.settings);
  const changed = DECIDING.filter(
    (it) =>
      !isDeepStrictEqual(approved[it], now[it]) &&
      // Of a sandbox that is found when it is needed.
      !(it === 'baseUrl' && (approved.baseUrl === undefined || now.served)),
  );
  if (changed.length === 0) return undefined;
  const params = { run: run.id, connection: run.connection, changed: changed.join(', ') };
  return message('approval.other_connection', params);
}
