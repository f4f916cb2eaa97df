import path from 'node:path';
import { message, render } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { loadJobFile } from '../job/load.js';
import { type AnyJob, workOf } from '../model/job.js';
import { jobFiles } from '../schedule/job-files.js';
import type { AppContext } from './context.js';
import { jobReading } from './job-reading.js';

/** A job file of the folder `jobs`, as it is chosen from. */
export interface JobData {
  /** From the console's folder: `jobs/new-buy.yaml`. */
  readonly file: string;
  readonly name: string;
  readonly kind: 'run' | 'reconcile';
  readonly operation?: string;
  readonly connection?: string;
  readonly description?: string;
  /** Why it can't be used. */
  readonly problem?: string;
}

/** The job files in `jobs/` beside `license-sync.yaml`; one that is wrong says why. */
export async function jobsData(context: AppContext): Promise<readonly JobData[]> {
  const files = await jobFiles([], context.cwd);
  return Promise.all(files.map((it) => jobData(context, it)));
}

/**
 * The job of that name, or in that file of the folder; no path leads out of it.
 * @throws ProductError usage where there is none
 */
export async function jobNamed(
  context: AppContext,
  wanted: string,
): Promise<{ readonly file: string; readonly job: AnyJob }> {
  const files = await jobFiles([], context.cwd);
  for (const file of files) {
    const isMeant = shown(context, file) === wanted || path.basename(file) === wanted;
    const { name } = isMeant ? { name: wanted } : await jobData(context, file);
    if (isMeant || name === wanted) return { file, job: await loadJobFile(file, jobReading(context)) };
  }
  const known = files.map((it) => shown(context, it)).join(', ') || '-';
  throw new ProductError('usage', message('console.no_such_job', { job: wanted, known }));
}

async function jobData(context: AppContext, file: string): Promise<JobData> {
  const at = { file: shown(context, file), name: path.basename(file).replace(/\.ya?ml$/i, '') };
  try {
    const job = await loadJobFile(file, jobReading(context));
    const { name, connection, description } = job;
    return {
      ...at,
      name,
      ...('reconcile' in job
        ? { kind: 'reconcile' as const, operation: `reconcile.${job.reconcile}` }
        : { kind: 'run' as const, operation: workOf(job) }),
      ...(connection === undefined ? {} : { connection }),
      ...(description === undefined ? {} : { description }),
    };
  } catch (error) {
    if (!(error instanceof ProductError)) throw error;
    return { ...at, kind: 'run', problem: render(error.detail, context.language) };
  }
}

function shown({ cwd }: AppContext, file: string): string {
  return path.relative(cwd, file).split(path.sep).join('/');
}
