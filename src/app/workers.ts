import { ProductError } from '../errors/product-error.js';
import type { WorkerListing } from '../ledger/contract/queue.js';
import type { AppContext } from './context.js';
import { withQueue } from './team.js';

/** A worker, by the database's clock. */
export interface ListedWorker extends WorkerListing {
  /** How long ago it was last heard of, in milliseconds. */
  readonly silentMs: number;
}

export interface WorkersListed {
  readonly workers: readonly ListedWorker[];
  /** Runs that wait, with no worker at them yet. */
  readonly waiting: readonly string[];
}

/** Runs that are looked through for those that wait. */
const LOOKED_AT = 200;

/** `workers`: who is there, and what they carry. */
export function listWorkers(context: AppContext): Promise<WorkersListed> {
  return withQueue('workers', context, async (ledger, queue): Promise<WorkersListed> => {
    const [found, now] = [await queue.workers(), await queue.now()];
    const workers = found.map((it) => ({ ...it, silentMs: Math.max(0, now - it.heardOf) }));
    const carried = new Set(found.flatMap(({ runs }) => runs));
    const waiting = (await ledger.runs.list(LOOKED_AT)).filter(
      ({ id, state }) => state === 'queued' && !carried.has(id),
    );
    return { workers, waiting: waiting.map(({ id }) => id) };
  }).catch((error: unknown) => {
    // Where nothing was ever queued there is nobody.
    if (error instanceof ProductError && error.code === 'ledger.none_there')
      return { workers: [], waiting: [] };
    throw error;
  });
}

/** The workers as plain data, for `--json` and programs. */
export function workersData({ workers }: WorkersListed) {
  return workers.map(({ name, host, process, slots, connections, runs, heardOf }) => ({
    name,
    host,
    process,
    slots,
    connections,
    runs,
    heardOf: new Date(heardOf).toISOString(),
  }));
}
