import type { Run } from '../../ledger/contract/runs.js';
import { packSettings } from '../../ledger/stored-settings.js';
import { type JobStep, stepJob } from '../../model/job.js';
import type { Operation } from '../../model/operation.js';
import { operationNamed } from '../../platform/operations/catalogue.js';
import { stepRunId } from '../../util/run-id.js';
import { requireRun } from '../run-checks.js';
import type { RunContext } from '../run-context.js';
import { type RetryOf, type RunSettings, type StepsSettings, unpackSettings } from '../settings.js';
import { stepRunsOf } from '../step-runs.js';

export type StepsContext = RunContext<StepsSettings>;

/** A step with its step run. */
export interface ActiveStep {
  readonly step: JobStep;
  /** Counted from 1. */
  readonly index: number;
  readonly operation: Operation;
  /** The step run, as in the ledger. */
  readonly run: Run;
  /** With the current limits and connection of the whole run. */
  readonly context: RunContext;
}

/** The steps of a run in order. Creates a missing step run, because a process may have died between two of them. */
export async function activeSteps(context: StepsContext): Promise<readonly ActiveStep[]> {
  const { services, id, settings, kind } = context;
  const { ledger } = services;
  const parent = await requireRun(ledger, id);
  const steps: ActiveStep[] = [];
  const earlier: { name: string; run: string }[] = [];
  const retried = settings.retry && (await runsRetried(context, settings.retry));
  for (const [position, { step, operation, run: existing }] of (await stepRunsOf(ledger, parent)).entries()) {
    const index = position + 1;
    const run =
      existing ??
      (await makeStepRun(context, parent, step, {
        index,
        earlier: [...earlier],
        retry: retried?.[position],
      }));
    if (run.kind !== kind) await ledger.runs.patch(run.id, { kind });
    const stored = unpackSettings(run.settings);
    const stepSettings: RunSettings = {
      ...stored,
      connection: settings.connection,
      job: stepJob(settings.job, settings.job.steps[position]!),
    };
    steps.push({
      step,
      index,
      operation,
      run,
      context: { services, id: run.id, kind, settings: stepSettings, queue: false },
    });
    earlier.push({ name: step.name, run: run.id });
  }
  return steps;
}

/** The step with the current state and settings of its step run. */
export async function reloadStep(active: ActiveStep): Promise<ActiveStep> {
  const { services, settings } = active.context;
  const run = await requireRun(services.ledger, active.run.id);
  const { step, canary } = unpackSettings(run.settings);
  return { ...active, run, context: { ...active.context, settings: { ...settings, step, canary } } };
}

async function makeStepRun(
  { services: { ledger, clock }, settings, kind }: StepsContext,
  parent: Run,
  step: JobStep,
  {
    index,
    earlier,
    retry,
  }: {
    readonly index: number;
    readonly earlier: readonly { name: string; run: string }[];
    readonly retry?: RetryOf | undefined;
  },
): Promise<Run> {
  const id = stepRunId(parent.id, index);
  const stepSettings: RunSettings = {
    job: stepJob(settings.job, settings.job.steps[index - 1]!),
    connection: settings.connection,
    begunBy: settings.begunBy,
    corrections: settings.corrections,
    retry,
    offline: settings.offline,
    canary: index === 1 ? settings.canary : undefined,
    step: { parent: parent.id, index, name: step.name, given: index > 1, earlier },
  };
  const { job, jobFile, jobSha256, connection, scope, inputFile, inputSha256, by, bySubject } = parent;
  await ledger.runs.create({
    ...{ id, kind, job, jobFile, jobSha256, connection, scope, inputFile, inputSha256, by, bySubject },
    operation: operationNamed(step.operation).name,
    settings: packSettings(stepSettings),
    startedAt: clock.now(),
    parent: parent.id,
    step: index,
  });
  return requireRun(ledger, id);
}

/** For each step, the rows of the retried step run that are sent again. */
async function runsRetried(
  { services: { ledger } }: StepsContext,
  retry: RetryOf,
): Promise<readonly RetryOf[]> {
  const before = await stepRunsOf(ledger, await requireRun(ledger, retry.parent));
  const retries: RetryOf[] = [];
  for (const { run } of before) {
    const parent = run?.id ?? retry.parent;
    const counts = run && retry.unknown > 0 ? await ledger.runs.counts(run.id) : {};
    retries.push({ parent, rows: retry.rows, unknown: counts.unknown ?? 0 });
  }
  return retries;
}
