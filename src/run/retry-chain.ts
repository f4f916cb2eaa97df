import type { ClaimOptions } from '../ledger/contract/execution.js';
import type { Ledger } from '../ledger/contract/ledger.js';
import type { Run } from '../ledger/contract/run.js';
import { scopeOf, sharesKeys } from '../ledger/rules/scopes.js';
import type { Connection } from '../model/connection.js';
import type { JobSafety } from '../model/job.js';
import type { Operation } from '../model/operation.js';
import type { Status } from '../model/status.js';
import { reportRows } from './report/steps/steps-rows.js';
import { operationOf, requireRun } from './run-checks.js';
import { type RunSettings, unpackSettings } from './settings.js';
import { hasSteps } from './step-runs.js';

/** True when an item that is sent again would be carried out twice: no key keeps it from that. */
export function repeatsHarm(
  operation: Pick<Operation, 'repeatable' | 'key'>,
  duplicates: JobSafety['duplicates'],
): boolean {
  return !operation.repeatable && (operation.key === undefined || duplicates === 'send');
}

/** True when two runs with the same rows can't carry them out twice: keys prevent it, or a repeat does no harm. */
export function keysPreventRepeats(run: Run): boolean {
  const { duplicates } = unpackSettings(run.settings).job.safety;
  // In steps every row has a key.
  if (hasSteps(run)) return duplicates !== 'send';
  return !repeatsHarm(operationOf(run), duplicates);
}

/** The other runs in this run's retry chain: its ancestors and every retry of them. */
export async function retryChain(ledger: Ledger, run: Run): Promise<readonly Run[]> {
  let oldest = run;
  for (;;) {
    const parent = oldest.parent === undefined ? undefined : await ledger.runs.get(oldest.parent);
    // The runs of a reconciliation's actions are no retries of it, and those of steps none of their whole.
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
  const own = await requireRun(ledger, run);
  if (own.step === undefined) return new Set((await retryChain(ledger, own)).map((it) => it.id));
  // What a row got in any step of the chain stands with that step's run.
  const chain = await retryChain(ledger, await requireRun(ledger, own.parent ?? run));
  const steps: string[] = [];
  for (const { id } of chain) {
    for (const it of await ledger.runs.children(id)) if (it.step !== undefined) steps.push(it.id);
  }
  return new Set(steps);
}

/**
 * The runs of the chain whose rows no key would keep this run from sending again: all of them if the operation has no
 * usable keys, otherwise those on other platforms, which have keys of their own.
 */
export function chainWithoutKeys(run: Run, chain: readonly Run[], connection: Connection): readonly Run[] {
  if (operationOf(run).repeatable) return [];
  if (!keysPreventRepeats(run)) return chain;
  return chain.filter((it) => !sharesKeys(scopeOf(connection), it.scope, connection.name));
}

const TAKEN: ReadonlySet<Status> = new Set(['succeeded', 'accepted', 'unknown']);

/**
 * Rows that one of the runs carried out or left unknown, each with the run. All of them number the same input's rows.
 */
export async function rowsAlreadySent(
  ledger: Ledger,
  runs: readonly Run[],
  statuses: ReadonlySet<Status> = TAKEN,
): Promise<ReadonlyMap<number, string>> {
  const taken = new Map<number, string>();
  for (const run of runs) {
    for await (const page of reportRows(ledger, run)) {
      for (const { row, status } of page) if (statuses.has(status)) taken.set(row, run.id);
    }
  }
  return taken;
}

/** The run whose unknown items may be sent again, where a retry includes them. */
function releasedRun({ retry }: RunSettings): string | undefined {
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
    releasedRun: releasedRun(settings),
    neverFrom: await retryChainIds(ledger, run, settings),
  };
}
