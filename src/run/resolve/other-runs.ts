import type { Ledger } from '../../ledger/contract/ledger.js';
import type { RowStory } from '../../ledger/contract/report.js';
import type { Run } from '../../ledger/contract/runs.js';
import { type Status, WENT_THROUGH, worstOfSteps } from '../../model/status.js';
import { retryChain } from '../retry-chain.js';
import { itemRunsOf } from '../step-runs.js';

/** The same row or item in another run. */
interface OtherOutcome {
  readonly run: string;
  readonly row: number;
  readonly status: Status;
}

/** A row's outcomes in other runs. */
export interface OtherOutcomes {
  /** A run that sent the row successfully. */
  readonly sent?: OtherOutcome;
  /** A run that left it unknown. */
  readonly unknown?: OtherOutcome;
}

/**
 * The outcomes of a row in other runs: in the run whose item has its key, in the retry chain (with the same row
 * numbers), and in later runs of the job with the same input. In other inputs, rows are recognised only by their keys.
 */
export async function outcomesInOtherRuns(
  ledger: Ledger,
  run: Run,
  row: number,
  items?: readonly Pick<RowStory['items'][number], 'holder'>[],
): Promise<OtherOutcomes> {
  const found: OtherOutcome[] = [];
  const rowItems = items ?? (await ledger.report.row(run.id, row))?.items ?? [];
  for (const { holder } of rowItems) if (holder) found.push(holder);
  for (const otherRun of await sameRows(ledger, run)) {
    const statuses: Status[] = [];
    for (const { id } of await itemRunsOf(ledger, otherRun)) {
      const status = (await ledger.report.row(id, row))?.result.status;
      if (status !== undefined) statuses.push(status);
    }
    if (statuses.length > 0) found.push({ run: otherRun.id, row, status: worstOfSteps(statuses) });
  }
  const sent = found.find((outcome) => WENT_THROUGH.has(outcome.status));
  const unknown = found.find((outcome) => outcome.status === 'unknown');
  return { sent: sent && shown(sent), unknown: unknown && shown(unknown) };
}

function shown({ run, row, status }: OtherOutcome): OtherOutcome {
  return { run, row, status };
}

/** Runs whose rows have the same numbers as this one's. */
async function sameRows(ledger: Ledger, run: Run): Promise<readonly Run[]> {
  const chain = await retryChain(ledger, run);
  const { job, connection, scope, inputSha256 } = run;
  const others = await ledger.runs.listOf({ job, connection, scope, inputSha256 });
  const later = others.filter((it) => it.operation === run.operation && it.startedAt > run.startedAt);
  const all = new Map([...chain, ...later].map((related) => [related.id, related]));
  all.delete(run.id);
  return [...all.values()].filter((related) => related.kind === 'run' && related.prunedAt === undefined);
}
