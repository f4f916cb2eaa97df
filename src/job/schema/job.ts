import { z } from 'zod';
import { OPERATION_NAMES } from '../../model/operation.js';
import type { JobCode } from '../problem.js';
import { notifySchema } from './notify.js';
import { reconcileKeys } from './reconcile.js';
import { batchSchema, runSchema, safetySchema } from './run.js';
import { duration, text, timezone } from './shared.js';
import { sourceSchema } from './source.js';

/** Five fields; `cronProblems` checks what they contain. */
const CRON = /^\s*(?:[\dA-Za-z*?,/#-]+\s+){4}[\dA-Za-z*?,/#-]+\s*$/;

const scheduleSchema = z
  .strictObject({
    cron: z
      .string()
      .regex(CRON, { error: 'job.bad_cron' satisfies JobCode })
      .describe('When to run: minute, hour, day of month, month, day of week.'),
    timezone: timezone.optional().describe('IANA name, such as Asia/Shanghai.'),
    onMissed: z
      .enum(['run', 'skip'])
      .default('run')
      .describe('run: missed times are made up for by one run. skip: they are left out.'),
    onOverlap: z
      .enum(['skip', 'queue'])
      .default('skip')
      .describe('What becomes of a time at which the run before is still going.'),
    jitter: duration
      .optional()
      .describe('Puts each start off by up to so much, such as 5m, so that jobs do not all start at once.'),
  })
  .describe('When the scheduler runs this job.');

const outputSchema = z
  .strictObject({
    file: text
      .refine(isOutput, { error: 'job.bad_output' satisfies JobCode })
      .refine(hasKnownPlaceholders, { error: 'job.unknown_placeholder' satisfies JobCode })
      .default('{job}-{run}.xlsx')
      .describe(
        'Result file, .xlsx, .csv or .ndjson, from the folder of the job file; {job}, {run} and {input} (the input file without its extension) are put in. When left out: {job}-{run}.xlsx in results/ beside license-sync.yaml, else beside the folder jobs, else beside the job file.',
      ),
  })
  .prefault({})
  .describe('Where the result goes.');

/** Sections that a job has even where its file leaves them out. */
export const DEFAULTED_SECTIONS = { run: runSchema, safety: safetySchema, output: outputSchema } as const;

/** Sections with defaults that a job has only where its file does, each with the least that it may hold. */
export const CONDITIONAL_SECTIONS = {
  source: { schema: sourceSchema, example: { file: 'rows.xlsx' } },
  schedule: { schema: scheduleSchema, example: { cron: '0 0 * * *' } },
} as const;

/** Keys of every job file. */
const common = {
  version: z.literal(1).describe('Version of this format.'),
  name: z
    .string()
    .regex(/^[\p{L}\p{N}-]{1,60}$/u, { error: 'job.bad_name' satisfies JobCode })
    .describe("Letters, digits and '-'; names runs and result files."),
  description: z.string().optional().describe('What this job is for.'),
  connection: text
    .optional()
    .describe('Connection of license-sync.yaml, or sandbox; --connection overrides.'),
  source: sourceSchema,
  run: runSchema,
  safety: safetySchema,
  output: outputSchema,
  schedule: scheduleSchema.optional(),
  notify: notifySchema,
};

const commonSchema = z.strictObject(common);

/** The part that all job files have, checked. */
export type CommonFile = z.output<typeof commonSchema>;

const operationKeys = {
  operation: z.enum(OPERATION_NAMES).describe('What the platform is asked to do for each row.'),
  map: z.unknown().optional(),
  batch: batchSchema,
};

/** The map is checked apart, as its shape depends on the operation. */
const stepSchema = z
  .strictObject({
    name: z
      .string()
      .regex(/^[\p{L}\p{N}_-]{1,60}$/u, { error: 'job.bad_step_name' satisfies JobCode })
      .describe('What later steps and the result call it, as customer in customer.customerId.'),
    operation: z.enum(OPERATION_NAMES).describe('What the platform is asked to do in this step.'),
    when: text
      .optional()
      .describe(
        'CEL condition over row["Column"] and, of earlier steps, step["NAME"]["FIELD"]; rows where it does not hold are left out of this step.',
      ),
    onPartial: z
      .enum(['continue', 'stop'])
      .default('continue')
      .describe(
        'When some rows did not get through this step: the others go on, or the run stops, to be resumed.',
      ),
    map: z.unknown().optional(),
    batch: batchSchema,
  })
  .describe('One operation that all rows go through before the next step begins.');

const stepsKeys = {
  unmatched: z
    .enum(['invalid', 'skip'])
    .default('invalid')
    .describe('What a row is that the `when` of every step excludes: invalid, or skipped with a warning.'),
  steps: z
    .array(stepSchema)
    .min(1, { error: 'job.no_steps' satisfies JobCode })
    .describe('Operations that each row goes through, one after the other; stands in place of operation.'),
};

/** A job that takes rows through several operations (contract section 9). */
export const stepsSchema = z.strictObject({ ...common, ...stepsKeys });

export type StepsFile = z.output<typeof stepsSchema>;

/** A job that sends rows. The map is checked apart, as its shape depends on the operation. */
export const jobSchema = z.strictObject({ ...common, ...operationKeys }).describe('A job of license-sync.');

export type JobFile = z.output<typeof jobSchema>;

/** A job that compares rows with what the platform holds (contract section 8). */
export const reconcileSchema = z.strictObject({ ...common, ...reconcileKeys });

export type ReconcileFile = z.output<typeof reconcileSchema>;

/** Keys of all kinds of job, with those that say which one it is optional: for a job of no kind, and for editors. */
export const anyJobSchema = z
  .strictObject({
    ...common,
    ...operationKeys,
    ...reconcileKeys,
    ...stepsKeys,
    operation: operationKeys.operation.optional(),
    reconcile: reconcileKeys.reconcile.optional(),
    steps: stepsKeys.steps.optional(),
    unmatched: stepsKeys.unmatched.optional(),
  })
  .describe('A job of license-sync.');

/** Keys that only one kind of job has. */
export const OWN_KEYS = {
  operation: Object.keys(operationKeys),
  reconcile: Object.keys(reconcileKeys),
  steps: Object.keys(stepsKeys),
} as const;

export type JobKind = keyof typeof OWN_KEYS;

function isOutput(file: string): boolean {
  return /\.(xlsx|csv|ndjson)$/i.test(file);
}

function hasKnownPlaceholders(file: string): boolean {
  return [...file.matchAll(/\{([^{}]*)\}/g)].every(([, name]) => /^(job|run|input)$/.test(name ?? ''));
}
