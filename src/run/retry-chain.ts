import type { ClaimOptions } from '../ledger/contract/execution.js';
import type { Ledger } from '../ledger/contract/ledger.js';
import type { Run } from '../ledger/contract/runs.js';
import { scopeOf, sharesKeys } from '../ledger/rules/scopes.js';
import type { Connection } from '../model/connection.js';
import type { JobSafety } from '../model/job.js';
import type { Operation } from '../model/operation.js';
import type { Status } from '../model/status.js';
import { reportRows } from './report/row-results.js';
import { operationOf, requireRun } from './run-checks.js';
import { type RunSettings, unpackSettings } from './settings.js';
import { hasSteps } from './step-runs.js';

/** True when an item that is sent again would be executed twice, because no key prevents it. */
export function repeatsHarm(
  operation: Pick<Operation, 'repeatable' | 'key'>,
  duplicates: JobSafety['duplicates'],
): boolean {
  return !operation.repeatable && (operation.key === undefined || duplicates === 'send');
}

/** True if two runs with the same rows cannot execute them twice: keys prevent it, or a repeat is safe. */
export function keysPreventRepeats(run: Run): boolean {
  const { duplicates } = unpackSettings(run.settings).job.safety;
  // In a run of several steps every row has a key.
  if (hasSteps(run)) return duplicates !== 'send';
  return !repeatsHarm(operationOf(run), duplicates);
}

/** The other runs in this run's retry chain: its ancestors and every retry of them. */
export async function retryChain(ledger: Ledger, run: Run): Promise<readonly Run[]> {
  let oldest = run;
  for (;;) {
    const parent = oldest.parent === undefined ? undefined : await ledger.runs.get(oldest.parent);
    // Runs of a reconciliation's actions are not retries of it, and step runs are not retries of the whole run.
    if (parent?.kind !== 'run' || oldest.step !== undefined) break;
    oldest = parent;
  }
  const found: Run[] = [];
  const waiting = [oldest];
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    if (next.id !== run.id) found.push(next);
    waiting.push(...(await ledger.runs.children(next.id)).filter(isRetry));
  }
  return found;
}

function isRetry({ kind, step }: Run): boolean {
  return kind === 'run' && step === undefined;
}

/** The ids of a retry's chain; none for other runs. */
async function retryChainIds(
  ledger: Ledger,
  run: string,
  { retry }: RunSettings,
): Promise<ReadonlySet<string>> {
  if (!retry) return new Set();
  const current = await requireRun(ledger, run);
  if (current.step === undefined) return new Set((await retryChain(ledger, current)).map(({ id }) => id));
  // A row's result in a step belongs to that step's run.
  const chain = await retryChain(ledger, await requireRun(ledger, current.parent ?? run));
  const steps: string[] = [];
  for (const { id } of chain) {
    for (const child of await ledger.runs.children(id)) if (child.step !== undefined) steps.push(child.id);
  }
  return new Set(steps);
}

/**
 * The runs of the chain whose rows no key prevents this run from sending again: all of them if the operation has no
 * usable keys, otherwise those on other platforms, which have separate keys.
 */
export function chainWithoutKeys(run: Run, chain: readonly Run[], connection: Connection): readonly Run[] {
  if (operationOf(run).repeatable) return [];
  if (!keysPreventRepeats(run)) return chain;
  return chain.filter((run) => !sharesKeys(scopeOf(connection), run.scope, connection.name));
}

const SENT_OR_UNKNOWN: ReadonlySet<Status> = new Set(['succeeded', 'accepted', 'unknown']);

/** Rows that one of the runs sent or left unknown, each with the run. All runs have the same input. */
export async function rowsAlreadySent(
  ledger: Ledger,
  runs: readonly Run[],
  statuses: ReadonlySet<Status> = SENT_OR_UNKNOWN,
): Promise<ReadonlyMap<number, string>> {
  const sent = new Map<number, string>();
  for (const run of runs) {
    for await (const page of reportRows(ledger, run)) {
      for (const { row, status } of page) if (statuses.has(status)) sent.set(row, run.id);
    }
  }
  return sent;
}

/** The run whose unknown items may be sent again, if a retry includes them. */
function releasedRun({ retry }: RunSettings): string | undefined {
  return retry && retry.unknown > 0 ? retry.parent : undefined;
}

/** The items of a run that may be sent although another item has their key. */
export async function claimOptions(
  ledger: Ledger,
  run: string,
  settings: RunSettings,
): Promise<ClaimOptions> {
  return {
    claim: settings.job.safety.duplicates !== 'send',
    releasedRun: releasedRun(settings),
    neverFrom: await retryChainIds(ledger, run, settings),
  };
}
