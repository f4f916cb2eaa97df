import type { RunState } from '../../src/ledger/contract/runs.js';
import type { LedgerPlace } from './ledgers.js';

/** Makes a run look as if its process had been killed in a state; the ledger itself lets no finished run go back. */
export async function putState(place: Pick<LedgerPlace, 'ask'>, run: string, state: RunState): Promise<void> {
  await place.ask(
    `UPDATE runs SET state = '${state}', ended_at = NULL, exit_code = NULL WHERE name = '${run}'`,
  );
}
