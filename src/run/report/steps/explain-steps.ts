import type { Ledger } from '../../../ledger/contract/ledger.js';
import type { RowResult, RowStory } from '../../../ledger/contract/report.js';
import type { Resolution } from '../../../ledger/contract/resolutions.js';
import type { Run } from '../../../ledger/contract/run.js';
import type { FromLeaf, MapBranch, MapNode } from '../../../model/map.js';
import { type Operation, shownPath } from '../../../model/operation.js';
import { STATUSES, type Status, standsAt } from '../../../model/status.js';
import { noSuchRow, refusePruned } from '../../run-checks.js';
import type { StepsSettings } from '../../settings.js';
import { type StepRun, stepRunsOf } from '../../step-runs.js';
import { type ExplainedRequest, givenRequests, requestsOf } from '../explained-requests.js';
import { heldByUnknown } from '../held-rows.js';
import { stepColumns } from './step-columns.js';
import { pendingAs, resultText, type StepPart, type StepsRow, stepsRow } from './steps-rows.js';

/** What one step made of a row. */
export interface ExplainedStep {
  readonly name: string;
  readonly operation: Operation;
  /** The step's own run; absent where the whole run ended before it. */
  readonly run?: string;
  readonly result: RowResult;
  readonly requests: readonly ExplainedRequest[];
  readonly items: RowStory['items'];
  /** What its request takes from earlier steps. */
  readonly taken: readonly TakenResult[];
  /** What it returned for the row, by name. */
  readonly returned: readonly { readonly name: string; readonly value: string }[];
  readonly audit: readonly Resolution[];
}

export interface TakenResult {
  /** Wire path of the request's field. */
  readonly field: string;
  /** `customer.customerId` */
  readonly from: string;
  /** Absent where that step has returned nothing for the row. */
  readonly value?: string;
  /** It isn't known yet: a value stands in for it while all steps are checked. */
  readonly given?: true;
}

/**
 * What all steps of a run made of a row.
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
    const of = runs[index]!.run;
    const wanted = (columns[index]?.ofRecords.size ?? 0) > 0;
    parts.push(
      of && story && (wanted ? ((await withRecords(ledger, of, row)) ?? story.result) : story.result),
    );
  }
  const steps: ExplainedStep[] = [];
  for (const [index, { step, operation, run: of }] of runs.entries()) {
    const story = stories[index];
    const part = parts[index];
    const { results = [], ofRecords = new Set<string>() } = columns[index] ?? {};
    steps.push({
      name: step.name,
      operation,
      ...(of && { run: of.id }),
      result: part ?? { row, status: pending, messages: [], faults: [], attempts: 0, columns: {} },
      requests:
        of && story
          ? [
              ...(await requestsOf(ledger, of, story, operation, connection)),
              ...givenRequests(of, story, operation, connection),
            ]
          : [],
      items: story?.items ?? [],
      taken: takenBy(step.map, operation, runs, parts),
      returned: results.flatMap((name) => {
        const value = part && resultText(part, name, ofRecords.has(name));
        return value === undefined ? [] : [{ name, value }];
      }),
      audit: of ? await ledger.resolutions.list(of.id, row) : [],
    });
  }
  const names = runs.map(({ step }) => step.name);
  return { result: stepsRow(row, parts, names, pending), steps };
}

/** The step that says what is to be done about a row: one that is at fault, or waits for a person, before all others. */
export function decidingStep(steps: readonly ExplainedStep[]): ExplainedStep {
  return (
    steps.find(({ result }) => result.status === 'invalid') ??
    steps.find(({ result }) => heldByUnknown(result)) ??
    steps[standsAt(steps.map(({ result }) => result.status))]!
  );
}

async function withRecords(ledger: Ledger, run: Run, row: number): Promise<StepPart | undefined> {
  // A check has no records; and its rows count otherwise than `gains` tells them.
  if (run.kind !== 'run') return undefined;
  for await (const page of ledger.report.gains(run.id)) {
    if ((page.at(-1)?.row ?? 0) >= row) return page.find((it) => it.row === row);
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
      ...(value === undefined ? {} : { value }),
      ...(value === undefined && !IS_OVER.has(part?.status ?? 'not_sent') ? { given: true } : {}),
    };
  });
}

/** Statuses of rows that wait for nothing in that step. */
const IS_OVER: ReadonlySet<Status> = new Set(STATUSES.filter((it) => it !== 'valid' && it !== 'not_sent'));

function fromLeaves(
  node: MapNode | undefined,
  path: readonly string[],
): { readonly path: readonly string[]; readonly leaf: FromLeaf }[] {
  switch (node?.kind) {
    case 'branch':
      return [...node.fields].flatMap(([name, it]) => fromLeaves(it, [...path, name]));
    case 'from':
      return [{ path, leaf: node }, ...fromLeaves(node.else, path)];
    default:
      return [];
  }
}
