import { z } from 'zod';
import { OPERATION_NAMES } from '../../model/operation.js';
import type { JobCode } from '../problem.js';
import { notifySchema } from './connection.js';
import {
  batchSchema,
  duration,
  reconcileKeys,
  runSchema,
  safetySchema,
  sourceSchema,
  text,
  timezone,
} from './sections.js';

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
      .describe('run: one run replaces missed times. skip: they are skipped.'),
    onOverlap: z
      .enum(['skip', 'queue'])
      .default('skip')
      .describe('What happens at a time when the previous run is still in progress.'),
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
        'Result file, .xlsx, .csv or .ndjson, from the folder of the job file; {job}, {run} and {input} (the input file without its extension) are replaced. Default: {job}-{run}.xlsx in results/ next to license-sync.yaml, otherwise next to the folder jobs, otherwise next to the job file.',
      ),
  })
  .prefault({})
  .describe('Where the result goes.');

/** Sections that a job always has: their defaults apply if the file omits them. */
export const DEFAULTED_SECTIONS = { run: runSchema, safety: safetySchema, output: outputSchema } as const;

/** Sections with defaults that a job has only if its file does, each with a minimal valid example. */
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

/** The checked keys that all job files have. */
export type CommonFile = z.output<typeof commonSchema>;

/** A map is checked separately, because its shape depends on the operation. */
const jobMap = z.unknown().optional().meta({
  type: 'object',
  description:
    'Fields of the request and the columns they come from; without it, headers are field names or paths.',
});

const operationKeys = {
  operation: z.enum(OPERATION_NAMES).describe('What the platform is asked to do for each row.'),
  map: jobMap,
  batch: batchSchema,
};

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
        'CEL condition over row["Column"] and, of earlier steps, step["NAME"]["FIELD"]; rows for which it is false are excluded from this step.',
      ),
    onPartial: z
      .enum(['continue', 'stop'])
      .default('continue')
      .describe(
        'If some rows did not succeed in this step: the others continue, or the run stops and can be resumed.',
      ),
    map: jobMap,
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
    .describe('Operations that process each row, one after the other; replaces operation.'),
};

/** A job that sends its rows through several operations (contract section 9). */
export const stepsSchema = z.strictObject({ ...common, ...stepsKeys });

export type StepsFile = z.output<typeof stepsSchema>;

/** A job that sends rows. */
export const jobSchema = z.strictObject({ ...common, ...operationKeys }).describe('A job of license-sync.');

export type JobFile = z.output<typeof jobSchema>;

/** A job that compares rows with the platform's data (contract section 8). */
export const reconcileSchema = z.strictObject({ ...common, ...reconcileKeys });

export type ReconcileFile = z.output<typeof reconcileSchema>;

/** Keys of all kinds of job, with the deciding keys optional: for a job without a kind, and for editors. */
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
