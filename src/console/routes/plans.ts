import { z } from 'zod';
import { approvePlan, type PlanReviews, rejectPlan, requestApproval } from '../../app/approvals.js';
import { checkSeen, MAX_PLAN_AGE_MS } from '../../app/console/permissions.js';
import { planData, planVersionData } from '../../app/console/plan-data.js';
import { importServices } from '../child-processes/import-checks.js';
import { startInChild, waitUntilFree } from '../child-processes/start-run.js';
import { route } from '../route.js';
import { approvalSchema, planRowsSchema, planSchema } from './run-schemas.js';

const PLAN = z.object({ run: z.string() });

/** A comment, and the hash of the plan that the user saw. */
const REVIEW = z.object({ comment: z.string().max(2000).optional(), planHash: z.string().optional() });

const REVIEWED = z.object({ run: z.string(), approval: approvalSchema });

const reviewed = ({ plan, approval }: PlanReviews) => ({ run: plan.id, approval });

export const PLAN_ROUTES = [
  route({
    method: 'get',
    path: '/plans/{run}',
    summary: 'What a stored plan would send, what it excludes and why, and the state of its approval.',
    params: PLAN,
    answer: planSchema,
  }).handle(async ({ context, params }) => planData(context.app, params.run) as never),
  route({
    method: 'get',
    path: '/plans/{run}/version',
    summary: 'Changes with the state of a plan and of its approval, so that a page follows them.',
    params: PLAN,
    answer: z.object({ version: z.string() }),
  }).handle(async ({ context, params }) => planVersionData(context.app, params.run)),
  route({
    method: 'get',
    path: '/plans/{run}/rows',
    summary:
      'The rows that a plan sends, page by page: their cells, and the fields that the cells do not show.',
    params: PLAN,
    query: z.object({
      after: z.coerce.number().int().min(0).default(0),
      limit: z.coerce.number().int().min(1).max(500).default(50),
    }),
    answer: planRowsSchema,
  }).handle(async ({ context, params, query }) =>
    (await importServices(context)).imports.planRows(context.app, params.run, query),
  ),
  route({
    method: 'post',
    path: '/plans/{run}/send',
    summary: 'Sends a plan, once. Items and connection must be those that were shown, else 409.',
    act: 'apply',
    params: PLAN,
    body: z.object({
      items: z.int().min(0),
      connection: z.string(),
      /** The number of items as typed; required if the plan deletes something. */
      confirmNumber: z.int().optional(),
      canary: z.int().min(1).optional(),
      /** `changed.latest` of the plan as it was shown. */
      changed: z.int().optional(),
    }),
    answer: z.object({ run: z.string() }),
    status: 202,
  }).handle(async ({ context, params: { run }, body: { canary, changed, ...seen } }) => {
    await waitUntilFree(context, run);
    const { queue } = await checkSeen(context.app, run, seen);
    const input = { maxAge: MAX_PLAN_AGE_MS, queue, canary };
    return startInChild(
      context,
      { use: 'apply', input: [run, input] },
      { confirmed: 'but_the_rest', changed },
    );
  }),
  route({
    method: 'post',
    path: '/plans/{run}/request',
    summary: 'Asks for the approval of a plan.',
    act: 'request',
    params: PLAN,
    body: REVIEW.optional(),
    answer: REVIEWED,
  }).handle(async ({ context, params, body = {} }) =>
    reviewed(await requestApproval(context.app, params.run, body)),
  ),
  route({
    method: 'post',
    path: '/plans/{run}/approve',
    summary: 'Approves a plan that another user created.',
    act: 'approve',
    params: PLAN,
    body: REVIEW.extend({ maxAge: z.string().optional() }).optional(),
    answer: REVIEWED,
  }).handle(async ({ context, params, body = {} }) =>
    reviewed(await approvePlan(context.app, params.run, body)),
  ),
  route({
    method: 'post',
    path: '/plans/{run}/reject',
    summary: 'Refuses a plan, with a comment.',
    act: 'reject',
    params: PLAN,
    body: REVIEW,
    answer: REVIEWED,
  }).handle(async ({ context, params, body }) => reviewed(await rejectPlan(context.app, params.run, body))),
];
