import { z } from 'zod';
import type { JobCode } from '../problem.js';
import { duration, timezone } from './words.js';

/** Five fields; what they may hold is for the scheduler, which knows months and days by name. */
const CRON = /^\s*(?:[\dA-Za-z*?,/#-]+\s+){4}[\dA-Za-z*?,/#-]+\s*$/;

export const scheduleSchema = z
  .strictObject({
    cron: z
      .string()
      .regex(CRON, { error: 'job.bad_cron' satisfies JobCode })
      .describe('When to run: minute, hour, day of month, month, day of week.'),
    timezone: timezone.optional().describe('IANA name, such as Asia/Shanghai.'),
    onMissed: z
      .enum(['run', 'skip'])
      .default('run')
      .describe('run: missed times are made up for by one run. skip: they are left out.'),
    onOverlap: z
      .enum(['skip', 'queue'])
      .default('skip')
      .describe('What becomes of a time at which the run before is still going.'),
    jitter: duration
      .optional()
      .describe('Puts each start off by up to so much, such as 5m, so that jobs do not all start at once.'),
  })
  .describe('When the scheduler runs this job.');
