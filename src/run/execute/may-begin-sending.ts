import type { Message } from '../../errors/message.js';
import { onPlatform, shownPlatform } from '../../ledger/rules/scopes.js';
import type { Connection } from '../../model/connection.js';
import { isLoopback } from '../../util/loopback.js';
import type { RunServices } from '../run-context.js';
import type { SendQuestion } from './consent.js';

/** Why nothing may be sent; otherwise what a person must be asked. */
type MayBegin =
  | { readonly lost: Message }
  | {
      readonly lost: undefined;
      readonly ask: Pick<SendQuestion, 'otherLedger'>;
      /** Called once nothing is left to be confirmed: the ledger is not new to the platform any more. */
      readonly begin: () => void;
    };

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
  const to = sandbox || isHere ? undefined : onPlatform(connection);
  const sender = { env, sandbox, to };
  const lost = await ledger.guard.beginSending(sender);
  const warning = ledger.guard.takeWarning();
  if (warning) observer.warn(warning);
  if (lost) return { lost };
  const other = await ledger.guard.otherLedger(sender);
  const begin = (): void => (to ? ledger.guard.sendsTo(to) : undefined);
  if (other === undefined) return { lost, ask: {}, begin };
  const platform = shownPlatform(connection);
  return { lost, ask: { otherLedger: { location: ledger.location, other, platform } }, begin };
}
