import { Worker } from 'node:worker_threads';
import { arrived } from '../../errors/carried-error.js';
import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { Ledger } from '../contract.js';
import type { Answered, Opened } from './calls.js';
import { RemoteLedger } from './remote.js';

/** What is asked and answered is gone at once; with more room its garbage would only lie about for longer. */
const YOUNG_MB = 6;

/**
 * Opens the ledger in a thread of its own, so that the disk's time is not the client's: commits go on while requests
 * and rows are worked on. All promises of the contract hold as they do without the thread.
 * @throws ProductError as `openLedger` does.
 */
export async function openLedgerThread(location: string): Promise<Ledger> {
  const worker = new Worker(new URL('./worker.js', import.meta.url), {
    workerData: location,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  });
  let ledger: RemoteLedger | undefined;
  const opened = new Promise<Opened>((resolve, reject) => {
    worker.on('message', (said: Opened | readonly Answered[]) => {
      if (ledger) ledger.receive(said as readonly Answered[]);
      else resolve(said as Opened);
    });
    const lost = (reason: unknown): void => {
      const text = reason instanceof Error ? reason.message : String(reason);
      const params = { location, reason: text };
      const error = new ProductError('internal', message('ledger.write_failed', params), { cause: reason });
      reject(error);
      ledger?.lost(error);
    };
    worker.once('error', lost);
    worker.once('exit', () => lost('its thread ended'));
  });
  const first = await opened;
  if ('error' in first) {
    await worker.terminate();
    throw arrived(first.error);
  }
  ledger = new RemoteLedger(first.location, worker, () => worker.terminate());
  return ledger;
}
