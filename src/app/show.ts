import path from 'node:path';
import type { ValueOrigin } from '../job/show/origin.js';
import { type ShownEntry, type ShownValue, shownJob } from '../job/show/shown-job.js';
import { shownYaml } from '../job/show/shown-yaml.js';
import type { Scalar } from '../model/map.js';
import type { AppContext } from './context.js';
import { jobReading } from './job-reading.js';

/** One value of a job, and where it comes from. */
export interface JobValue extends ValueOrigin {
  /** From the top: `run.retries`, `actions.0.operation`. */
  readonly path: string;
  readonly value: Scalar | null | readonly (Scalar | null)[];
}

/** `show`: a job as it counts, with fragments, defaults and `--set`. It is checked, its spreadsheet isn't looked at. */
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
    ...(configFile === undefined ? {} : { configFile }),
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
