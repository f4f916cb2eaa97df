import { z } from 'zod';
import type { JobCode } from '../problem.js';
import { argv, duration, rate, secretPlace, text, timezone } from './sections.js';

const SIZE = /^(\d{1,6})(KB|MB|GB)$/;
const UNITS: Readonly<Record<string, number>> = { KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3 };

/** Bytes of `200MB`. */
export function sizeBytes(text: string): number {
  const [, amount, unit] = SIZE.exec(text) ?? [];
  return Number(amount) * UNITS[unit!]!;
}

const clientSecret = secretPlace('client secret', 'job.secret_inlined', {
  command: argv.optional().describe('Program with its arguments that prints it.'),
}).describe('Where the secret of the client is found; it never stands here itself.');

const oidc = z
  .strictObject({
    issuer: text.describe('Address of the provider, as its tokens name it.'),
    clientId: text.describe('Name by which the provider knows this console.'),
    clientSecret: clientSecret.optional(),
    scope: text.default('openid').describe('What is asked for, openid among it.'),
  })
  .describe('An OpenID provider; people are known by the --subject that they were added with.');

/** The key `console` of `license-sync.yaml`. */
export const consoleSchema = z
  .strictObject({
    url: text.optional().describe('Where people reach it, such as https://licences.example.com; no path.'),
    tls: z
      .strictObject({
        cert: text.describe('PEM file of the certificate and those between it and the root.'),
        key: text.describe('PEM file of its private key, readable by its owner alone.'),
      })
      .optional()
      .describe('Serves https: by this certificate.'),
    trustedProxy: z
      .union([z.literal(true), z.array(text).min(1)])
      .optional()
      .describe(
        'A proxy in front of it takes care of TLS: true, or a list of the networks that it connects from.',
      ),
    oidc: oidc.optional(),
    sessionAge: duration.default('12h').describe('How long a user stays signed in.'),
    checkTimeout: duration
      .default('30m')
      .describe('How long a check of an import, a guess or a plan of one may take.'),
    uploadLimit: z
      .string()
      .regex(SIZE, { error: 'job.bad_size' satisfies JobCode })
      .default('200MB')
      .describe('Size of a spreadsheet that is uploaded, at most.'),
  })
  .prefault({})
  .describe('How `license-sync console` is served to others.');

const secretSchema = secretPlace('secret', 'job.secret_inlined', {}).describe(
  'Key of the HMAC-SHA-256 signature, by the place where it is found; it never stands here itself.',
);

const webhookSchema = z
  .strictObject({
    url: text.describe('Address that is notified by POST: https://…, or http:// to this machine.'),
    secret: secretSchema.optional(),
    template: text
      .optional()
      .describe(
        "Body of the request, in which {field} is replaced by that field of the run's summary; default the summary as JSON.",
      ),
    headers: z.record(z.string(), text).default({}).describe('Further headers of the request.'),
    timeout: duration.default('10s').describe('Time allowed for one attempt, such as 500ms or 10s.'),
    retries: z.int().min(0).max(20).default(3).describe('Attempts after the first one.'),
  })
  .describe('An address that is notified of the run by a POST request.');

/** The kinds of targets; an entry has exactly one of these keys. */
export const NOTIFY_TARGETS = ['webhook', 'command'] as const;

const notificationSchema = z
  .strictObject({
    on: z
      .enum(['always', 'problem', 'success'])
      .default('problem')
      .describe('problem: every exit code but 0. success: exit code 0. always: both.'),
    webhook: webhookSchema.optional(),
    command: argv
      .optional()
      .describe("Program with its arguments; it is given the run's summary as JSON on its standard input."),
    timeout: duration.optional().describe('Time limit of the command, default 30s; a webhook has its own.'),
  })
  .meta({
    description: 'One of webhook and command, and when it is used.',
    oneOf: NOTIFY_TARGETS.map((target) => ({ required: [target] })),
  });

