import type { Ledger } from '../../ledger/contract/ledger.js';
import type { RowStory } from '../../ledger/contract/report.js';
import type { Run } from '../../ledger/contract/run.js';
import { type Status, WENT_THROUGH, worstOfSteps } from '../../model/status.js';
import { retryChain } from '../retry-chain.js';
import { hasSteps, stepRunsOf } from '../step-runs.js';

/** The same row or item in another run. */
interface OtherOutcome {
  readonly run: string;
  readonly row: number;
  readonly status: Status;
}

/** A row's outcomes in other runs. */
export interface OtherOutcomes {
  /** A run that carried it out. */
  readonly through?: OtherOutcome;
  /** A run that left it unknown. */
  readonly doubted?: OtherOutcome;
}

/**
 * What became of a row in other runs: in the run whose item holds its key, in the retry chain (which numbers the same
 * rows), and in later runs of the job over the same input. In other inputs, rows are recognised only by their keys.
 */
export async function outcomesInOtherRuns(
  ledger: Ledger,
  run: Run,
  row: number,
  items?: readonly Pick<RowStory['items'][number], 'holder'>[],
): Promise<OtherOutcomes> {
  const found: OtherOutcome[] = [];
  const own = items ?? (await ledger.report.row(run.id, row))?.items ?? [];
  for (const { holder } of own) if (holder) found.push(holder);
  for (const other of await sameRows(ledger, run)) {
    const statuses: Status[] = [];
    for (const { id } of await partsOf(ledger, other)) {
      const status = (await ledger.report.row(id, row))?.result.status;
      if (status !== undefined) statuses.push(status);
    }
    if (statuses.length > 0) found.push({ run: other.id, row, status: worstOfSteps(statuses) });
  }
  const through = found.find((it) => WENT_THROUGH.has(it.status));
  const doubted = found.find((it) => it.status === 'unknown');
  return {
    through: through && shown(through),
    doubted: doubted && shown(doubted),
  };
}

function shown({ run, row, status }: OtherOutcome): OtherOutcome {
  return { run, row, status };
}

/** The runs that have the rows of a run: itself, or those of its steps. */
async function partsOf(ledger: Ledger, run: Run): Promise<readonly Run[]> {
  if (!hasSteps(run)) return [run];
  return (await stepRunsOf(ledger, run)).flatMap((it) => it.run ?? []);
}

/** Runs whose rows have the same numbers as this one's. */
async function sameRows(ledger: Ledger, run: Run): Promise<readonly Run[]> {
  const chain = await retryChain(ledger, run);
  const { job, connection, scope, inputSha256 } = run;
  const others = await ledger.runs.listOf({ job, connection, scope, inputSha256 });
  const later = others.filter((it) => it.operation === run.operation && it.startedAt > run.startedAt);
  const all = new Map([...chain, ...later].map((it) => [it.id, it]));
  all.delete(run.id);
  return [...all.values()].filter((it) => it.kind === 'run' && it.prunedAt === undefined);
}
