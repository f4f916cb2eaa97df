import { z } from 'zod';
import type { JobCode } from '../problem.js';
import { consoleSchema } from './console.js';
import { notifySchema } from './notify.js';
import { argv, duration, rate, secretPlace, text, timezone } from './shared.js';

const tokenSchema = secretPlace('token', 'job.token_inlined', {
  command: argv.optional().describe('Program with its arguments that prints the token.'),
}).describe('Where the access token is found; the token itself never stands in a file like this one.');

export const connectionSchema = z
  .strictObject({
    baseUrl: text
      .optional()
      .describe('Address of the platform, https://host[/prefix]; needed for all but the sandbox.'),
    platform: text
      .optional()
      .describe(
        'Name of the platform, if its address does not identify it (tunnels, tenants). Connections with the same name lead to one platform, with different names to different ones: repeats are found by it.',
      ),
    appKey: text.optional().describe('Application key, sent with orders (§4.5).'),
    token: tokenSchema.optional(),
    requestsPerSecond: rate
      .optional()
      .describe('Limit on requests for everything that uses this connection.'),
    maxInFlight: z
      .int()
      .min(1)
      .max(10_000)
      .optional()
      .describe('Limit on requests under way at a time; over all workers together where there are some.'),
    idleReuse: duration
      .optional()
      .describe(
        'A connection that was idle for longer carries no request that is not repeatable; a new one is opened. Default 1s.',
      ),
    timestamps: z
      .enum(['milliseconds', 'seconds'])
      .default('milliseconds')
      .describe('Unit of every Long date field (§2.8 leaves it open).'),
    timezone: timezone.default('Asia/Shanghai').describe('IANA name of the zone that dates are meant in.'),
    allowInsecureHttp: z
      .boolean()
      .default(false)
      .describe('Accepts http: for an address that is not loopback. The token then travels in the clear.'),
    confirm: z
      .enum(['default', 'always'])
      .default('default')
      .describe('always: a yes is asked for before anything is sent.'),
    retryCode500: z
      .enum(['retry', 'repeatable'])
      .default('retry')
      .describe('Business code 500: retried for all (§7.1), or only where a repeat is harmless.'),
    // Of either form; checked apart.
    approval: z.unknown().optional(),
    notify: notifySchema,
  })
  .describe('An address of the platform with its credential and limits.');

/** The longer form of `approval`. */
export const approvalSchema = z
  .strictObject({
    operations: z
      .array(text)
      .min(1, { error: 'job.empty_approval' satisfies JobCode })
      .optional()
      .describe('Only plans of these operations want an approval; * stands for any part of a name.'),
    above: z
      .int()
      .min(0)
      .optional()
      .describe(
        'Only plans that concern more than this need an approval: assets of orders, locks, otherwise items.',
      ),
  })
  .describe('Which plans want an approval.');

export type ConnectionFile = z.output<typeof connectionSchema>;

/** `license-sync.yaml`; its connections are checked one by one. */
export const configSchema = z
  .strictObject({
    version: z.literal(1).describe('Version of this format.'),
    defaultConnection: text.optional().describe('Connection of jobs that name none.'),
    // Of either form; checked apart.
    ledger: z.unknown().optional(),
    ledgerPatience: duration
      .optional()
      .describe(
        'How long a run waits for a ledger on a server that cannot be reached before it ends; 60s when left out.',
      ),
    workers: z
      .strictObject({
        lease: duration
          .optional()
          .describe('How long a worker that is not heard of keeps what it carries; 15s when left out.'),
      })
      .prefault({})
      .describe('How workers share what is queued.'),
    console: consoleSchema,
    connections: z.unknown().optional(),
    // Parts of jobs; checked with the jobs that they count in.
    maps: z.unknown().optional(),
    defaults: z.unknown().optional(),
  })
  .describe('Connections, ledger and shared parts of jobs of license-sync.');
