import { z } from 'zod';
import { approvePlan, type PlanSaid, rejectPlan, requestApproval } from '../../app/approvals.js';
import { checkSeen } from '../../app/console/may-send.js';
import { planData } from '../../app/console/plan-data.js';
import { began } from '../carrying/began.js';
import { waitUntilFree } from '../carrying/free.js';
import { route } from '../route.js';
import { approvalSchema, planSchema } from './run-schemas.js';

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
  await waitUntilFree(context, run);
  const { queue } = await checkSeen(context.app, run, seen);
  const input = {
    maxAge: SENT_WITHIN,
    ...(queue ? { queue } : {}),
    ...(canary === undefined ? {} : { canary }),
  };
  return began(context, { use: 'apply', run, input }, 'but_the_rest');
});

/** What is said of a plan holds for it as it was looked at. */
const SAID = z.object({ comment: z.string().max(2000).optional(), planHash: z.string().optional() });
const COMES_TO = z.object({ run: z.string(), approval: approvalSchema });

const comesTo = ({ plan, approval }: PlanSaid) => ({ run: plan.id, approval });

const request = route({
  method: 'post',
  path: '/plans/{run}/request',
  summary: 'Asks for the approval of a plan.',
  act: 'request',
  params: PLAN,
  body: SAID.optional(),
  answer: COMES_TO,
}).handle(async ({ context, params, body = {} }) =>
  comesTo(await requestApproval(context.app, params.run, body)),
);

const approve = route({
  method: 'post',
  path: '/plans/{run}/approve',
  summary: 'Lets a plan be sent that somebody else made.',
  act: 'approve',
  params: PLAN,
  body: SAID.extend({ maxAge: z.string().optional() }).optional(),
  answer: COMES_TO,
}).handle(async ({ context, params, body = {} }) =>
  comesTo(await approvePlan(context.app, params.run, body)),
);

const reject = route({
  method: 'post',
  path: '/plans/{run}/reject',
  summary: 'Refuses a plan, with a comment.',
  act: 'reject',
  params: PLAN,
  body: SAID,
  answer: COMES_TO,
}).handle(async ({ context, params, body }) => comesTo(await rejectPlan(context.app, params.run, body)));

export const PLAN_ROUTES = [show, send, request, approve, reject];
