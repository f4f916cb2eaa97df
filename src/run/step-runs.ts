import type { Ledger } from '../ledger/contract/ledger.js';
import type { LookupCounts } from '../ledger/contract/plan.js';
import type { Run } from '../ledger/contract/runs.js';
import type { JobStep, StepsJob } from '../model/job.js';
import type { Operation } from '../model/operation.js';
import type { StepEnd } from '../model/run-outcome.js';
import { operationNamed } from '../platform/operations/catalogue.js';
import type { StepNumbers } from './execute/confirm-sending.js';
import { type StepsSettings, unpackSettings } from './settings.js';

export interface StepRun {
  readonly step: JobStep;
  readonly operation: Operation;
  /** Absent if the run ended before the step was planned. */
  readonly run?: Run;
}

/** True if the run has several steps, each with a separate step run. */
export function hasSteps({ operation }: Pick<Run, 'operation'>): boolean {
  return operation === 'steps';
}

export function stepsSettings(run: Pick<Run, 'settings'>): StepsSettings {
  return unpackSettings(run.settings) as unknown as StepsSettings;
}

/** The steps of a run in order; none for a run of one operation. */
export async function stepRunsOf(ledger: Pick<Ledger, 'runs'>, run: Run): Promise<readonly StepRun[]> {
  if (!hasSteps(run)) return [];
  const children = await stepChildren(ledger, run);
  return jobSteps(run).map((step, index) => ({
    step,
    operation: operationNamed(step.operation),
    run: children.findLast((child) => child.step === index + 1),
  }));
}

/** The runs with items: the planned steps of a run of several, otherwise the run itself. */
export async function itemRunsOf(ledger: Pick<Ledger, 'runs'>, run: Run): Promise<readonly Run[]> {
  return hasSteps(run) ? (await stepRunsOf(ledger, run)).flatMap((it) => it.run ?? []) : [run];
}

/** Empty for a pruned run, which has no job. */
function jobSteps(run: Run): readonly JobStep[] {
  const job: StepsJob | undefined = stepsSettings(run).job;
  return job?.steps ?? [];
}

async function stepChildren(ledger: Pick<Ledger, 'runs'>, run: Run): Promise<readonly Run[]> {
  return (await ledger.runs.children(run.id)).filter((child) => child.step !== undefined);
}

/** The end or progress of each step of a run, for summaries and listings. */
export async function stepEnds(ledger: Pick<Ledger, 'runs'>, run: Run): Promise<readonly StepEnd[]> {
  const ends: StepEnd[] = [];
  // The names of a pruned run's steps are lost, but their figures are not.
  const isPruned = hasSteps(run) && jobSteps(run).length === 0;
  const steps = isPruned
    ? (await stepChildren(ledger, run)).map((child) => ({
        step: { name: `${child.step}`, operation: child.operation },
        run: child,
      }))
    : await stepRunsOf(ledger, run);
  for (const { step, run: stepRun } of steps) {
    ends.push({
      name: step.name,
      operation: step.operation,
      run: stepRun?.id,
      status: isPruned ? 'completed' : stepStatus(run, stepRun),
      rows: stepRun?.rows ?? 0,
      counts: stepRun ? await ledger.runs.counts(stepRun.id) : {},
      requests: stepRun?.requests ?? 0,
      retries: stepRun?.retries ?? 0,
    });
  }
  return ends;
}

function stepStatus(whole: Run, stepRun: Run | undefined): StepEnd['status'] {
  // Nothing is sent unless all steps are valid; a check covers all of them.
  if (whole.state === 'invalid') return 'invalid';
  if (whole.kind !== 'run') return whole.state === 'interrupted' ? 'interrupted' : 'completed';
  switch (stepRun?.state) {
    case 'executed':
      return 'completed';
    case 'completed':
    case 'invalid':
    case 'stopped':
    case 'interrupted':
    case 'queued':
      return stepRun.state;
    case 'executing':
      return 'going';
    default:
      // Checked, and perhaps planned, but not yet started.
      return 'waiting';
  }
}

/** The number of items that each step is still to send, as far as known. The items of a check may become fewer. */
export async function stepNumbers(
  ledger: Pick<Ledger, 'execution'>,
  steps: readonly StepRun[],
): Promise<readonly StepNumbers[]> {
  const numbers: StepNumbers[] = [];
  for (const { step, run, operation } of steps) {
    const items =
      run && run.state !== 'planning' ? (await ledger.execution.remaining(run.id)).items : (run?.items ?? 0);
    numbers.push({ name: step.name, operation, items });
  }
  return numbers;
}

/** The lookups requested for a run, or for all its steps. */
export async function lookupCounts(
  ledger: Pick<Ledger, 'runs' | 'lookups'>,
  run: Run,
): Promise<LookupCounts> {
  if (!hasSteps(run)) return ledger.lookups.counts(run.id);
  const sum = { asked: 0, unanswered: 0, requests: 0 };
  for (const step of await stepRunsOf(ledger, run)) {
    if (!step.run) continue;
    const counts = await ledger.lookups.counts(step.run.id);
    sum.asked += counts.asked;
    sum.unanswered += counts.unanswered;
    sum.requests += counts.requests;
  }
  return sum;
}
