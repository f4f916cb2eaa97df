import { z } from 'zod';
import type { JobCode } from '../problem.js';
import { argv, duration, secretPlace, text } from './shared.js';

const SIZE = /^(\d{1,6})(KB|MB|GB)$/;
const UNITS: Readonly<Record<string, number>> = { KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3 };

/** Bytes of `200MB`. */
export function sizeBytes(it: string): number {
  const [, amount, unit] = SIZE.exec(it) ?? [];
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

/** The key `console`. */
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
    sessionAge: duration.default('12h').describe('How long somebody stays signed in.'),
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
