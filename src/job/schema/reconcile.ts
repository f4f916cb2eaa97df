import { z } from 'zod';
import { RECONCILED } from '../../model/drift.js';
import { OPERATION_NAMES } from '../../model/operation.js';
import { batchSchema } from './run.js';
import { text } from './shared.js';

export const ACTION_OCCASIONS = ['missing', 'different', 'extra'] as const;

/** The map is checked apart, as its shape depends on the operation. */
const actionSchema = z
  .strictObject({
    on: z
      .enum(ACTION_OCCASIONS)
      .describe(
        'missing: no record. different: a record with other values. extra: a record that no row names.',
      ),
    when: text
      .optional()
      .describe('CEL condition over row["Column"], expected.FIELD and actual.FIELD; all when left out.'),
    operation: z.enum(OPERATION_NAMES).describe('What the platform is then asked to do.'),
    map: z.unknown().optional(),
    batch: batchSchema,
  })
  .describe('What is done about a difference; carried out with --apply only.');

/** Keys of a job that compares, beside those of every job; key and expect depend on what is compared. */
export const reconcileKeys = {
  reconcile: z.enum(RECONCILED).describe('What the rows are compared with; stands in place of operation.'),
  key: z.unknown().optional(),
  expect: z.unknown().optional(),
  extra: z
    .enum(['report', 'ignore'])
    .default('report')
    .describe('Records that no row names: told as extra, or none of this job’s business.'),
  actions: z
    .array(actionSchema)
    .default([])
    .describe('What may be done about differences; carried out with --apply only.'),
};
