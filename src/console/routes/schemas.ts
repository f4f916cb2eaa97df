import { z } from 'zod';
import { ROLES } from '../../model/person.js';
import { stepSchema } from './run-schemas.js';

// What endpoints answer. Pages take their types from here, so nothing of the server is imported.

const time = z.iso.datetime();
const LANGUAGES = ['en', 'zh'] as const;

/** How one signs in; nothing of what is in the ledger. */
export const signInSchema = z.object({
  /** By an API token: a form with the field `API token`. */
  token: z.boolean(),
  /** Where the browser goes to sign in at the OpenID provider. */
  oidc: z.string().optional(),
  /** By the address that the console printed. */
  link: z.boolean(),
  languages: z.array(z.enum(LANGUAGES)),
  version: z.string(),
  /** What went wrong on the way here. */
  problem: z.object({ code: z.string(), text: z.string() }).optional(),
});

/** Who is signed in, and what this console stands on. */
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

/** A job made from the headers of a file. */
export const guessSchema = z.object({
  /** A name for the job file. */
  file: z.string(),
  yaml: z.string(),
  operation: z.string(),
  /** `name: operation` of each, for a job of several. */
  steps: z.array(z.string()).optional(),
  questions: z.array(z.string()),
  /** How sure it is: `sure`, `likely`, `unsure`. */
  columns: z.array(z.object({ header: z.string(), field: z.string(), sheet: z.string(), sure: z.string() })),
  /** Required fields without a column. */
  lacking: z.array(z.string()),
  unused: z.array(z.string()),
  proposals: z.array(z.object({ operation: z.string(), score: z.number() })),
});

/** A job file of the folder `jobs`. */
export const jobSchema = z.object({
  file: z.string(),
  name: z.string(),
  kind: z.enum(['run', 'reconcile']),
  operation: z.string().optional(),
  connection: z.string().optional(),
  description: z.string().optional(),
  /** Why it can't be used. */
  problem: z.string().optional(),
});

export const templateSchema = z.object({ operation: z.string(), purpose: z.string(), nested: z.boolean() });

/** A connection of `license-sync.yaml`, without its credential. */
export const connectionSchema = z.object({
  name: z.string(),
  sandbox: z.boolean(),
  /** Where requests go: host and port. */
  host: z.string().optional(),
  isDefault: z.boolean(),
  confirm: z.enum(['default', 'always']).optional(),
  approval: z.object({ operations: z.array(z.string()).optional(), above: z.number().optional() }).optional(),
  requestsPerSecond: z.number().optional(),
  maxInFlight: z.number().optional(),
  /** Why it can't be used on this machine. */
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
});

/** The token is told once: only its digest is kept. */
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
  /** For people, in the reader's language. */
  words: z.object({ act: z.string(), detail: z.string() }),
});

export const checkedSchema = z.object({
  sound: z.int(),
  fault: z.object({ n: z.int(), text: z.string() }).optional(),
});

/** A row of a comparison's result that isn't in sync. */
export const driftSchema = z.object({
  /** Of the result, by which the next page is asked for. */
  line: z.int(),
  /** As Excel numbers it in the source; absent for a record that no row names. */
  row: z.int().optional(),
  status: z.string(),
  fields: z.array(
    z.object({ field: z.string(), expected: z.string().optional(), actual: z.string().optional() }),
  ),
  /** What the job's actions would do, or did, and what came of it. */
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

/** What would come of a row, or came of it. */
export const cameSchema = z.object({
  row: z.int(),
  status: z.string(),
  code: z.string().optional(),
  message: z.string().optional(),
  licenseOrderId: z.string().optional(),
  columns: z.record(z.string(), z.string()),
});

export const rehearsedRowsSchema = z.object({ items: z.array(cameSchema), next: z.int().optional() });

export const rehearsalDifferencesSchema = z.object({
  items: z.array(
    z.object({
      row: z.int(),
      rehearsed: cameSchema.optional(),
      happened: cameSchema.optional(),
      columns: z.array(z.string()),
    }),
  ),
  /** Rows that were compared for this page. */
  compared: z.int(),
  next: z.int().optional(),
});
