import { dirname, join, resolve } from 'node:path';
import type { Job, JobBase, JobRun, JobSource, ReconcileJob, StepsJob } from '../model/job.js';
import type { MapBranch } from '../model/map.js';
import type { ReadAction } from './actions.js';
import { isPattern } from './input-file.js';
import { notifications, secretSource } from './notify.js';
import type { CommonFile, JobFile, ReconcileFile, StepsFile } from './schema/job.js';
import { runSchema } from './schema/run.js';
import { durationMs } from './schema/shared.js';
import type { ReadStep } from './steps.js';

/** The parts of a job that its schema doesn't give. */
export interface JobContext {
  /** Absolute. */
  readonly path: string;
  readonly sha256: string;
  readonly parts: JobBase['parts'];
  readonly where: JobSource['where'];
  readonly until: JobSource['until'];
  /** Folder of the result, if the job file doesn't name a result file. */
  readonly results?: string;
}

export function assembleJob(it: JobFile, context: JobContext, map: MapBranch | undefined): Job {
  return { ...base(it, context), operation: it.operation, map, batch: it.batch };
}

/** `steps`: as read, in the order of the file. */
export function assembleSteps(it: StepsFile, context: JobContext, steps: readonly ReadStep[]): StepsJob {
  return {
    ...base(it, context),
    unmatched: it.unmatched,
    steps: it.steps.map(({ name, operation, onPartial, batch }, index) => {
      return { ...steps[index]!, name, operation, onPartial, batch };
    }),
  };
}

/** `actions`: as read, in the order of the file. */
export function assembleReconcile(
  it: ReconcileFile,
  context: JobContext,
  {
    key,
    expect,
    actions,
  }: Pick<ReconcileJob, 'key' | 'expect'> & { readonly actions: readonly ReadAction[] },
): ReconcileJob {
  return {
    ...base(it, context),
    reconcile: it.reconcile,
    key,
    expect,
    extra: it.extra,
    actions: it.actions.flatMap(({ on, operation, batch }, index) => {
      const { when, map, at } = actions[index]!;
      return map ? [{ on, when, operation, map, batch, at }] : [];
    }),
  };
}

function base(it: CommonFile, { path, sha256, parts, where, until, results }: JobContext): JobBase {
  const folder = dirname(path);
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
  } = it.source;
  return {
    file: path,
    sha256,
    ...(parts ? { parts } : {}),
    name: it.name,
    description: it.description,
    connection: it.connection,
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
    run: runOf(it.run),
    safety: it.safety,
    output:
      results === undefined
        ? { file: resolve(folder, it.output.file) }
        : { file: join(results, it.output.file), defaulted: true },
    schedule: it.schedule && schedule(it.schedule),
    notify: it.notify && notifications(it.notify, folder),
  };
}

function runOf({ timeout, patience, ...run }: CommonFile['run']): JobRun {
  return { ...run, timeoutMs: durationMs(timeout), patienceMs: durationMs(patience) };
}

/** What a job counts by that says nothing of it; also for what asks the platform without a job. */
export function usualRun(): JobRun {
  return runOf(runSchema.parse({}));
}

function schedule({ jitter, ...rest }: NonNullable<CommonFile['schedule']>): JobBase['schedule'] {
  return { ...rest, jitterMs: jitter === undefined ? undefined : durationMs(jitter) };
}
