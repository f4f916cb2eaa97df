import { resolve } from 'node:path';
import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { JobBase, JobRun } from '../model/job.js';

/** Values from a command's flags or a call's options that replace those of the job file. Paths are from `cwd`. */
export interface JobChanges {
  readonly input?: string;
  readonly output?: string;
  readonly concurrency?: number;
  readonly onInvalid?: JobRun['onInvalid'];
  readonly maxItems?: number;
  readonly maxDeletes?: number;
}

/** @throws ProductError usage for a number that isn't a whole one from `least`: a limit that holds nothing is no limit */
export function refuseUnfit(name: string, value: number | undefined, least: number): void {
  if (value === undefined || (Number.isSafeInteger(value) && value >= least)) return;
  throw new ProductError('usage', message('job.unfit_number', { name, value: String(value), least }));
}

const ON_INVALID: readonly JobRun['onInvalid'][] = ['abort', 'skip'];

/** Danger: another word would hold nothing back. */
function refuseOtherWord(value: string | undefined): void {
  if (value === undefined || ON_INVALID.some((it) => it === value)) return;
  const params = { name: 'onInvalid', value, allowed: ON_INVALID.join(', ') };
  throw new ProductError('usage', message('run.unfit_option', params));
}

/** The job with the changes applied. A named input is one file, even if the job's own is a pattern. */
export function applyChanges<J extends JobBase>(job: J, changes: JobChanges, cwd = process.cwd()): J {
  const { pattern: _, ...source } = job.source;
  refuseOtherWord(changes.onInvalid);
  refuseUnfit('concurrency', changes.concurrency, 1);
  refuseUnfit('maxItems', changes.maxItems, 0);
  refuseUnfit('maxDeletes', changes.maxDeletes, 0);
  const { input, output, concurrency, onInvalid, maxItems, maxDeletes } = changes;
  return {
    ...job,
    source: input === undefined ? job.source : { ...source, file: resolve(cwd, input) },
    run: {
      ...job.run,
      concurrency: concurrency ?? job.run.concurrency,
      onInvalid: onInvalid ?? job.run.onInvalid,
    },
    safety: {
      ...job.safety,
      maxItems: maxItems ?? job.safety.maxItems,
      maxDeletes: maxDeletes ?? job.safety.maxDeletes,
    },
    output: output === undefined ? job.output : { file: resolve(cwd, output) },
  };
}
