import path from 'node:path';
import { ProductError } from '../errors/product-error.js';
import { loadConnections } from '../job/connections.js';
import type { WorkerListing } from '../ledger/contract/queue.js';
import { NEEDS_PROCESS } from '../ledger/rules/run-states.js';
import type { AppContext } from './context.js';
import { withQueue } from './team.js';

/** A worker, by the database's clock. */
export interface ListedWorker extends WorkerListing {
  /** How long ago it was last heard of, in milliseconds. */
  readonly silentMs: number;
}

export interface WorkersListed {
  readonly workers: readonly ListedWorker[];
  /** Runs in the queue with no worker at them: none has begun yet, or those that did have left or died. */
  readonly waiting: readonly string[];
}

/** Runs that are looked through for those that wait. */
const LOOKED_AT = 200;
/** Leases are renewed every third of their time; within two of them a dead worker's are taken over. */
const DEAD_AFTER_LEASES = 2;

/** `workers`: who is there, and what they carry. */
export function listWorkers(context: AppContext): Promise<WorkersListed> {
  const { env, cwd } = context;
  return withQueue('workers', context, async (ledger, queue): Promise<WorkersListed> => {
    const [found, now] = [await queue.workers(), await queue.now()];
    const workers = found.map((it) => ({ ...it, silentMs: Math.max(0, now - it.heardOf) }));
    const { workerLeaseMs } = await loadConnections(path.join(cwd, 'license-sync.yaml'), { env, cwd });
    const alive = workers.filter(({ silentMs }) => silentMs < workerLeaseMs * DEAD_AFTER_LEASES);
    const carried = new Set(alive.flatMap(({ runs }) => runs));
    const waiting: string[] = [];
    for (const { id, state, job, scope } of await ledger.runs.list(LOOKED_AT)) {
      if (!NEEDS_PROCESS.includes(state) || carried.has(id)) continue;
      if ((await queue.carrying(job, scope)).includes(id)) waiting.push(id);
    }
    return { workers, waiting };
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
