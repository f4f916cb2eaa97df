import { z } from 'zod';
import { jobNamed } from '../../app/jobs.js';
import { reconciliationData } from '../../app/reconciliations.js';
import { Carriers } from '../carrying/carriers.js';
import { route } from '../route.js';
import { comparisonSchema } from './schemas.js';

const start = route({
  method: 'post',
  path: '/reconciliations',
  summary:
    'Compares a job’s source with the platform. `plan`: what the job’s actions would send is kept as plans.',
  act: 'reconcile',
  body: z.strictObject({ job: z.string(), plan: z.boolean().optional() }),
  answer: z.object({ run: z.string() }),
  status: 202,
}).handle(async ({ context, body }) => {
  const { file } = await jobNamed(context.app, body.job);
  const child = await context.house.single(Carriers.of).start(context.app, {
    use: 'reconcile',
    jobFile: file,
    input: body.plan ? { apply: 'plan' } : {},
  });
  return { run: (await child.started) ?? '' };
});

const show = route({
  method: 'get',
  path: '/reconciliations/{run}',
  summary: 'A comparison: rows by status, and the rows that aren’t in sync, field by field.',
  params: z.object({ run: z.string() }),
  query: z.object({
    after: z.coerce.number().int().min(0).optional(),
    limit: z.coerce.number().int().min(1).max(500).default(100),
    status: z.string().optional(),
  }),
  answer: comparisonSchema,
}).handle(async ({ context, params, query }) => reconciliationData(context.app, params.run, query));

export const RECONCILIATION_ROUTES = [start, show];
