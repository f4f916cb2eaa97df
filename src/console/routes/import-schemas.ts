import { z } from 'zod';

export const importId = z.object({ import: z.string().max(60) });
export const countsSchema = z.record(z.string(), z.number());
/** All faults of one kind: what the list above the grid tells, filters by and mends. */
export const faultsSchema = z.array(
  z.object({
    kind: z.string(),
    code: z.string().optional(),
    text: z.string(),
    count: z.int(),
    /** Excel's row of the first. */
    first: z.int(),
    /** Excel's column of the first cell of this sheet that has it. */
    column: z.int().optional(),
    /** No text can be proposed that would be right in its cells. */
    unmendable: z.literal(true).optional(),
    /** In no cell of the grid: the file has to be corrected. */
    outside: z.literal(true).optional(),
  }),
);
export const importRowSchema = z.object({
  /** As Excel numbers it. */
  row: z.int(),
  status: z.string(),
  /** In the order of the columns. */
  cells: z.array(z.string()),
  /** Without a column: of the row as a whole. */
  faults: z.array(z.object({ column: z.int().optional(), text: z.string(), code: z.string().optional() })),
  /** Columns whose cells were corrected. */
  corrected: z.array(z.int()),
  hidden: z.literal(true).optional(),
});
export const correctionsSchema = z.object({ cells: z.int(), canUndo: z.boolean(), canRedo: z.boolean() });

/** How an import stands. */
export const importShownSchema = z.object({
  import: z.string(),
  by: z.string(),
  at: z.string(),
  name: z.string(),
  job: z.string(),
  /** The job was guessed, and nobody saved it yet. */
  guessed: z.boolean(),
  operation: z.string().optional(),
  connection: z.object({ name: z.string(), host: z.string().optional(), sandbox: z.boolean() }).optional(),
  sheet: z.string().optional(),
  /** The job looks things up at the platform; by `lookups` they are asked at the check, or what they fill counts as given. */
  hasLookups: z.boolean(),
  lookups: z.enum(['given', 'asked']),
  state: z.enum(['checking', 'checked', 'failed']),
  /** Corrections are being checked over the whole sheet. */
  checkingAgain: z.boolean(),
  /** Changes when rows may have changed. */
  version: z.int(),
  check: z.string().optional(),
  plan: z.string().optional(),
  /** What the job says of invalid rows; absent where it can't be loaded. */
  onInvalid: z.enum(['abort', 'skip']).optional(),
  counts: countsSchema,
  rows: z.int().optional(),
  progress: z.object({ stage: z.string(), done: z.int(), total: z.int().optional() }).optional(),
  faults: faultsSchema,
  corrections: correctionsSchema,
  correctedBy: z.array(z.string()),
  warnings: z.array(z.string()),
  failure: z.object({ code: z.string(), text: z.string(), others: z.array(z.string()) }).optional(),
});

/** The columns of a sheet, for a grid. */
export const columnsSchema = z.object({
  headers: z.array(
    z.object({
      /** Excel's: A is 1. */
      column: z.int(),
      letter: z.string(),
      text: z.string(),
      /** The field of the operation that the column goes to; none for a column that is not used. */
      field: z.string().optional(),
      type: z.string().optional(),
      /** Texts that the field takes, if it takes only some. */
      allowed: z.array(z.string()).optional(),
    }),
  ),
  headerRow: z.int(),
  rowCount: z.int(),
});

/** Where faulty rows stand in the sheet: in turns, how many places are passed over and how many are listed. */
export const faultySchema = z.object({ places: z.array(z.int()), total: z.int(), version: z.int() });

/** The history of corrections. */
export const historySchema = z.object({
  items: z.array(
    z.object({
      n: z.int(),
      row: z.int(),
      column: z.int(),
      header: z.string(),
      before: z.string(),
      text: z.string(),
      who: z.string(),
      at: z.string(),
      undone: z.object({ at: z.string(), by: z.string() }).optional(),
    }),
  ),
});

/** What corrections, and undoing and redoing them, answer. */
export const correctedSchema = z.object({
  rows: z.array(importRowSchema),
  counts: countsSchema,
  faults: faultsSchema,
  corrections: correctionsSchema,
  checking: z.boolean(),
});

/** What would mend the faulty cells of one kind. */
export const proposalsSchema = z.object({
  cells: z.array(z.object({ row: z.int(), column: z.int(), before: z.string(), text: z.string() })),
  /** Cells with the fault that were looked at, and rows that were not. */
  faulty: z.int(),
  left: z.int(),
});
