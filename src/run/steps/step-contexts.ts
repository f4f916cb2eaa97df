import type { Run } from '../../ledger/contract/run.js';
import { packSettings } from '../../ledger/kept-settings.js';
import { type JobStep, stepJob } from '../../model/job.js';
import type { Operation } from '../../model/operation.js';
import { operationNamed } from '../../platform/operations/index.js';
import { stepRunId } from '../../util/run-id.js';
import { requireRun } from '../run-checks.js';
import type { RunContext } from '../run-context.js';
import { type RetryOf, type RunSettings, type StepsSettings, unpackSettings } from '../settings.js';
import { stepRunsOf } from '../step-runs.js';

/** A run of several steps, as its stages get it. */
export type StepsContext = RunContext<StepsSettings>;

/** One of its steps. */
export interface StepInHand {
  readonly step: JobStep;
  /** From 1. */
  readonly index: number;
  readonly operation: Operation;
  /** The step run, as the ledger has it. */
  readonly run: Run;
  /** It is carried out with the limits and the connection that hold for the whole run now. */
  readonly context: RunContext;
}

/**
 * The steps of a run in order, each with its step run, which is made where it is missing: a process may have died between
 * two of them. All are of the parent's kind.
 */
export async function stepsInHand(context: StepsContext): Promise<readonly StepInHand[]> {
  const { services, id, settings, kind } = context;
  const { ledger } = services;
  const whole = await requireRun(ledger, id);
  const steps: StepInHand[] = [];
  const earlier: { name: string; run: string }[] = [];
  const before = settings.retry && (await runsRetried(context, settings.retry));
  for (const [at, { step, operation, run: there }] of (await stepRunsOf(ledger, whole)).entries()) {
    const index = at + 1;
    const run =
      there ??
      (await makeStepRun(context, whole, step, { index, earlier: [...earlier], retry: before?.[at] }));
    if (run.kind !== kind) await ledger.runs.patch(run.id, { kind });
    const kept = unpackSettings(run.settings);
    const own: RunSettings = {
      ...kept,
      connection: settings.connection,
      job: stepJob(settings.job, settings.job.steps[at]!),
    };
    steps.push({
      step,
      index,
      operation,
      run,
      context: { services, id: run.id, kind, settings: own, queue: false },
    });
    earlier.push({ name: step.name, run: run.id });
  }
  return steps;
}

/** The step as it stands in the ledger now. */
export async function renewed(it: StepInHand): Promise<StepInHand> {
  const { services, settings } = it.context;
  const run = await requireRun(services.ledger, it.run.id);
  const { step, canary } = unpackSettings(run.settings);
  return { ...it, run, context: { ...it.context, settings: { ...settings, step, canary } } };
}

async function makeStepRun(
  { services: { ledger, clock }, settings, kind }: StepsContext,
  whole: Run,
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
  const id = stepRunId(whole.id, index);
  const own: RunSettings = {
    job: stepJob(settings.job, settings.job.steps[index - 1]!),
    connection: settings.connection,
    ...(settings.begunBy ? { begunBy: settings.begunBy } : {}),
    ...(settings.corrections ? { corrections: settings.corrections } : {}),
    ...(retry ? { retry } : {}),
    ...(settings.offline ? { offline: settings.offline } : {}),
    ...(index === 1 && settings.canary !== undefined ? { canary: settings.canary } : {}),
    step: { parent: whole.id, index, name: step.name, given: index > 1, earlier },
  };
  const { job, jobFile, jobSha256, connection, scope, inputFile, inputSha256, by, bySubject } = whole;
  await ledger.runs.create({
    ...{ id, kind, job, jobFile, jobSha256, connection, scope, inputFile, inputSha256, by, bySubject },
    operation: operationNamed(step.operation).name,
    settings: packSettings(own),
    startedAt: clock.now(),
    parent: whole.id,
    step: index,
  });
  return requireRun(ledger, id);
}

/** For each step, the rows of the retried run's own step that go again. */
async function runsRetried(
  { services: { ledger } }: StepsContext,
  retry: RetryOf,
): Promise<readonly RetryOf[]> {
  const before = await stepRunsOf(ledger, await requireRun(ledger, retry.parent));
  const wanted: RetryOf[] = [];
  for (const { run } of before) {
    const parent = run?.id ?? retry.parent;
    const counts = run && retry.unknown > 0 ? await ledger.runs.counts(run.id) : {};
    wanted.push({ parent, rows: retry.rows, unknown: counts.unknown ?? 0 });
  }
  return wanted;
}
