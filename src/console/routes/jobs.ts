import { z } from 'zod';
import { jobsData } from '../../app/jobs.js';
import { route } from '../route.js';

const list = route({
  method: 'get',
  path: '/jobs',
  summary: 'The job files in the folder `jobs`.',
  answer: z.object({
    items: z.array(
      z.object({
        file: z.string(),
        name: z.string(),
        kind: z.enum(['run', 'reconcile']),
        operation: z.string().optional(),
        connection: z.string().optional(),
        description: z.string().optional(),
        problem: z.string().optional(),
      }),
    ),
  }),
}).handle(async ({ context }) => ({ items: await jobsData(context.app) }));

export const JOB_ROUTES = [list];
