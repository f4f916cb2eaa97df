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
    /** The error is in no cell of the grid, so the file has to be corrected. */
    outside: z.literal(true).optional(),
  }),
);
export const importRowSchema = z.object({
  /** Row number as in Excel. */
  row: z.int(),
  /** From 0, among the rows of the sheet. */
  position: z.int().optional(),
  status: z.string(),
  /** In the order of the columns. */
  cells: z.array(z.string()),
  /** Errors; those of the whole row have no column. */
  faults: z.array(z.object({ column: z.int().optional(), text: z.string(), code: z.string().optional() })),
  /** Columns of corrected cells. */
  corrected: z.array(z.int()),
  excluded: z.literal(true).optional(),
  hidden: z.literal(true).optional(),
});
export const firstRowsSchema = z.object({ headers: z.array(z.string()), items: z.array(importRowSchema) });
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
  /** Other users who are working on it now. */
  others: z.array(z.string()),
  /** Exceeded limits, and an approval that sending requires. */
  limits: z.array(z.string()),
  warnings: z.array(z.string()),
  failure: z.object({ code: z.string(), text: z.string(), others: z.array(z.string()) }).optional(),
});

const matchSchema = z.strictObject({
  field: z.string().max(400),
  /** The header of the column that fills the field. */
  column: z.string().max(32_767).optional(),
  /** A constant, in place of a column. */
  value: z.string().max(32_767).optional(),
  /** Of dates, several separated by ` | ` in the view; an empty text removes it. */
  format: z.string().max(400).optional(),
  /** A date is read as the end of its day. */
  end: z.boolean().optional(),
  values: z.record(z.string().max(32_767), z.string().max(32_767)).optional(),
});

/** How the columns of a file are matched with a job; `job` or `guess` names the job. */
export const matchingSchema = z.object({
  upload: z.string(),
  name: z.string().max(400).optional(),
  job: z.string().max(400).optional(),
  /** Guess the job, in place of `job`. */
  guess: z.literal(true).optional(),
  operation: z.string().max(400).optional(),
  sheet: z.string().max(200).optional(),
  connection: z.string().max(200).optional(),
  matches: z.array(matchSchema).max(1000).optional(),
  /** New names of columns that no field reads directly, by their names in the job. */
  renames: z.record(z.string().max(32_767), z.string().max(32_767)).optional(),
  /** Start from the user's last match of the same job and headers. */
  remember: z.boolean().optional(),
  /** `base` of the view that the user saw: refused if the job has changed since. */
  base: z.string().max(64).optional(),
});

/** The columns of a file and the fields of its job, with the matches applied. */
export const matchedSchema = z.object({
  base: z.string(),
  /** The import whose match this is. */
  remembered: z.object({ name: z.string(), at: z.string() }).optional(),
  operation: z.string(),
  steps: z.array(z.string()),
  connection: z.string().optional(),
  sheet: z.string(),
  columns: z.array(
    z.object({
      column: z.int(),
      letter: z.string(),
      header: z.string(),
      samples: z.array(z.string()),
      /** Other columns have the same header, so that no job can read it. */
      isRepeated: z.boolean(),
    }),
  ),
  fields: z.array(
    z.object({
      field: z.string(),
      meaning: z.string(),
      isRequired: z.boolean(),
      isDate: z.boolean(),
      allowed: z.array(z.object({ value: z.string(), name: z.string() })).optional(),
      /** The job reads the field from another sheet. */
      sheet: z.string().optional(),
      column: z.int().optional(),
      /** The column that the job reads, if the sheet does not have it. */
      lacks: z.string().optional(),
      format: z.string().optional(),
      end: z.boolean().optional(),
      value: z.string().optional(),
      /** Neither a column nor a constant fills it. */
      isOther: z.boolean(),
      /** Of a guess: `sure`, `likely` or `unsure`. */
      sure: z.string().optional(),
      /** Texts of the column with an unknown meaning. */
      open: z.array(z.string()).optional(),
    }),
  ),
  /** Columns that the job reads elsewhere and that the sheet does not have. */
  missing: z.array(z.string()),
  questions: z.array(z.string()),
  /** A guessed job. */
  yaml: z.string().optional(),
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

/** Positions of rows in the sheet, run-length encoded: alternately the number of rows skipped (negative: backwards) and of rows listed. */
export const rowPositionsSchema = z.object({
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

/** Cells that other users changed, with their current texts. */
export const changedCellsSchema = z.array(
  z.object({ row: z.int(), column: z.int(), text: z.string(), who: z.string(), at: z.iso.datetime() }),
);

/** The cells with one kind of error, each with its proposed text. */
export const proposalsSchema = z.object({
  cells: z.array(
    z.object({ row: z.int(), column: z.int(), before: z.string(), text: z.string().optional() }),
  ),
  /** Rows not inspected. */
  left: z.int(),
});

/** An import in lists. */
export const importListItemSchema = z.object({
  id: z.string(),
  by: z.string(),
  at: z.string(),
  name: z.string(),
  job: z.object({ file: z.string(), guessed: z.boolean() }),
  state: z.enum(['checking', 'checked', 'failed']),
  check: z.string().optional(),
  plan: z.string().optional(),
});
