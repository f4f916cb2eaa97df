import { type Message, message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { RowResult } from '../../ledger/contract/report.js';
import type { Resolution } from '../../ledger/contract/resolutions.js';
import type { RevertedBy } from '../../ledger/contract/reversals.js';
import type { Run } from '../../ledger/contract/runs.js';
import { timezoneOf } from '../../ledger/stored-settings.js';
import type { Status } from '../../model/status.js';
import { cellAddress } from '../../util/spreadsheet-text.js';
import { rowsAsRead } from '../input/input-reading.js';
import { type OpenedInput, openKeptInput } from '../input/opened-input.js';
import { type LiveState, liveStateOf } from '../live-state.js';
import { outcomesInOtherRuns } from '../resolve/other-runs.js';
import { isAnyVerifiable } from '../resolve/verify-items.js';
import { operationOf, requireRow } from '../run-checks.js';
import { type RunSettings, type StepsSettings, unpackSettings } from '../settings.js';
import { hasSteps, stepRunsOf, stepsSettings } from '../step-runs.js';
import { type CorrectionView, CorrectionViews } from './corrected-cells.js';
import { decidingStep, type ExplainedStep, explainSteps } from './explain-steps.js';
import { type ExplainedLookup, explainedLookups } from './explained-lookups.js';
import { type ExplainedRequest, requestsOf } from './explained-requests.js';
import { nextForRow } from './next-for-row.js';
import { heldByUnknown } from './row-results.js';

/** The history of one row, from the ledger and the stored input. */
export interface RowExplanation {
  readonly run: Run;
  /** Time zone of the run's connection, for texts. */
  readonly timezone: string;
  /** The run's current state. */
  readonly liveState: LiveState;
  readonly result: RowResult;
  readonly source: SourceRow;
  /** The batches that contain the row's items; empty if none of them was to be sent. */
  readonly requests: readonly ExplainedRequest[];
  readonly audit: readonly Resolution[];
  /** Looked-up fields, with the replies that they came from. */
  readonly lookups: readonly ExplainedLookup[];
  /** For a run of several steps: the outcome of each step, in order. `requests` is empty then. */
  readonly steps?: readonly ExplainedStep[];
  /** What has reverted its items since, or may have. */
  readonly undone: readonly RevertedBy[];
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
  const holderStatus = await statusThere(ledger, heldByUnknown(story.result));
  const verifiable = await isAnyVerifiable(operation, story.items);
  const undone = await ledger.reversals.ofRow(run.id, row);
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
      holding: holderStatus,
    }),
  };
}

/** Empty if the input can no longer be read; the explanation reports this. */
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

/** A row of a run of several steps. The next action is that of the step that blocks the row. */
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
  const undone: RevertedBy[] = [];
  for (const step of steps)
    if (step.run !== undefined) undone.push(...(await ledger.reversals.ofRow(step.run, row)));
  const lookups: ExplainedLookup[] = [];
  for (const { run: part } of await stepRunsOf(ledger, run)) {
    if (part)
      lookups.push(...(await lookupsOf(ledger, part, { ...unpackSettings(part.settings), env }, row)));
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
      // In a job of steps every item has a key: the row's cells if the operation has none.
      operation: { ...deciding.operation, key: deciding.operation.key ?? [] },
      verifiable: await isAnyVerifiable(deciding.operation, deciding.items),
      duplicates: settings.job.safety.duplicates,
      liveState,
      // Success of this step in another run says nothing about later steps; an unknown outcome does matter.
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

/** The current status of the row that blocks a skipped row; undefined if it can no longer be determined. */
async function statusThere(
  ledger: Ledger,
  holder: ReturnType<typeof heldByUnknown>,
): Promise<Status | undefined> {
  const run = holder && (await ledger.runs.get(holder.run));
  if (!holder || !run || run.prunedAt !== undefined) return undefined;
  return (await ledger.report.row(run.id, holder.row))?.result.status;
}

/** A row of a run as in its sheet. */
type SourceRow =
  | {
      readonly kind: 'cells';
      readonly sheet: string;
      /** As the run read them. */
      readonly cells: readonly SourceCell[];
      /** The corrected cells among them. */
      readonly corrected: readonly CorrectionView[];
    }
  /** The copy is missing or was altered. */
  | { readonly kind: 'gone'; readonly reason: Message };

export interface SourceCell {
  readonly header: string;
  readonly address: string;
  /** As displayed in the sheet; '' when empty. */
  readonly text: string;
}

/** Reads a row again from the stored input. `gone` if that cannot be opened, for example without its password. */
async function sourceRow(
  { inputs }: Ledger,
  run: Run,
  settings: RunSettings | StepsSettings,
  rowNumber: number,
  env: NodeJS.ProcessEnv | undefined,
): Promise<SourceRow> {
  let input: OpenedInput;
  try {
    input = await openKeptInput(inputs, run, settings, env);
  } catch (error) {
    if (!(error instanceof ProductError)) throw error;
    return { kind: 'gone', reason: error.detail };
  }
  const { source, table } = input;
  const correctionViews = await CorrectionViews.of(inputs, settings, input);
  try {
    const { main } = await rowsAsRead(settings.job, settings.connection, input);
    for await (const rows of main()) {
      for (const row of rows) {
        if (row.number !== rowNumber) continue;
        const cells = table.headers.map(({ column, text }) => {
          const cell = row.cell(column);
          return {
            header: text,
            address: cell ? cellAddress(column, rowNumber) : '',
            text: cell?.text ?? '',
          };
        });
        return { kind: 'cells', sheet: table.sheet.name, cells, corrected: correctionViews.of(rowNumber) };
      }
    }
  } finally {
    await source.close();
  }
  const params = { row: rowNumber, file: run.inputFile };
  return { kind: 'gone', reason: message('run.row_unaccounted', params) };
}
