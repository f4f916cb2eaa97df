import { z } from 'zod';
import { argv, duration, secretPlace, text } from './shared.js';

const secretSchema = secretPlace('secret', 'job.secret_inlined', {}).describe(
  'Key of the HMAC-SHA-256 signature, by the place where it is found; it never stands here itself.',
);

const webhookSchema = z
  .strictObject({
    url: text.describe('Address that is told by POST: https://…, or http:// to this machine.'),
    secret: secretSchema.optional(),
    template: text
      .optional()
      .describe(
        "Body of the request with {field} of the run's summary put in; the summary as JSON when left out.",
      ),
    headers: z.record(z.string(), text).default({}).describe('Further headers of the request.'),
    timeout: duration.default('10s').describe('Time allowed for one attempt, such as 500ms or 10s.'),
    retries: z.int().min(0).max(20).default(3).describe('Attempts after the first one.'),
  })
  .describe('An address that is told of the run by a POST request.');

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
    timeout: duration
      .optional()
      .describe('Time allowed for the command, 30s when left out; a webhook has its own.'),
  })
  .describe('One of webhook and command, and when it is used.');

export const notifySchema = z
  .array(notificationSchema)
  .optional()
  .describe(
    'Whom to tell when a run has ended. What goes wrong with that never changes the outcome of the run.',
  );

export type NotifyFile = z.output<typeof notifySchema>;
