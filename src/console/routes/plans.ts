import { z } from 'zod';
import { checkSeen } from '../../app/console/may-send.js';
import { planData } from '../../app/console/plan-data.js';
import { began } from '../carrying/began.js';
import { Carriers } from '../carrying/carriers.js';
import { route } from '../route.js';
import { planSchema } from './run-schemas.js';
import { refuseCarried } from './runs.js';

const PLAN = z.object({ run: z.string() });
/** A plan that was looked at at a page is as good as its approval; without one, for a day, as on the command line. */
const SENT_WITHIN = '24h';

const show = route({
  method: 'get',
  path: '/plans/{run}',
  summary: 'What a kept plan would send, what it leaves out and why, and how its approval stands.',
  params: PLAN,
  answer: planSchema,
}).handle(async ({ context, params }) => planData(context.app, params.run) as never);

const send = route({
  method: 'post',
  path: '/plans/{run}/send',
  summary: 'Sends a plan, once. Items and connection must be those that were shown, else 409.',
  act: 'apply',
  params: PLAN,
  body: z.object({
    items: z.int().min(0),
    connection: z.string(),
    /** As typed; wanted where something is deleted. */
    confirmNumber: z.int().optional(),
    canary: z.int().min(1).optional(),
  }),
  answer: z.object({ run: z.string() }),
  status: 202,
}).handle(async ({ context, params: { run }, body: { canary, ...seen } }) => {
  refuseCarried(context.house.single(Carriers.of), run);
  const { queue } = await checkSeen(context.app, run, seen);
  const input = {
    maxAge: SENT_WITHIN,
    ...(queue ? { queue } : {}),
    ...(canary === undefined ? {} : { canary }),
  };
  return began(context, { use: 'apply', run, input }, 'but_the_rest');
});

export const PLAN_ROUTES = [show, send];