export const NOTIFY_KEYS: readonly string[] = Object.keys(notificationSchema.shape);

export const notifySchema = z
  .array(notificationSchema)
  .optional()
  .describe('Notifications after a run has ended. Their errors never change the outcome of the run.');

export type NotifyFile = z.output<typeof notifySchema>;

const tokenSchema = secretPlace('token', 'job.token_inlined', {
  command: argv.optional().describe('Program with its arguments that prints the token.'),
}).describe('Where the access token is found; the token itself is never in a file like this one.');

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
      .describe('Limit on requests in flight; for all workers together if there are any.'),
    idleReuse: duration
      .optional()
      .describe(
        'A connection that was idle for longer is not used for requests that are not repeatable; a new one is opened. Default 1s.',
      ),
    timestamps: z
      .enum(['milliseconds', 'seconds'])
      .default('milliseconds')
      .describe('Unit of every Long date field (§2.8 leaves it open).'),
    timezone: timezone.default('Asia/Shanghai').describe('IANA name of the zone that dates are meant in.'),
    allowInsecureHttp: z
      .boolean()
      .default(false)
      .describe('Accepts http: for an address that is not loopback. The token is then sent unprotected.'),
    confirm: z
      .enum(['default', 'always'])
      .default('default')
      .describe('always: confirmation is required before anything is sent.'),
    retryCode500: z
      .enum(['retry', 'repeatable'])
      .default('retry')
      .describe('Business code 500: retried for all (§7.1), or only where a repeat is harmless.'),
    // Checked separately: a word, or a mapping by `approvalSchema`.
    approval: z
      .unknown()
      .optional()
      .meta({
        description:
          'Requires another user’s approval of the plan: of every plan (required), or of plans of some operations, or of more than this many items.',
        anyOf: [{ const: 'required' }],
      }),
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
    // Checked separately: a text, or a mapping by `ledgerSchema`.
    ledger: z
      .unknown()
      .optional()
      .meta({
        description:
          "SQLite file, from the folder of this file, default .license-sync/ledger.db; or a PostgreSQL server's, as postgres://… or in its parts.",
        anyOf: [{ type: 'string', minLength: 1 }],
      }),
    ledgerPatience: duration
      .optional()
      .describe('How long a run waits for an unreachable ledger on a server before it ends; default 60s.'),
    workers: z
      .strictObject({
        lease: duration
          .optional()
          .describe('How long a worker without a heartbeat keeps its leases; default 15s.'),
      })
      .prefault({})
      .describe('How workers share what is queued.'),
    console: consoleSchema,
    connections: z
      .unknown()
      .optional()
      .meta({
        type: 'object',
        description: 'Connections by name; sandbox is built in.',
        additionalProperties: { $ref: '#/definitions/connection' },
      }),
    // Parts of jobs are checked with the jobs that use them.
    maps: z
      .unknown()
      .optional()
      .meta({
        type: 'object',
        description:
          'Fragments of maps by name, which the maps of jobs use: { use: NAME, with: { parameter: text } }. $(parameter) in their values is replaced; a fragment may use others.',
        additionalProperties: { type: 'object' },
      }),
    defaults: z.unknown().optional(),
  })
  .describe('Connections, ledger and shared parts of jobs of license-sync.');

const passwordSchema = secretPlace('password', 'job.password_inlined', {
  command: argv.optional().describe('Program with its arguments that prints the password.'),
}).describe('Where the password is found; default PGPASSWORD and ~/.pgpass.');

/** The key `ledger` as a mapping. */
export const ledgerSchema = z
  .strictObject({
    url: text.describe('postgres://USER@HOST:PORT/DATABASE; sslmode and sslrootcert as its parameters.'),
    password: passwordSchema.optional(),
    schema: text.optional().describe('Schema that contains the tables; default license_sync.'),
  })
  .describe('A ledger on a PostgreSQL server, for several machines.');
