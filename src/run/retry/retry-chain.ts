import type { ClaimOptions } from '../../ledger/contract/execution.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { Run } from '../../ledger/contract/run.js';
import { scopeOf } from '../../ledger/rules/scopes.js';
import type { Connection } from '../../model/connection.js';
import type { Status } from '../../model/status.js';
import { operationOf, requireRun } from '../run-checks.js';
import { type RunSettings, unpackSettings } from '../settings.js';

/** Whether keys (or harmlessness) keep two runs with the same rows from carrying them out twice. */
export function keysPreventRepeats(run: Run): boolean {
  const operation = operationOf(run);
  const { job } = unpackSettings(run.settings);
  return operation.repeatable || (operation.key !== undefined && job.safety.duplicates !== 'send');
}

/** All runs that are bound to this one by retrying: what it retries, and whatever retried any of them; not itself. */
export async function retryChain(ledger: Ledger, run: Run): Promise<readonly Run[]> {
  let oldest = run;
  for (;;) {
    const parent = oldest.parent === undefined ? undefined : await ledger.runs.get(oldest.parent);
    // What a reconciliation carries out are runs of their own.
    if (parent?.kind !== 'run') break;
    oldest = parent;
  }
  const found: Run[] = [];
  const waiting = [oldest];
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    if (next.id !== run.id) found.push(next);
    waiting.push(...(await ledger.runs.children(next.id)).filter((it) => it.kind === 'run'));
  }
  return found;
}

/** Ids of the kin of a retry; none for other runs. */
export async function retryChainIds(
  ledger: Ledger,
  run: string,
  { retry }: RunSettings,
): Promise<ReadonlySet<string>> {
  if (!retry) return new Set();
  return new Set((await retryChain(ledger, await requireRun(ledger, run))).map((it) => it.id));
}

/**
 * Of its kin, those whose rows no key would keep the run from sending again: all where it has no keys to go by, else
 * those on other connections, which have keys of their own.
 */
export function chainWithoutKeys(run: Run, kin: readonly Run[], connection: Connection): readonly Run[] {
  if (operationOf(run).repeatable) return [];
  if (!keysPreventRepeats(run)) return kin;
  // Keys of a scope without a host hold for every host of its name.
  const scopes = new Set([scopeOf(connection), connection.name]);
  return kin.filter((it) => !scopes.has(it.scope));
}

const TAKEN: ReadonlySet<Status> = new Set(['succeeded', 'accepted', 'unknown']);

/** Rows that any of the runs got through or left unknown, each with the run. They all number the same input's rows. */
export async function rowsAlreadySent(
  ledger: Ledger,
  runs: readonly Run[],
  statuses: ReadonlySet<Status> = TAKEN,
): Promise<ReadonlyMap<number, string>> {
  const taken = new Map<number, string>();
  for (const { id } of runs) {
    for await (const page of ledger.report.rows(id, 'not_sent')) {
      for (const { row, status } of page) if (statuses.has(status)) taken.set(row, id);
    }
  }
  return taken;
}

/** The run whose unknown items may be sent again, where a retry includes them. */
export function releasedRun({ retry }: RunSettings): string | undefined {
  return retry && retry.unknown > 0 ? retry.parent : undefined;
}

/** Which items of a run may be sent although another item has their key. */
export async function claimOptions(
  ledger: Ledger,
  run: string,
  settings: RunSettings,
): Promise<ClaimOptions> {
  return {
    claim: settings.job.safety.duplicates !== 'send',
    over: releasedRun(settings),
    kin: await retryChainIds(ledger, run, settings),
  };
}
