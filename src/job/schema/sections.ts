import { z } from 'zod';
import { RECONCILED } from '../../model/comparison.js';
import { OPERATION_NAMES } from '../../model/operation.js';
import { LONGEST_TIMER_MS } from '../../util/clock.js';
import type { JobCode } from '../problem.js';

/** A check's own message code, which zod passes on as `error`. The problem then has the parameters `{key}` and `{value}`. */
const code = <C extends JobCode>(error: C) => ({ error });

const DURATION = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|m|h)$/;
const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Milliseconds of `30s`, `500ms`, `2m`, `1h`, `1.5s`; NaN for anything else. */
export function durationMs(text: string): number {
  const [, amount, unit] = DURATION.exec(text) ?? [];
  return amount === undefined ? Number.NaN : Math.round(Number(amount) * UNITS[unit!]!);
}

export const duration = z
  .string()
  .regex(DURATION, code('job.bad_duration'))
  .refine(
    (text) =>
      Number.isNaN(durationMs(text)) || (durationMs(text) >= 1 && durationMs(text) <= LONGEST_TIMER_MS),
    {
      error: 'job.bad_duration' satisfies JobCode,
    },
  );

export const text = z.string().min(1, code('job.empty_text'));

/** A program with its arguments; no shell is involved. */
export const argv = z.array(text).min(1, code('job.empty_command'));

/** The sources of a secret. @param inlined the code of the problem if the file contains the secret itself */
export function secretPlace<More extends z.ZodRawShape>(what: string, inlined: JobCode, more: More) {
  const env = text.regex(/^[A-Za-z_][A-Za-z0-9_]*$/, code('job.bad_variable_name')).optional();
  return z.strictObject(
    {
      env: env.describe(`Environment variable that holds the ${what}.`),
      file: text.optional().describe(`File that holds the ${what}, from the folder of this file.`),
      ...more,
    },
    { error: (issue) => (issue.code === 'invalid_type' ? inlined : undefined) },
  );
}

export const rate = z.number().gt(0).max(100_000);

export const timezone = text.refine(isTimezone, { error: 'job.unknown_timezone' satisfies JobCode });

function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

export const batchSchema = z
  .strictObject({
    size: z
      .int()
      .min(1)
      .max(10_000)
      .optional()
      .describe('Maximum number of items in one request; default 1 for orders and 100 for locks.'),
  })
  .prefault({})
  .describe('How items share requests.');

export const runSchema = z
  .strictObject({
    concurrency: z.int().min(1).max(1000).default(8).describe('Maximum number of requests in flight.'),
    requestsPerSecond: rate
      .optional()
      .describe('Limit on requests; where the connection has one too, the lower one holds.'),
    timeout: duration
      .default('30s')
      .describe('Time allowed for one attempt in all, such as 500ms, 30s or 2m.'),
    retries: z
      .int()
      .min(0)
      .max(100)
      .default(4)
      .describe('Attempts after the first one, where a retry is safe.'),
    patience: duration
      .default('15m')
      .describe(
        'Maximum wait time for pauses that the platform requests (HTTP 429, Retry-After); then the run stops and can be resumed.',
      ),
    onInvalid: z
      .enum(['abort', 'skip'])
      .default('abort')
      .describe('abort: one invalid row and nothing is sent. skip: the valid rows are sent.'),
    stopAfterFailures: z
      .int()
      .min(1)
      .default(50)
      .describe('Batches in a row that failed or are unknown, after which the run stops.'),
  })
  .prefault({})
  .describe('How requests are sent.');

export const safetySchema = z
  .strictObject({
    maxItems: z.int().min(1).default(10_000).describe('More items than this in one run need --max-items N.'),
    maxDeletes: z
      .int()
      .min(0)
      .default(100)
      .describe('Revoking more assets or products than this needs --max-deletes N.'),
    allowDeleteFromAllOrders: z
      .boolean()
      .default(false)
      .describe(
        'Allows delete orders without srcLicenseOrderId, which reach all orders of the customer (§4.5.3).',
      ),
    duplicates: z
      .enum(['skip', 'send', 'abort'])
      .default('skip')
      .describe('What happens to an item that already succeeded in an earlier run.'),
    conflicts: z
      .enum(['abort', 'warn'])
      .default('abort')
      .describe(
        'An asset number ordered for another customer than before, or a revert of what a later run changed. abort: the row is invalid. warn: it is reported on the row and sent.',
      ),
  })
  .prefault({})
  .describe('Limits that block mass changes and repeats.');

