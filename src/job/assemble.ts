import { join, resolve } from 'node:path';
import type { Job, JobBase, JobRun, JobSource, ReconcileJob, StepsJob } from '../model/job.js';
import type { MapBranch } from '../model/map.js';
import { isPattern } from './job-checks.js';
import { notifications, secretSource } from './notify.js';
import type { CommonFile, JobFile, ReconcileFile, StepsFile } from './schema/job.js';
import { durationMs, runSchema } from './schema/sections.js';
import type { ReadAction, ReadStep } from './steps.js';

/** The parts of a job that its schema does not produce. */
export interface JobContext {
  /** Absolute. */
  readonly path: string;
  /** The folder that the job's paths are relative to; absolute. */
  readonly folder: string;
  readonly sha256: string;
  readonly parts: JobBase['parts'];
  readonly where: JobSource['where'];
  readonly until: JobSource['until'];
  /** Folder of the result, if the job file doesn't name a result file. */
  readonly results?: string;
}

export function assembleJob(jobFile: JobFile, context: JobContext, map: MapBranch | undefined): Job {
  return { ...base(jobFile, context), operation: jobFile.operation, map, batch: jobFile.batch };
}

/** @param steps in the order of the file */
export function assembleSteps(jobFile: StepsFile, context: JobContext, steps: readonly ReadStep[]): StepsJob {
  return {
    ...base(jobFile, context),
    unmatched: jobFile.unmatched,
    steps: jobFile.steps.map(({ name, operation, onPartial, batch }, index) => {
      return { ...steps[index]!, name, operation, onPartial, batch };
    }),
  };
}

/** @param actions in the order of the file */
export function assembleReconcile(
  jobFile: ReconcileFile,
  context: JobContext,
  {
    key,
    expect,
    actions,
  }: Pick<ReconcileJob, 'key' | 'expect'> & { readonly actions: readonly ReadAction[] },
): ReconcileJob {
  return {
    ...base(jobFile, context),
    reconcile: jobFile.reconcile,
    key,
    expect,
    extra: jobFile.extra,
    actions: jobFile.actions.flatMap(({ on, operation, batch }, index) => {
      const { when, map, at } = actions[index]!;
      return map ? [{ on, when, operation, map, batch, at }] : [];
    }),
  };
}

function base(
  jobFile: CommonFile,
  { path, folder, sha256, parts, where, until, results }: JobContext,
): JobBase {
  const {
    file: input,
    sheet,
    delimiter,
    where: _,
    until: __,
    fillDown,
    password,
    settle,
    ...source
  } = jobFile.source;
  return {
    file: path,
    sha256,
    ...(parts ? { parts } : {}),
    name: jobFile.name,
    description: jobFile.description,
    connection: jobFile.connection,
    source: {
      file: resolve(folder, input),
      ...(isPattern(input) ? { pattern: true } : {}),
      ...source,
      sheet,
      where,
      fillDown,
      settleMs: settle === undefined ? undefined : durationMs(settle),
      until,
      delimiter: delimiter === 'tab' ? '\t' : delimiter,
      ...(password ? { password: secretSource(password, folder) } : {}),
    },
    run: runOf(jobFile.run),
    safety: jobFile.safety,
    output:
      results === undefined
        ? { file: resolve(folder, jobFile.output.file) }
        : { file: join(results, jobFile.output.file), defaulted: true },
    schedule: jobFile.schedule && schedule(jobFile.schedule),
    notify: jobFile.notify && notifications(jobFile.notify, folder),
  };
}

function runOf({ timeout, patience, ...run }: CommonFile['run']): JobRun {
  return { ...run, timeoutMs: durationMs(timeout), patienceMs: durationMs(patience) };
}

/** The settings of a job without the key `run`, and of requests without a job. */
export function usualRun(): JobRun {
  return runOf(runSchema.parse({}));
}

function schedule({ jitter, ...rest }: NonNullable<CommonFile['schedule']>): JobBase['schedule'] {
  return { ...rest, jitterMs: jitter === undefined ? undefined : durationMs(jitter) };
}
