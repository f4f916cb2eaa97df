import type { Ledger } from '../contract/ledger.js';
import type { LedgerFacts } from '../contract/upkeep.js';

export interface ShownLedger extends LedgerFacts {
  /** For people: where it lies, without a password. */
  readonly location: string;
  readonly runs: number;
  /** Those that were heard of lately; absent where runs are carried by whoever starts them. */
  readonly workers?: number;
}

/** What there is to say of a ledger as a whole. */
export async function showLedger({ location, upkeep, queue }: Ledger): Promise<ShownLedger> {
  const [counted] = await upkeep.read<{ runs: number }>('SELECT count(*) AS runs FROM runs');
  const workers = await queue?.workers();
  return {
    location,
    ...(await upkeep.facts()),
    runs: counted?.runs ?? 0,
    ...(workers ? { workers: workers.length } : {}),
  };
}
