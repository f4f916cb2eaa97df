import { z } from 'zod';
import { connectionsData } from '../../app/connections.js';
import { doctorData } from '../../app/doctor.js';
import { route } from '../route.js';

const connectionSchema = z.object({
  name: z.string(),
  sandbox: z.boolean(),
  host: z.string().optional(),
  isDefault: z.boolean(),
  confirm: z.enum(['default', 'always']).optional(),
  approval: z.object({ operations: z.array(z.string()).optional(), above: z.number().optional() }).optional(),
  requestsPerSecond: z.number().optional(),
  maxInFlight: z.number().optional(),
  problems: z.array(z.string()).optional(),
});

const list = route({
  method: 'get',
  path: '/connections',
  summary: 'The connections that jobs may name, without their credentials.',
  answer: z.object({ items: z.array(connectionSchema) }),
}).handle(async ({ context }) => ({ items: await connectionsData(context.app) }));

const examine = route({
  method: 'post',
  path: '/connections/{name}/doctor',
  act: 'read',
  summary: 'Checks all that a run over a connection needs, and changes nothing.',
  params: z.object({ name: z.string() }),
  answer: z.object({
    ok: z.boolean(),
    steps: z.array(
      z.object({
        step: z.string(),
        state: z.enum(['ok', 'warning', 'fault', 'skipped']),
        code: z.string(),
        message: z.string(),
      }),
    ),
  }),
}).handle(async ({ context, params }) => {
  const { ok, steps } = await doctorData(context.app, { connection: params.name });
  return { ok, steps };
});

export const CONNECTION_ROUTES = [list, examine];
