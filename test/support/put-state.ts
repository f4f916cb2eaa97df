import { DatabaseSync } from '@photostructure/sqlite';
import type { RunState } from '../../src/ledger/contract/run.js';

/** Makes a run look as if its process had been killed in a state; the ledger itself lets no finished run go back. */
export function putState(ledger: { readonly location: string }, run: string, state: RunState): void {
  const db = new DatabaseSync(ledger.location, { timeout: 5000 });
  db.prepare('UPDATE runs SET state = ?, ended_at = NULL, exit_code = NULL WHERE name = ?').run(state, run);
  db.close();
}
