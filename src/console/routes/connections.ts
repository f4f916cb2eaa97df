import { z } from 'zod';
import { connectionsData } from '../../app/connections.js';
import { doctorData } from '../../app/doctor.js';
import { route } from '../route.js';
import { connectionSchema, findingsSchema } from './schemas.js';

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
  answer: findingsSchema,
}).handle(async ({ context, params }) => {
  const { ok, steps } = await doctorData(context.app, { connection: params.name });
  return { ok, steps };
});

export const CONNECTION_ROUTES = [list, examine];
