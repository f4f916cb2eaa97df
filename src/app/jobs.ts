import path from 'node:path';
import { message, render } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { loadJobFile } from '../job/load.js';
import { type ShownEntry, type ShownValue, shownJob, type ValueOrigin } from '../job/show/shown-job.js';
import { shownYaml } from '../job/show/shown-yaml.js';
import { type AnyJob, workOf } from '../model/job.js';
import type { Scalar } from '../model/map.js';
import { jobFiles } from '../schedule/find-jobs.js';
import type { AppContext } from './context.js';
import { jobReading } from './job-input.js';

/** The job files in `jobs/` next to `license-sync.yaml`; an invalid one with its problem. */
export async function jobsData(context: AppContext) {
  const files = await jobFiles([], context.cwd);
  return Promise.all(files.map((it) => jobData(context, it)));
}

/**
 * The job with this name or file name. Only files of the folder are considered.
 * @throws ProductError usage if there is none
 */
export async function jobNamed(
  context: AppContext,
  name: string,
): Promise<{ readonly file: string; readonly job: AnyJob }> {
  const files = await jobFiles([], context.cwd);
  for (const file of files) {
    const isMatch = relativePath(context, file) === name || path.basename(file) === name;
    if (isMatch || (await jobData(context, file)).name === name)
      return { file, job: await loadJobFile(file, jobReading(context)) };
  }
  const known = files.map((it) => relativePath(context, it)).join(', ') || '-';
  throw new ProductError('usage', message('console.no_such_job', { job: name, known }));
}

/** A job file for selection; its path is relative to the folder: `jobs/new-buy.yaml`. */
async function jobData(context: AppContext, file: string) {
  const common = { file: relativePath(context, file), name: path.basename(file).replace(/\.ya?ml$/i, '') };
  try {
    const job = await loadJobFile(file, jobReading(context));
    const { name, connection, description } = job;
    return {
      ...common,
      name,
      ...('reconcile' in job
        ? { kind: 'reconcile' as const, operation: `reconcile.${job.reconcile}` }
        : { kind: 'run' as const, operation: workOf(job) }),
      connection,
      description,
      problem: undefined,
    };
  } catch (error) {
    if (!(error instanceof ProductError)) throw error;
    return { ...common, kind: 'run' as const, problem: render(error.detail, context.language) };
  }
}

function relativePath({ cwd }: AppContext, file: string): string {
  return path.relative(cwd, file).split(path.sep).join('/');
}

/** One value of a job with its origin. */
export interface JobValue extends ValueOrigin {
  /** From the top: `run.retries`, `actions.0.operation`. */
  readonly path: string;
  readonly value: Scalar | null | readonly (Scalar | null)[];
}

/** `show`: the effective job with fragments, defaults and `--set`. It is validated without its spreadsheet. */
export async function showJob(
  context: AppContext,
  jobFile: string,
  { set }: { readonly set?: readonly string[] },
) {
  const job = await shownJob(path.resolve(context.cwd, jobFile), jobReading(context, set));
  const { name, file, configFile, entries } = job;
  return {
    job: name,
    file: path.resolve(context.cwd, file),
    configFile,
    values: valuesOf(entries, ''),
    yaml: shownYaml(job, context.language),
  };
}

function valuesOf(entries: readonly ShownEntry[], prefix: string): readonly JobValue[] {
  return entries.flatMap(({ key, value }) => valuesAt(`${prefix}${key}`, value));
}

function valuesAt(at: string, value: ShownValue): readonly JobValue[] {
  switch (value.kind) {
    case 'scalar':
      return [{ path: at, value: value.value, ...value.origin }];
    case 'scalars':
      return [{ path: at, value: value.items.map((it) => it.value), ...value.origin }];
    case 'mapping':
      return valuesOf(value.entries, `${at}.`);
    case 'list':
      return value.items.flatMap((it, index) => valuesAt(`${at}.${index}`, it));
  }
}
