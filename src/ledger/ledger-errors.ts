import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';

/** The ledger was closed when it was copied: it can be read but not written. */
export class LedgerClosed extends ProductError {
  /**
   * @param to the ledger that it was copied to
   * @param kind `safety` for a run that is sending, because part of it may have been sent
   */
  constructor(location: string, to: string, kind: 'usage' | 'safety' = 'usage') {
    super(kind, message('ledger.closed', { location, to }));
  }
}

/** The ledger's server was unavailable for longer than the wait time, or a statement has no reply. */
export class LedgerUnavailable extends ProductError {}
