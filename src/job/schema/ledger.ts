import { z } from 'zod';
import type { JobCode } from '../problem.js';
import { text } from './shared.js';

const passwordSchema = z
  .strictObject(
    {
      env: text
        .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, { error: 'job.bad_variable_name' satisfies JobCode })
        .optional()
        .describe('Environment variable that holds the password.'),
      file: text.optional().describe('File that holds the password, from the folder of this file.'),
      command: z
        .array(text)
        .min(1, { error: 'job.empty_command' satisfies JobCode })
        .optional()
        .describe('Program with its arguments that prints the password.'),
    },
    {
      error: (issue) =>
        issue.code === 'invalid_type' ? ('job.password_inlined' satisfies JobCode) : undefined,
    },
  )
  .describe('Where the password is found; left out, PGPASSWORD and ~/.pgpass are looked at.');

/** The key `ledger` where it is a mapping. */
export const ledgerSchema = z
  .strictObject({
    url: text.describe('postgres://USER@HOST:PORT/DATABASE; sslmode and sslrootcert as its parameters.'),
    password: passwordSchema.optional(),
    schema: text.optional().describe('Schema that holds the tables; license_sync when left out.'),
  })
  .describe('A ledger on a PostgreSQL server, for several machines.');
