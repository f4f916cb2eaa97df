import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Ledger } from '../../ledger/contract/ledger.js';

/** A copy that was just laid down may belong to a run that isn't in the ledger yet. */
const SETTLED_MS = 3_600_000;

/**
 * Removes the kept copies of inputs that only pruned runs were made from: they hold the same personal data.
 * Gives how many were removed. `now`: milliseconds since 1970.
 */
export async function pruneInputs(ledger: Ledger, stateFolder: string, now: number): Promise<number> {
  const needed = new Set<string>();
  const pruned = new Set<string>();
  for (const run of await ledger.runs.list(Number.MAX_SAFE_INTEGER)) {
    (run.prunedAt === undefined ? needed : pruned).add(run.inputSha256);
  }
  const folder = path.join(stateFolder, 'inputs');
  let removed = 0;
  for (const name of await readdir(folder).catch(() => [])) {
    if (!pruned.has(name) || needed.has(name)) continue;
    const copy = path.join(folder, name);
    if (now - (await stat(copy)).mtimeMs < SETTLED_MS) continue;
    await rm(copy, { recursive: true, force: true });
    removed += 1;
  }
  return removed;
}
