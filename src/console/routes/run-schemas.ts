import { z } from 'zod';

const counts = z.record(z.string(), z.int());

export const approvalSchema = z.object({
  state: z.enum(['not_asked', 'waiting', 'approved', 'expired', 'rejected', 'applied']),
  by: z.string().optional(),
  at: z.string().optional(),
  comment: z.string().optional(),
  until: z.string().optional(),
  appliedBy: z.string().optional(),
  appliedAt: z.string().optional(),
  makers: z
    .array(
      z.object({
        who: z.string(),
        did: z.enum(['planned', 'uploaded', 'imported', 'corrected', 'changed_job']),
      }),
    )
    .optional(),
  lines: z.array(
    z.object({
      act: z.enum(['request', 'approve', 'reject']),
      by: z.string(),
      at: z.string(),
      comment: z.string().optional(),
      until: z.string().optional(),
    }),
  ),
});

/** By action: true, or why it is not possible now. Actions that do not apply are absent. */
const permissionsSchema = z.record(z.string(), z.union([z.literal(true), z.string()]));

/** A run in lists. */
export const runListItemSchema = z.object({
  run: z.string(),
  kind: z.enum(['run', 'dry_run', 'plan', 'reconcile']),
  job: z.string(),
  operation: z.string(),
  connection: z.string(),
  host: z.string().optional(),
  sandbox: z.boolean().optional(),
  parent: z.string().optional(),
  step: z.int().optional(),
  reverts: z.string().optional(),
  revertedBy: z
    .array(z.object({ run: z.string(), rows: z.int(), succeeded: z.int(), plan: z.literal(true).optional() }))
    .optional(),
  state: z.string(),
  next: z.string().optional(),
  by: z.string().optional(),
  started: z.string(),
  /** When a stored plan was sent. */
  applied: z.string().optional(),
  ended: z.string().optional(),
  input: z.string(),
  inputSha256: z.string(),
  rows: z.int(),
  items: z.int(),
  counts,
  requests: z.int(),
  retries: z.int(),
  exitCode: z.int().optional(),
  output: z.string().optional(),
  reason: z.string().optional(),
  planHash: z.string().optional(),
  /** Sending the plan was rejected before its first request; it can be sent again from its page. */
  refused: z.literal(true).optional(),
  approval: approvalSchema.optional(),
});

export const stepSchema = z.object({
  name: z.string(),
  operation: z.string(),
  run: z.string().optional(),
  status: z.string(),
  rows: z.int(),
  counts,
  requests: z.int(),
  retries: z.int(),
});

const importSchema = z.object({ id: z.string(), name: z.string() });

/** A run with details. */
export const runSchema = runListItemSchema.extend({
  import: importSchema.optional(),
  /** Who stopped it, if it has not been resumed since. */
  stopped: z.object({ by: z.string(), at: z.string() }).optional(),
  steps: z.array(stepSchema).optional(),
  warnings: z.array(z.string()),
  resolved: z.array(z.looseObject({ at: z.string(), who: z.string(), rows: z.array(z.int()) })),
  /** When the plan was last rehearsed. */
  rehearsed: z.string().optional(),
  may: permissionsSchema,
});

/** Data of the chart of a finished run. */
export const timelineSchema = z.object({ series: z.array(z.tuple([z.int(), counts])) });

/** The outcome of a row. */
export const rowSchema = z.object({
  row: z.int(),
  status: z.string(),
  licenseOrderId: z.string().optional(),
  code: z.string().optional(),
  message: z.string(),
  attempts: z.int(),
  columns: z.record(z.string(), z.string()),
  about: z.array(z.string()),
});

export const differenceSchema = z.object({
  kind: z.string(),
  depth: z.union([z.literal(0), z.literal(1)]),
  text: z.string(),
});

/** A plan as shown before it is sent. */
export const planSchema = z.object({
  run: z.string(),
  version: z.string(),
  job: z.string(),
  state: z.string(),
  input: z.string(),
  hash: z.string().optional(),
  by: z.string().optional(),
  madeAt: z.string(),
  rows: z.int(),
  items: z.int(),
  counts,
  operations: z.array(
    z.object({
      operation: z.string(),
      step: z.string().optional(),
      items: z.int(),
      /** Absent until the step is planned: the number depends on the results of earlier steps. */
      requests: z.int().optional(),
      irreversible: z.boolean(),
      reversal: z.string(),
      deletes: z.boolean(),
    }),
  ),
  first: z.array(
    z.looseObject({ method: z.string(), url: z.string(), operation: z.string(), items: z.int() }),
  ),
  skipped: z.array(
    z.object({ reason: z.string(), status: z.string(), count: z.int(), rows: z.array(z.int()) }),
  ),
  /** Last row that was inspected for `skipped`; absent if all were. */
  skippedUntil: z.int().optional(),
  difference: z.array(differenceSchema),
  /** Rows that this job sent before and whose locks or customers were changed by later runs; `send` requires `latest`. */
  changed: z.object({ count: z.int(), rows: z.string(), runs: z.string(), latest: z.int() }).optional(),
  /** Differences from the job's last approved plan, or else from the last one for which approval was requested. */
  sinceAsked: z
    .object({ run: z.string(), approved: z.boolean(), lines: z.array(differenceSchema) })
    .optional(),
  approval: approvalSchema.extend({ needed: z.boolean() }),
  /** How the plan treats invalid rows: `abort`: nothing can be sent; `skip`: they are excluded. */
  onInvalid: z.enum(['abort', 'skip']),
  import: importSchema.optional(),
  connection: z.object({ name: z.string(), host: z.string().optional(), sandbox: z.boolean() }),
  /** The plan was applied. Without `requests` nothing was sent, or not yet while it `goesOn`. */
  sent: z.object({ by: z.string(), at: z.string(), requests: z.int(), goesOn: z.boolean() }).optional(),
  /** Why the last attempt to send was rejected before the first request. */
  refused: z.string().optional(),
  warnings: z.array(z.string()),
  corrections: z.int().optional(),
  reverts: z.string().optional(),
  parent: z.string().optional(),
  rehearsed: z.string().optional(),
  may: permissionsSchema,
});

/** Rows that a plan sends: the cells of the sheet, and the fields that the cells do not show. */
export const planRowsSchema = z.object({
  headers: z.array(z.string()),
  items: z.array(
    z.object({
      row: z.int(),
      /** In the order of the headers; `before` only if the cell was corrected. */
      cells: z.array(z.object({ text: z.string(), before: z.string().optional() })),
      fields: z.array(z.object({ name: z.string(), text: z.string() })),
    }),
  ),
  next: z.int().optional(),
  total: z.int().optional(),
});
