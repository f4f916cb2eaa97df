import type { Message } from '../errors/message.js';
import type { Ledger } from '../ledger/contract/ledger.js';
import type { AppContext } from './context.js';
import { permitted } from './people/permit.js';

/**
 * Accepts that records of the ledger were lost, where they were; sending continues from then on.
 * @throws ProductError safety where the caller is not permitted to
 */
export async function acceptRestored(
  context: AppContext,
  ledger: Ledger,
): Promise<{ readonly location: string; readonly accepted?: Message }> {
  const { who } = await permitted(context, ledger, 'ledger_accept');
  const accepted = await ledger.guard.accept(context.env, who);
  return { location: ledger.location, ...(accepted ? { accepted } : {}) };
}
