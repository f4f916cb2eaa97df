import { z } from 'zod';

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
  })
  .prefault({})
  .describe('Limits that hold back mass changes and repeats.');
