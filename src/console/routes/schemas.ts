import { z } from 'zod';
import { ROLES } from '../../model/console.js';
import { stepSchema } from './run-schemas.js';

// Response schemas. Pages import only the types, so their bundle contains no server code.

const time = z.iso.datetime();
const LANGUAGES = ['en', 'zh'] as const;

/** The available kinds of sign-in. Contains no data of the ledger. */
export const signInSchema = z.object({
  /** A form with the field `API token`. */
  token: z.boolean(),
  /** Address that starts the sign-in at the OpenID provider. */
  oidc: z.string().optional(),
  /** The address that the console printed. */
  link: z.boolean(),
  languages: z.array(z.enum(LANGUAGES)),
  version: z.string(),
  /** Why the last sign-in failed. */
  problem: z.object({ code: z.string(), text: z.string() }).optional(),
});

/** The signed-in user and the console's ledger. */
export const sessionSchema = z.object({
  who: z.string(),
  roles: z.array(z.string()),
  signedInBy: z.enum(['link', 'token', 'oidc', 'bearer']),
  ledger: z.object({ kind: z.enum(['sqlite', 'postgres']), people: z.boolean() }),
  languages: z.array(z.enum(LANGUAGES)),
  version: z.string(),
});

export const uploadSchema = z.object({
  upload: z.string(),
  name: z.string(),
  size: z.int(),
  sheets: z.array(z.object({ name: z.string(), hidden: z.boolean() })),
});

/** A job file in the folder `jobs`. */
export const jobSchema = z.object({
  file: z.string(),
  name: z.string(),
  kind: z.enum(['run', 'reconcile']),
  operation: z.string().optional(),
  connection: z.string().optional(),
  description: z.string().optional(),
  /** Why the job cannot be used. */
  problem: z.string().optional(),
});

export const templateSchema = z.object({ operation: z.string(), purpose: z.string(), nested: z.boolean() });

/** A connection of `license-sync.yaml`, without its credential. */
export const connectionSchema = z.object({
  name: z.string(),
  sandbox: z.boolean(),
  /** Host and port of the platform. */
  host: z.string().optional(),
  isDefault: z.boolean(),
  confirm: z.enum(['default', 'always']).optional(),
  approval: z.object({ operations: z.array(z.string()).optional(), above: z.number().optional() }).optional(),
  requestsPerSecond: z.number().optional(),
  maxInFlight: z.number().optional(),
  /** Why the connection cannot be used on this machine. */
  problems: z.array(z.string()).optional(),
});

export const findingsSchema = z.object({
  ok: z.boolean(),
  steps: z.array(
    z.object({
      step: z.string(),
      state: z.enum(['ok', 'warning', 'fault', 'skipped']),
      code: z.string(),
      message: z.string(),
    }),
  ),
});

export const scheduleSchema = z.object({
  job: z.string(),
  /** Relative to the console's folder. */
  file: z.string(),
  kind: z.enum(['run', 'reconcile']),
  connection: z.string(),
  cron: z.string(),
  timezone: z.string(),
  next: z.array(time),
  last: z.object({ due: time, exitCode: z.int().optional(), run: z.string().optional() }).optional(),
  lastRun: z.object({ run: z.string(), state: z.string(), started: time }).optional(),
  paused: z.object({ by: z.string(), at: time }).optional(),
});

export const personSchema = z.object({
  name: z.string(),
  roles: z.array(z.enum(ROLES)),
  subject: z.string().optional(),
  added: time,
  tokenExpires: time.optional(),
  /** Users whose plans this user cannot approve until another admin confirms, and until when. */
  unconfirmed: z.array(z.object({ by: z.string(), until: time })).optional(),
});

export const policySchema = z.object({
  host: z.string(),
  approval: z.object({ operations: z.array(z.string()).optional(), above: z.number().optional() }),
  by: z.string(),
  since: time,
  /** Which plans require approval, in the language of the request. */
  words: z.string(),
});

export const consoleSessionSchema = z.object({
  id: z.string(),
  who: z.string(),
  by: z.enum(['link', 'token', 'oidc']),
  since: time,
  seen: time,
  expires: time,
});

/** The token is returned only once: the ledger contains its digest. */
export const tokenSchema = z.object({ person: personSchema, token: z.string() });

export const auditLineSchema = z.object({
  n: z.int(),
  at: time,
  who: z.string(),
  act: z.string(),
  run: z.string().nullable(),
  detail: z.record(z.string(), z.unknown()),
  prev: z.string(),
  hash: z.string(),
  /** Readable texts in the language of the request. */
  words: z.object({ act: z.string(), detail: z.string() }),
});

export const auditPageSchema = z.object({
  items: z.array(auditLineSchema),
  next: z.int().optional(),
  /** All kinds of entries, named in the language of the request. */
  acts: z.array(z.object({ act: z.string(), name: z.string() })),
});

export const checkedSchema = z.object({
  sound: z.int(),
  fault: z.object({ n: z.int(), text: z.string() }).optional(),
});

/** A row of a comparison that is not in sync. */
export const driftSchema = z.object({
  /** Position in the result; the cursor of the next page. */
  line: z.int(),
  /** Row number in the source, as in Excel; absent for a record without a row. */
  row: z.int().optional(),
  status: z.string(),
  fields: z.array(
    z.object({ field: z.string(), expected: z.string().optional(), actual: z.string().optional() }),
  ),
  /** What the job's actions would do or did, and the outcome. */
  action: z.string().optional(),
  outcome: z.string().optional(),
  message: z.string().optional(),
});

export const comparisonSchema = z.object({
  run: z.looseObject({ run: z.string(), job: z.string(), state: z.string() }),
  drift: z.array(driftSchema),
  next: z.int().optional(),
  gone: z.string().optional(),
  plans: z.array(z.object({ run: z.string(), job: z.string(), operation: z.string(), items: z.int() })),
});

export const rehearsalSchema = z.object({
  run: z.string(),
  state: z.enum(['none', 'running', 'failed', 'over']),
  job: z.string(),
  connection: z.string(),
  operation: z.string(),
  input: z.string(),
  /** The plan was sent. */
  sent: z.boolean(),
  progress: z.object({ stage: z.string(), done: z.int(), total: z.int().optional() }).optional(),
  failure: z.string().optional(),
  by: z.string().optional(),
  ended: z.string().optional(),
  rows: z.int().optional(),
  counts: z.record(z.string(), z.int()).optional(),
  steps: z.array(stepSchema.omit({ run: true })).optional(),
  warnings: z.array(z.string()).optional(),
  result: z.boolean().optional(),
  comparable: z.boolean().optional(),
});

/** The expected or actual outcome of a row. */
export const rehearsedRowSchema = z.object({
  row: z.int(),
  status: z.string(),
  code: z.string().optional(),
  message: z.string().optional(),
  licenseOrderId: z.string().optional(),
  columns: z.record(z.string(), z.string()),
});

export const rehearsedRowsSchema = z.object({ items: z.array(rehearsedRowSchema), next: z.int().optional() });

export const rehearsalDifferencesSchema = z.object({
  items: z.array(
    z.object({
      row: z.int(),
      rehearsed: rehearsedRowSchema.optional(),
      happened: rehearsedRowSchema.optional(),
      columns: z.array(z.string()),
    }),
  ),
  /** Number of rows compared for this page. */
  compared: z.int(),
  next: z.int().optional(),
});
