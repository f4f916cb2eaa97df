import { z } from 'zod';

export const importId = z.object({ import: z.string().max(60) });
export const countsSchema = z.record(z.string(), z.number());
export const faultsSchema = z.array(
  z.object({
    kind: z.string(),
    code: z.string().optional(),
    text: z.string(),
    count: z.int(),
    first: z.int(),
    /** Of the first cell of this sheet that has it. */
    column: z.int().optional(),
    /** No text can be proposed that would be right in its cells. */
    unmendable: z.literal(true).optional(),
    /** In no cell of the grid: the file has to be corrected. */
    outside: z.literal(true).optional(),
  }),
);
export const importRowSchema = z.object({
  row: z.int(),
  status: z.string(),
  cells: z.array(z.string()),
  faults: z.array(z.object({ column: z.int().optional(), text: z.string(), code: z.string().optional() })),
  corrected: z.array(z.int()),
  hidden: z.literal(true).optional(),
});
export const correctionsSchema = z.object({ cells: z.int(), canUndo: z.boolean(), canRedo: z.boolean() });
