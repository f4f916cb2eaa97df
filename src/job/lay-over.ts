import { resolve } from 'node:path';
import type { JobBase, JobRun } from '../model/job.js';

/** What a command's flags, or a call's options, say in place of the job file; paths from the process's folder. */
export interface JobChanges {
  readonly input?: string;
  readonly output?: string;
  readonly concurrency?: number;
  readonly onInvalid?: JobRun['onInvalid'];
  readonly maxItems?: number;
  readonly maxDeletes?: number;
}

/** The job with the changes laid over it. An input that is named is one file, whatever pattern the job has. */
export function layOver<J extends JobBase>(job: J, changes: JobChanges, cwd = process.cwd()): J {
  const { pattern: _, ...source } = job.source;
  const { input, output, concurrency, onInvalid, maxItems, maxDeletes } = changes;
  return {
    ...job,
    source: input === undefined ? job.source : { ...source, file: resolve(cwd, input) },
    run: {
      ...job.run,
      ...(concurrency === undefined ? {} : { concurrency: Math.max(1, concurrency) }),
      ...(onInvalid === undefined ? {} : { onInvalid }),
    },
    safety: {
      ...job.safety,
      ...(maxItems === undefined ? {} : { maxItems }),
      ...(maxDeletes === undefined ? {} : { maxDeletes }),
    },
    output: output === undefined ? job.output : { file: resolve(cwd, output) },
  };
}
