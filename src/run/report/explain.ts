import type { Message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { RowResult } from '../../ledger/contract/report.js';
import type { Resolution } from '../../ledger/contract/resolutions.js';
import type { Run } from '../../ledger/contract/run.js';
import type { Undoing } from '../../ledger/contract/undoings.js';
import { timezoneOf } from '../../ledger/kept-settings.js';
import type { Status } from '../../model/status.js';
import { type LiveState, liveStateOf } from '../live-state.js';
import { operationOf, requireRow } from '../run-checks.js';
import { type RunSettings, unpackSettings } from '../settings.js';
import { outcomesInOtherRuns } from '../settle/other-runs.js';
import { isAnyVerifiable } from '../settle/verify-question.js';
import { hasSteps, stepRunsOf, stepsSettings } from '../step-runs.js';
import { type ExplainedLookup, explainedLookups } from './explained-lookups.js';
import { type ExplainedRequest, requestsOf } from './explained-requests.js';
import { heldByUnknown } from './held-rows.js';
import { nextForRow } from './next-for-row.js';
import { type SourceRow, sourceRow } from './source-row.js';
import { decidingStep, type ExplainedStep, explainSteps } from './steps/explain-steps.js';

/** What happened to one row, from the ledger and the kept copy of the input. */
export interface RowExplanation {
  readonly run: Run;
  /** Of the run's connection: texts for people use it. */
  readonly timezone: string;
  /** The run's state, as it is now. */
  readonly liveState: LiveState;
  readonly result: RowResult;
  readonly source: SourceRow;
  /** The batches that hold the row's items; empty when none of them was to be sent. */
  readonly requests: readonly ExplainedRequest[];
  readonly audit: readonly Resolution[];
  /** Fields that were looked up, with the answers that they came from. */
  readonly lookups: readonly ExplainedLookup[];
  /** Of a run of several steps: what each came to, in order. `requests` is empty then. */
  readonly steps?: readonly ExplainedStep[];
  /** What took its items back since, or may have. */
  readonly undone: readonly Undoing[];
  readonly next: Message;
}

/** @throws ProductError usage when the run has no such row, or was pruned. */
export async function explainRow(
  ledger: Ledger,
  run: Run,
  row: number,
  env?: NodeJS.ProcessEnv,
): Promise<RowExplanation> {
  if (hasSteps(run)) return explainStepsRow(ledger, run, row, env);
  const operation = operationOf(run);
  const story = await requireRow(ledger, run, row);
  const settings = unpackSettings(run.settings);
  const liveState = await liveStateOf(ledger, run);
  const holding = await statusThere(ledger, heldByUnknown(story.result));
  const verifiable = await isAnyVerifiable(operation, story.items);
  const undone = await ledger.undoings.ofRow(run.id, row);
  return {
    run,
    timezone: timezoneOf(run),
    liveState,
    result: story.result,
    source: await sourceRow(ledger, run, settings, row, env),
    requests: await requestsOf(ledger, run, story, operation, settings.connection),
    audit: await ledger.resolutions.list(run.id, row),
    lookups: await lookupsOf(ledger, run, { ...settings, env }, row),
    undone,
    next: nextForRow({
      run,
      undone,
      result: story.result,
      operation,
      verifiable,
      duplicates: settings.job.safety.duplicates,
      liveState,
      otherRuns: await outcomesInOtherRuns(ledger, run, row, story.items),
      holding,
    }),
  };
}

/** None where the input can't be read any more: the story says so. */
async function lookupsOf(
  ledger: Ledger,
  run: Run,
  settings: RunSettings & { readonly env: NodeJS.ProcessEnv | undefined },
  row: number,
): Promise<readonly ExplainedLookup[]> {
  return explainedLookups(ledger, run, settings, row).catch((error: unknown) => {
    if (error instanceof ProductError) return [];
    throw error;
  });
}

/** A row of a run of several steps: one story, whose next thing to do is that of the step which holds the row up. */
async function explainStepsRow(
  ledger: Ledger,
  run: Run,
  row: number,
  env: NodeJS.ProcessEnv | undefined,
): Promise<RowExplanation> {
  const settings = stepsSettings(run);
  const { result, steps } = await explainSteps(ledger, run, settings, row);
  const liveState = await liveStateOf(ledger, run);
  const deciding = decidingStep(steps);
  const undone: Undoing[] = [];
  for (const it of steps)
    if (it.run !== undefined) undone.push(...(await ledger.undoings.ofRow(it.run, row)));
  const lookups: ExplainedLookup[] = [];
  for (const it of await stepRunsOf(ledger, run)) {
    if (it.run)
      lookups.push(...(await lookupsOf(ledger, it.run, { ...unpackSettings(it.run.settings), env }, row)));
  }
  return {
    run,
    timezone: timezoneOf(run),
    liveState,
    result,
    source: await sourceRow(ledger, run, settings, row, env),
    requests: [],
    audit: [],
    lookups,
    steps,
    undone,
    next: nextForRow({
      run,
      undone,
      result: deciding.result,
      // Within a job of steps every item has a key, by its row's cells where the operation has none.
      operation: { ...deciding.operation, key: deciding.operation.key ?? [] },
      verifiable: await isAnyVerifiable(deciding.operation, deciding.items),
      duplicates: settings.job.safety.duplicates,
      liveState,
      // That another run got this step through says nothing of the steps after it; that it left it unknown does.
      otherRuns: await outcomesInOtherRuns(
        ledger,
        run,
        row,
        deciding.items.filter(({ holder }) => holder?.status === 'unknown'),
      ),
      holding: await statusThere(ledger, heldByUnknown(deciding.result)),
    }),
  };
}

/** The present status of the row that a skipped one waits for; undefined when it can't be told any more. */
async function statusThere(
  ledger: Ledger,
  there: ReturnType<typeof heldByUnknown>,
): Promise<Status | undefined> {
  const run = there && (await ledger.runs.get(there.run));
  if (!there || !run || run.prunedAt !== undefined) return undefined;
  return (await ledger.report.row(run.id, there.row))?.result.status;
}
