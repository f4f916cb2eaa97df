import { z } from 'zod';
import { jobsData } from '../../app/jobs.js';
import { route } from '../route.js';
import { jobSchema } from './schemas.js';

const list = route({
  method: 'get',
  path: '/jobs',
  summary: 'The job files in the folder `jobs`.',
  answer: z.object({
    items: z.array(jobSchema),
  }),
}).handle(async ({ context }) => ({ items: await jobsData(context.app) }));

export const JOB_ROUTES = [list];
