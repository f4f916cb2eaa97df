import type { Ledger } from '../ledger/contract/ledger.js';
import type { LookupCounts } from '../ledger/contract/lookups.js';
import type { Run } from '../ledger/contract/run.js';
import type { JobStep, StepsJob } from '../model/job.js';
import type { Operation } from '../model/operation.js';
import type { StepEnd } from '../model/run-outcome.js';
import { operationNamed } from '../platform/operations/index.js';
import type { StepNumbers } from './execute/consent.js';
import { type StepsSettings, unpackSettings } from './settings.js';

/** A step of a run of several, with the run that carries it out. */
export interface StepRun {
  readonly step: JobStep;
  readonly operation: Operation;
  /** Absent where the run ended before the step was planned. */
  readonly run?: Run;
}

/** Whether the run takes its rows through several steps, each of which is a run of its own. */
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
    run: children.findLast((it) => it.step === index + 1),
  }));
}

/** Empty for a pruned run, which has no job any more. */
function jobSteps(run: Run): readonly JobStep[] {
  const job: StepsJob | undefined = stepsSettings(run).job;
  return job?.steps ?? [];
}

async function stepChildren(ledger: Pick<Ledger, 'runs'>, run: Run): Promise<readonly Run[]> {
  return (await ledger.runs.children(run.id)).filter((it) => it.step !== undefined);
}

/** How each step of a run has ended, or how far it has come, for summaries and listings. */
export async function stepEnds(ledger: Pick<Ledger, 'runs'>, run: Run): Promise<readonly StepEnd[]> {
  const ends: StepEnd[] = [];
  if (hasSteps(run) && jobSteps(run).length === 0) {
    // What a pruned run's steps were called is gone; what they did isn't.
    for (const { id, step, operation, rows, requests, retries } of await stepChildren(ledger, run)) {
      const counts = await ledger.runs.counts(id);
      ends.push({
        name: `${step}`,
        operation,
        run: id,
        status: 'completed',
        rows,
        counts,
        requests,
        retries,
      });
    }
    return ends;
  }
  for (const { step, run: of } of await stepRunsOf(ledger, run)) {
    ends.push({
      name: step.name,
      operation: step.operation,
      ...(of && { run: of.id }),
      status: stepStatus(run, of),
      rows: of?.rows ?? 0,
      counts: of ? await ledger.runs.counts(of.id) : {},
      requests: of?.requests ?? 0,
      retries: of?.retries ?? 0,
    });
  }
  return ends;
}

function stepStatus(whole: Run, of: Run | undefined): StepEnd['status'] {
  // Nothing is sent unless all steps are in order, and a check is one of them all.
  if (whole.state === 'invalid') return 'invalid';
  if (whole.kind !== 'run') return whole.state === 'interrupted' ? 'interrupted' : 'completed';
  switch (of?.state) {
    case 'executed':
      return 'completed';
    case 'completed':
    case 'invalid':
    case 'stopped':
    case 'interrupted':
    case 'queued':
      return of.state;
    case 'executing':
      return 'going';
    default:
      // Checked, and perhaps planned: its turn to be sent hasn't come.
      return 'waiting';
  }
}

/** How many items each step is still to send, as far as it is known: those of a check may turn out to be fewer. */
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

/** Look-ups that were asked for a run, or for all its steps. */
export async function lookupCounts(
  ledger: Pick<Ledger, 'runs' | 'lookups'>,
  run: Run,
): Promise<LookupCounts> {
  if (!hasSteps(run)) return ledger.lookups.counts(run.id);
  const sum = { asked: 0, unanswered: 0, requests: 0 };
  for (const it of await stepRunsOf(ledger, run)) {
    if (!it.run) continue;
    const counts = await ledger.lookups.counts(it.run.id);
    sum.asked += counts.asked;
    sum.unanswered += counts.unanswered;
    sum.requests += counts.requests;
  }
  return sum;
}
