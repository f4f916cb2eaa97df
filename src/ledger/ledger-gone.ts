import { ProductError } from '../errors/product-error.js';

/** The ledger's server was away for longer than all patience, or what was asked of it has no answer. */
export class LedgerGone extends ProductError {}
