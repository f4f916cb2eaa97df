import type { Ledger } from '../../ledger/contract/ledger.js';
import type { RowResult, RowStory } from '../../ledger/contract/report.js';
import type { Resolution } from '../../ledger/contract/resolutions.js';
import type { Run } from '../../ledger/contract/runs.js';
import type { FromLeaf, MapBranch, MapNode } from '../../model/map.js';
import { type Operation, shownPath } from '../../model/operation.js';
import { STATUSES, type Status, statusPosition } from '../../model/status.js';
import { noSuchRow, refusePruned } from '../run-checks.js';
import type { StepsSettings } from '../settings.js';
import { type StepRun, stepRunsOf } from '../step-runs.js';
import { type ExplainedRequest, givenRequests, requestsOf } from './explained-requests.js';
import {
  heldByUnknown,
  pendingAs,
  resultText,
  type StepPart,
  type StepsRow,
  stepsRow,
} from './row-results.js';
import { stepColumns } from './steps-form.js';

/** The outcome of a row in one step. */
export interface ExplainedStep {
  readonly name: string;
  readonly operation: Operation;
  /** The step run; absent if the whole run ended before it. */
  readonly run?: string;
  readonly result: RowResult;
  readonly requests: readonly ExplainedRequest[];
  readonly items: RowStory['items'];
  /** Values of its request that come from earlier steps. */
  readonly taken: readonly TakenResult[];
  readonly returned: readonly { readonly name: string; readonly value: string }[];
  readonly audit: readonly Resolution[];
}

export interface TakenResult {
  /** Wire path of the request's field. */
  readonly field: string;
  /** `customer.customerId` */
  readonly from: string;
  /** Absent if that step has returned nothing for the row. */
  readonly value?: string;
  /** Not known yet: the request has a placeholder for it while all steps are checked. */
  readonly given?: true;
}

/**
 * The outcomes of a row in all steps of a run.
 * @throws ProductError usage when no step has the row, or the run was pruned
 */
export async function explainSteps(
  ledger: Ledger,
  run: Run,
  { job, connection }: StepsSettings,
  row: number,
): Promise<{ readonly result: StepsRow; readonly steps: readonly ExplainedStep[] }> {
  refusePruned(run);
  const runs = await stepRunsOf(ledger, run);
  const columns = stepColumns(job);
  const stories = await Promise.all(runs.map((it) => it.run && ledger.report.row(it.run.id, row)));
  if (stories.every((it) => it === undefined)) throw await noSuchRow(ledger, run, row, runs[0]?.run?.id);
  const pending = pendingAs(run);
  const parts: (StepPart | undefined)[] = [];
  for (const [index, story] of stories.entries()) {
    const part = runs[index]!.run;
    const needsRecords = (columns[index]?.ofRecords.size ?? 0) > 0;
    parts.push(
      part &&
        story &&
        (needsRecords ? ((await withRecords(ledger, part, row)) ?? story.result) : story.result),
    );
  }
  const steps: ExplainedStep[] = [];
  for (const [index, { step, operation, run: stepRun }] of runs.entries()) {
    const story = stories[index];
    const part = parts[index];
    const { results = [], ofRecords = new Set<string>() } = columns[index] ?? {};
    steps.push({
      name: step.name,
      operation,
      run: stepRun?.id,
      result: part ?? { row, status: pending, messages: [], faults: [], attempts: 0, columns: {} },
      requests:
        stepRun && story
          ? [
              ...(await requestsOf(ledger, stepRun, story, operation, connection)),
              ...givenRequests(stepRun, story, operation, connection),
            ]
          : [],
      items: story?.items ?? [],
      taken: takenBy(step.map, operation, runs, parts),
      returned: results.flatMap((name) => {
        const value = part && resultText(part, name, ofRecords.has(name));
        return value === undefined ? [] : [{ name, value }];
      }),
      audit: stepRun ? await ledger.resolutions.list(stepRun.id, row) : [],
    });
  }
  const names = runs.map(({ step }) => step.name);
  return { result: stepsRow(row, parts, names, pending), steps };
}

/** The step that determines the next action for a row: an invalid or waiting step before all others. */
export function decidingStep(steps: readonly ExplainedStep[]): ExplainedStep {
  return (
    steps.find(({ result }) => result.status === 'invalid') ??
    steps.find(({ result }) => heldByUnknown(result)) ??
    steps[statusPosition(steps.map(({ result }) => result.status))]!
  );
}

async function withRecords(ledger: Ledger, run: Run, row: number): Promise<StepPart | undefined> {
  // A check has no records, and `gains` gives its rows other statuses.
  if (run.kind !== 'run') return undefined;
  for await (const page of ledger.report.gains(run.id)) {
    if ((page.at(-1)?.row ?? 0) >= row) return page.find((gain) => gain.row === row);
  }
  return undefined;
}

function takenBy(
  map: MapBranch | undefined,
  operation: Operation,
  runs: readonly StepRun[],
  parts: readonly (StepPart | undefined)[],
): readonly TakenResult[] {
  return fromLeaves(map, []).map(({ path, leaf }) => {
    const index = runs.findIndex(({ step }) => step.name === leaf.step);
    const part = parts[index];
    const value = part && resultText(part, leaf.field, true);
    return {
      field: shownPath(path.join('.'), operation),
      from: `${leaf.step}.${leaf.field}`,
      value,
      given: value === undefined && !FINAL.has(part?.status ?? 'not_sent') ? true : undefined,
    };
  });
}

/** Statuses of rows that are complete in that step. */
const FINAL: ReadonlySet<Status> = new Set(STATUSES.filter((it) => it !== 'valid' && it !== 'not_sent'));

function fromLeaves(
  node: MapNode | undefined,
  path: readonly string[],
): { readonly path: readonly string[]; readonly leaf: FromLeaf }[] {
  switch (node?.kind) {
    case 'branch':
      return [...node.fields].flatMap(([name, child]) => fromLeaves(child, [...path, name]));
    case 'from':
      return [{ path, leaf: node }, ...fromLeaves(node.else, path)];
    default:
      return [];
  }
}
