import type { Message } from '../../errors/message.js';
import { type Connection, policyHost } from '../../model/connection.js';
import { isLoopback } from '../../util/loopback.js';
import type { RunServices } from '../run-context.js';
import type { SendQuestion } from './consent.js';

/** Why nothing may be sent; otherwise what a person must be asked. */
type MayBegin =
  | { readonly lost: Message }
  | { readonly lost: undefined; readonly ask: Pick<SendQuestion, 'otherLedger'> };

/**
 * Whether the ledger still has all records that this user has seen in it. Called before anything is sent, by every process that
 * sends.
 */
export async function mayBeginSending(
  { ledger, observer, env = process.env }: Pick<RunServices, 'ledger' | 'observer' | 'env'>,
  connection: Connection,
): Promise<MayBegin> {
  const { sandbox, baseUrl } = connection;
  const isHere = baseUrl === undefined || isLoopback(new URL(baseUrl).hostname);
  const platform = sandbox || isHere ? undefined : policyHost(connection);
  const sender = { env, sandbox, platform };
  const lost = await ledger.guard.beginSending(sender);
  const warning = ledger.guard.takeWarning();
  if (warning) observer.warn(warning);
  if (lost) return { lost };
  const other = await ledger.guard.otherLedger(sender);
  if (other === undefined || platform === undefined) return { lost, ask: {} };
  return { lost, ask: { otherLedger: { location: ledger.location, other, platform } } };
}
