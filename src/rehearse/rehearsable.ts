import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { Run } from '../ledger/contract/run.js';
import { refusePruned } from '../run/run-checks.js';
import { unpackAny } from '../run/settings.js';

/**
 * Whether a run of the ledger can be rehearsed: a kept plan that was made from a sheet, all of it. What a retry or a revert
 * would do follows from what other runs did, which a sandbox doesn't know.
 */
export function isRehearsable({ kind, step, settings }: Pick<Run, 'kind' | 'step' | 'settings'>): boolean {
  if (kind !== 'plan' || step !== undefined) return false;
  const { job, retry } = unpackAny(settings);
  return !retry && !job.undoes;
}

/** @throws ProductError usage */
export function refuseUnrehearsable(run: Run): void {
  refusePruned(run);
  if (!isRehearsable(run)) throw new ProductError('usage', message('rehearse.not_alone', { run: run.id }));
}
