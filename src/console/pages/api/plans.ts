import type { z } from 'zod';
import type { differenceSchema, planSchema } from '../../routes/run-schemas.js';

export type PlanAnswer = z.infer<typeof planSchema>;

/** What a plan would send by one operation. */
export type PlannedOperation = PlanAnswer['operations'][number];

/** What is said of a plan by people. */
export type ApprovalLineAnswer = PlanAnswer['approval']['lines'][number];

/** Rows that are left out for one reason. */
export type LeftOutAnswer = PlanAnswer['skipped'][number];

export type DifferenceAnswer = z.infer<typeof differenceSchema>;