export const ACTION_OCCASIONS = ['missing', 'different', 'extra'] as const;

/** The map is checked separately, because its shape depends on the operation. */
const actionSchema = z
  .strictObject({
    on: z
      .enum(ACTION_OCCASIONS)
      .describe(
        'missing: no record. different: a record with other values. extra: a record that no row names.',
      ),
    when: text
      .optional()
      .describe('CEL condition over row["Column"], expected.FIELD and actual.FIELD; default all.'),
    operation: z.enum(OPERATION_NAMES).describe('What the platform is then asked to do.'),
    map: z.unknown().optional().meta({
      type: 'object',
      description:
        "Fields of the request and where they come from: the source's columns, and columns named expected.FIELD and actual.FIELD.",
    }),
    batch: batchSchema,
  })
  .meta({
    description: 'Action on a difference; executed with --apply only.',
    required: ['on', 'operation', 'map'],
  });

/** Keys of a job that compares, in addition to the common ones. The fields of `key` and `expect` depend on the comparison. */
export const reconcileKeys = {
  reconcile: z.enum(RECONCILED).describe('What the rows are compared with; replaces operation.'),
  key: z.unknown().optional().meta({
    type: 'object',
    description: 'What names a record, and the columns it comes from.',
  }),
  expect: z.unknown().optional().meta({
    type: 'object',
    description:
      'Fields of the record and the columns that say what they should be; an empty cell is not compared. Without it, only the existence of the record is compared.',
  }),
  extra: z
    .enum(['report', 'ignore'])
    .default('report')
    .describe('Records that no row names: reported as extra, or ignored.'),
  actions: z.array(actionSchema).default([]).describe('Actions on differences; executed with --apply only.'),
};

export const sourceSchema = z
  .strictObject({
    file: text.describe(
      'Spreadsheet to read, .xlsx, .xls, .xlsb, .ods, .csv, .tsv or .txt, from the folder of the job file; --input overrides. With * or ? in its name each file that fits is a run of its own.',
    ),
    settle: duration
      .optional()
      .describe(
        'Input folders: how long the size and time of a file must be unchanged before it is taken. Default 5s.',
      ),
    sheet: z
      .union([text, z.int().min(1)], { error: 'job.bad_sheet' satisfies JobCode })
      .optional()
      .describe('Sheet of a workbook by name or 1-based position; default the first visible sheet.'),
    headerRow: z
      .int()
      .min(1)
      .max(1_048_576)
      .default(1)
      .describe('Row that holds the headers, as Excel numbers it.'),
    encoding: text
      .refine(isEncoding, { error: 'job.unknown_encoding' satisfies JobCode })
      .default('auto')
      .describe('Encoding of a text file: auto (BOM, UTF-8, UTF-16, GB18030) or a name such as gb18030.'),
    delimiter: z
      .string()
      .refine(isDelimiter, { error: 'job.bad_delimiter' satisfies JobCode })
      .default('auto')
      .describe('What separates the fields of a text file: auto, tab, or one character.'),
    password: secretPlace('password', 'job.source_password_inlined', {})
      .refine((it) => (it.env === undefined) !== (it.file === undefined), {
        error: 'job.source_password_ways' satisfies JobCode,
      })
      .optional()
      .describe('Where the password of an encrypted .xlsx file is found; it is never in the job file.'),
    where: text
      .optional()
      .describe('CEL condition on a row, such as row["Status"] == "Approved"; the other rows are skipped.'),
    hiddenRows: z
      .enum(['include', 'skip', 'refuse'])
      .default('include')
      .describe('What happens to hidden rows; refuse stops the run before anything is sent.'),
    merged: z
      .enum(['refuse', 'fill'])
      .default('refuse')
      .describe(
        'What happens to rows under a merged range of a column that the map reads: refuse makes them invalid, fill gives each of its cells the value of the range.',
      ),
    fillDown: z
      .array(text)
      .min(1, { error: 'job.empty_list' satisfies JobCode })
      .optional()
      .describe('Headers of columns whose empty cells take the value above them.'),
    until: text
      .optional()
      .describe(
        'CEL condition on a row, such as row["Order No"] == ""; the table ends before the first row where it holds.',
      ),
  })
  .describe('Where the rows come from.');

function isEncoding(name: string): boolean {
  if (name === 'auto') return true;
  try {
    new TextDecoder(name);
    return true;
  } catch {
    return false;
  }
}

function isDelimiter(text: string): boolean {
  return text === 'auto' || text === 'tab' || ([...text].length === 1 && !'"\r\n'.includes(text));
}
