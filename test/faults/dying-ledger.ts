import type { Ledger } from '../../src/ledger/contract/ledger.js';
import { instead } from '../support/instead.js';

/** A ledger for a program that dies: it takes intents, but never what an attempt came to. */
export function dyingLedger(ledger: Ledger): Ledger {
  const close = (): Promise<never> => Promise.reject(new Error('the program died'));
  return instead(ledger, { execution: instead(ledger.execution, { close }) });
}
