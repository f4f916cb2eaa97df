import { z } from 'zod';
import { rowsPageData } from '../../app/console/rows-page.js';
import { changedShown, runDetailData, runsData } from '../../app/console/runs.js';
import { timelineData } from '../../app/console/timeline.js';
import { wordsOf } from '../../app/context.js';
import { explainData } from '../../app/explain.js';
import { stopAtConsole } from '../../app/queued-runs.js';
import { resolvedData, resolveRun } from '../../app/resolve.js';
import { STATUSES } from '../../model/status.js';
import { RunProcesses } from '../child-processes/run-processes.js';
import { startInChild, waitUntilFree } from '../child-processes/start-run.js';
import { LiveRuns } from '../live-runs.js';
import { events, listOf, route } from '../route.js';
import { rowSchema, runListItemSchema, runSchema, timelineSchema } from './run-schemas.js';

const RUN = z.object({ run: z.string() });

const STARTED = z.object({ run: z.string() });

const LIMIT = z.coerce.number().int().min(1).max(500).default(50);

/** An ISO date or time; a date is read as its first moment. */
const TIME = z
  .string()
  .transform((text) => Date.parse(text))
  .refine((it) => !Number.isNaN(it), { message: 'an ISO date or time' });

export const RUN_ROUTES = [
  route({
    method: 'get',
    path: '/runs',
    summary: 'Runs, the newest first; checks of imports only with kind=dry_run.',
    query: z.object({
      job: z.string().optional(),
      person: z.string().optional(),
      status: z
        .enum(['planning', 'planned', 'queued', 'executing', 'stopped', 'cut off', 'completed', 'invalid'])
        .optional(),
      kind: z.enum(['run', 'dry_run', 'plan', 'reconcile']).optional(),
      from: TIME.optional(),
      to: TIME.optional(),
      approval: z.enum(['waiting', 'mine']).optional(),
      before: z.string().optional(),
      limit: LIMIT,
    }),
    answer: listOf(runListItemSchema),
  }).handle(async ({ context, query }) => runsData(context.app, query)),
  route({
    method: 'get',
    path: '/runs/{run}',
    summary: 'One run, and what may be done with it now.',
    params: RUN,
    answer: runSchema,
  }).handle(async ({ context, params }) => runDetailData(context.app, params.run)),
  route({
    method: 'get',
    path: '/runs/{run}/rows',
    summary:
      'Rows of a run by ascending number, page by page. A page may contain fewer than requested, even none; `next` is where the next page starts.',
    params: RUN,
    query: z.object({
      status: z
        .string()
        .transform((text) => text.split(','))
        .pipe(z.array(z.enum(STATUSES as readonly [string, ...string[]])))
        .optional(),
      search: z.string().max(200).optional(),
      after: z.coerce.number().int().min(0).default(0),
      limit: z.coerce.number().int().min(1).max(500).default(100),
    }),
    answer: z.object({
      items: z.array(rowSchema),
      next: z.int().optional(),
      total: z.int().optional(),
    }),
  }).handle(async ({ context, params, query: { status, ...filter } }) =>
    rowsPageData(context.app, params.run, { ...filter, statuses: status as never }),
  ),
  route({
    method: 'get',
    path: '/runs/{run}/rows/{row}',
    summary: "A row's story: its cells, what was sent, each attempt, and what is safe next.",
    params: z.object({ run: z.string(), row: z.coerce.number().int().min(1) }),
    answer: z.looseObject({ run: z.string(), row: z.int(), status: z.string(), next: z.string() }),
  }).handle(async ({ context, params }) => explainData(context.app, params.run, params.row) as never),
  route({
    method: 'get',
    path: '/runs/{run}/timeline',
    summary:
      'Rows by status over time, some hundred points: milliseconds since 1970, and what each status counted.',
    params: RUN,
    answer: timelineSchema,
  }).handle(async ({ context, params }) => timelineData(context.app, params.run) as never),
  route({
    method: 'get',
    path: '/runs/{run}/events',
    summary: 'Events `run` with its complete progress, at the end `over`; continues from `Last-Event-ID`.',
    params: RUN,
    answer: events,
  }).handle(async ({ context, params, request }) => {
    // Throws if the run does not exist or the caller may not read it.
    await runDetailData(context.app, params.run);
    const last = request.headers.get('last-event-id') ?? undefined;
    return context.services.get(LiveRuns.of).stream(context.app, params.run, last);
  }),
  route({
    method: 'post',
    path: '/runs/{run}/stop',
    summary: 'Nothing more of the run is sent, anywhere; it can be resumed.',
    act: 'stop',
    params: RUN,
  }).handle(async ({ context, params: { run } }) => {
    const processes = context.services.get(RunProcesses.of);
    await stopAtConsole(context.app, run, () => {
      const child = processes.of(run);
      child?.stop();
      return child?.over;
    });
  }),
  route({
    method: 'post',
    path: '/runs/{run}/resume',
    summary: 'Resumes a run that was stopped or cut off, or that waits after its test batch.',
    act: 'resume',
    params: RUN,
    answer: STARTED,
    status: 202,
  }).handle(async ({ context, params: { run } }) => {
    await waitUntilFree(context, run);
    const { queue } = await context.app.opened!();
    const input = queue ? { queue: true } : {};
    return startInChild(
      context,
      { use: 'resume', input: [run, input] },
      { changed: await changedShown(context.app, run) },
    );
  }),
  route({
    method: 'post',
    path: '/runs/{run}/retry',
    summary: 'Makes a plan of the rows that failed, and of those with other statuses where they are named.',
    act: 'retry',
    params: RUN,
    body: z.object({ include: z.array(z.enum(['unknown', 'rejected', 'not_sent'])).optional() }).optional(),
    answer: STARTED,
    status: 202,
  }).handle(async ({ context, params: { run }, body }) =>
    startInChild(context, { use: 'retry', input: [run, { plan: true, include: body?.include }] }),
  ),
  route({
    method: 'post',
    path: '/runs/{run}/revert',
    summary: 'Creates a plan that reverts the run as far as possible.',
    act: 'revert',
    params: RUN,
    body: z.object({ rows: z.array(z.int().min(1)).optional() }).optional(),
    answer: STARTED,
    status: 202,
  }).handle(async ({ context, params: { run }, body }) =>
    startInChild(context, {
      use: 'revert',
      input: [run, { planOnly: true, rows: body?.rows }],
    }),
  ),
  route({
    method: 'post',
    path: '/runs/{run}/resolve',
    summary: 'Resolves rows that are unknown: by a user’s decision, or by asking the platform.',
    act: 'resolve',
    params: RUN,
    body: z.object({
      row: z.int().min(1).optional(),
      as: z.enum(['succeeded', 'failed']).optional(),
      licenseOrderId: z.string().max(200).optional(),
      note: z.string().max(2000).optional(),
      verify: z.boolean().optional(),
    }),
    answer: z.looseObject({
      run: z.string(),
      settled: z.array(z.looseObject({})),
      left: z.array(z.looseObject({ rows: z.array(z.int()), reason: z.string() })),
      counts: z.record(z.string(), z.int()),
    }),
  }).handle(
    async ({ context, params, body }) =>
      resolvedData(await resolveRun(context.app, params.run, body), wordsOf(context.app)) as never,
  ),
];
