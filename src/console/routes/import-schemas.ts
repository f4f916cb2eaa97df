import { z } from 'zod';

export const importId = z.object({ import: z.string().max(60) });
export const countsSchema = z.record(z.string(), z.number());
/** Errors grouped by kind, for the list above the grid, its filter and its fixes. */
export const faultsSchema = z.array(
  z.object({
    kind: z.string(),
    code: z.string().optional(),
    text: z.string(),
    count: z.int(),
    /** Row number (as in Excel) of the first cell. */
    first: z.int(),
    /** Column number (A is 1) of the first cell of this sheet with the error. */
    column: z.int().optional(),
    /** No correct value can be proposed. */
    unmendable: z.literal(true).optional(),
    /** The error is in no cell of the grid, so the file has to be corrected. */
    outside: z.literal(true).optional(),
  }),
);
export const importRowSchema = z.object({
  /** Row number as in Excel. */
  row: z.int(),
  status: z.string(),
  /** In the order of the columns. */
  cells: z.array(z.string()),
  /** Errors; those of the whole row have no column. */
  faults: z.array(z.object({ column: z.int().optional(), text: z.string(), code: z.string().optional() })),
  /** Columns of corrected cells. */
  corrected: z.array(z.int()),
  hidden: z.literal(true).optional(),
});
export const correctionsSchema = z.object({ cells: z.int(), canUndo: z.boolean(), canRedo: z.boolean() });

/** The state of an import. */
export const importViewSchema = z.object({
  import: z.string(),
  by: z.string(),
  at: z.string(),
  name: z.string(),
  job: z.string(),
  /** The job was guessed and is not saved yet. */
  guessed: z.boolean(),
  operation: z.string().optional(),
  connection: z.object({ name: z.string(), host: z.string().optional(), sandbox: z.boolean() }).optional(),
  sheet: z.string().optional(),
  /** Whether the job uses lookups. `lookups`: `asked`: the check sends them; `given`: their cells are treated as present. */
  hasLookups: z.boolean(),
  lookups: z.enum(['given', 'asked']),
  state: z.enum(['checking', 'checked', 'failed']),
  /** The whole sheet is being checked again after corrections. */
  checkingAgain: z.boolean(),
  /** Changes when rows may have changed. */
  version: z.int(),
  check: z.string().optional(),
  plan: z.string().optional(),
  /** The job's `onInvalid`; absent if the job cannot be loaded. */
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

export const columnsSchema = z.object({
  headers: z.array(
    z.object({
      /** As in Excel: A is 1. */
      column: z.int(),
      letter: z.string(),
      text: z.string(),
      /** The operation's field that the column is mapped to; absent if the column is unused. */
      field: z.string().optional(),
      type: z.string().optional(),
      /** Allowed texts, if the field is restricted to some. */
      allowed: z.array(z.string()).optional(),
      /** Display names of allowed texts, by text: `company (enterprise)` by `company`. */
      names: z.record(z.string(), z.string()).optional(),
    }),
  ),
  headerRow: z.int(),
  rowCount: z.int(),
});

/** Positions of invalid rows in the sheet, run-length encoded: alternately the number of rows skipped and of rows listed. */
export const invalidPositionsSchema = z.object({
  places: z.array(z.int()),
  total: z.int(),
  version: z.int(),
});

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

/** The response to corrections, undo and redo. */
export const correctedSchema = z.object({
  rows: z.array(importRowSchema),
  counts: countsSchema,
  faults: faultsSchema,
  corrections: correctionsSchema,
  checking: z.boolean(),
});

/** Proposed corrections of all cells with one kind of error. */
export const proposalsSchema = z.object({
  cells: z.array(z.object({ row: z.int(), column: z.int(), before: z.string(), text: z.string() })),
  /** `faulty`: inspected cells with the error; `left`: rows not inspected. */
  faulty: z.int(),
  left: z.int(),
});
