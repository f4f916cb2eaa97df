import type { Ledger } from '../contract/ledger.js';
import type { LedgerFacts } from '../contract/upkeep.js';

export interface ShownLedger extends LedgerFacts {
  /** For users, without a password. */
  readonly location: string;
  readonly runs: number;
  /** The ledger that it was copied to; it is closed then. */
  readonly closedTo?: string;
  /** Number of workers with a recent heartbeat; absent if the ledger has no queue. */
  readonly workers?: number;
}

/** Summary of a ledger. */
export async function showLedger({ location, upkeep, queue, guard }: Ledger): Promise<ShownLedger> {
  const [counted] = await upkeep.read<{ runs: number }>('SELECT count(*) AS runs FROM runs');
  const workers = await queue?.workers();
  const closedTo = await guard.closedTo();
  return {
    location,
    ...(await upkeep.facts()),
    runs: counted?.runs ?? 0,
    ...(closedTo === undefined ? {} : { closedTo }),
    ...(workers ? { workers: workers.length } : {}),
  };
}
