import { z } from 'zod';
import { duration, rate } from './shared.js';

export const batchSchema = z
  .strictObject({
    size: z
      .int()
      .min(1)
      .max(10_000)
      .optional()
      .describe('Items in one request at most; 1 for orders and 100 for locks when left out.'),
  })
  .prefault({})
  .describe('How items share requests.');

export const runSchema = z
  .strictObject({
    concurrency: z.int().min(1).max(1000).default(8).describe('Requests under way at a time, at most.'),
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
        'How long pauses that the platform asks for (HTTP 429, Retry-After) are waited out; then the run stops and can be resumed.',
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
      .describe('What becomes of an item that an earlier run already got through.'),
    conflicts: z
      .enum(['abort', 'warn'])
      .default('abort')
      .describe(
        'An asset number ordered for another customer than before, or a revert of what a later run changed. abort: the row is invalid. warn: it is reported on the row and sent.',
      ),
  })
  .prefault({})
  .describe('Limits that hold back mass changes and repeats.');
