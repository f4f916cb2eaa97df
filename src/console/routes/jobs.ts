import path from 'node:path';
import { z } from 'zod';
import { connectionsData } from '../../app/connections.js';
import { reconciliationData } from '../../app/console/rows-page.js';
import { doctor, examinedData, withoutFolders } from '../../app/doctor.js';
import { jobNamed, jobsData } from '../../app/jobs.js';
import { pauseSchedule, type ScheduleData, scheduleNamed, schedulesData } from '../../app/schedules.js';
import { templateFile, templatesData } from '../../app/template.js';
import { RunProcesses } from '../child-processes/run-processes.js';
import { type ConsoleContext, file, route } from '../route.js';
import {
  comparisonSchema,
  connectionSchema,
  findingsSchema,
  jobSchema,
  scheduleSchema,
  templateSchema,
} from './schemas.js';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const named = z.object({ job: z.string() });

/** With the path of the job file from the folder of the console. */
function scheduleView({ app }: ConsoleContext, { file, ...schedule }: ScheduleData) {
  return { ...schedule, file: path.relative(app.cwd, file) };
}

export const JOB_ROUTES = [
  route({
    method: 'get',
    path: '/jobs',
    summary: 'The job files in the folder `jobs`.',
    answer: z.object({
      items: z.array(jobSchema),
    }),
  }).handle(async ({ context }) => ({ items: await jobsData(context.app) })),
  route({
    method: 'get',
    path: '/connections',
    summary: 'The connections that jobs may name, without their credentials.',
    answer: z.object({ items: z.array(connectionSchema) }),
  }).handle(async ({ context }) => ({ items: await connectionsData(context.app) })),
  route({
    method: 'post',
    path: '/connections/{name}/doctor',
    act: 'read',
    summary: 'Checks all that a run over a connection needs, and changes nothing.',
    params: z.object({ name: z.string() }),
    answer: findingsSchema,
  }).handle(async ({ context, params }) => {
    const examined = await doctor(context.app, { connection: params.name });
    const { ok, steps } = examinedData(examined, context.app.language, withoutFolders);
    return { ok, steps };
  }),
  route({
    method: 'get',
    path: '/templates',
    summary: 'Workbooks to fill in, one for each operation.',
    answer: z.object({
      items: z.array(templateSchema),
    }),
  }).handle(async ({ context }) => ({ items: templatesData(context.language) })),
  route({
    method: 'get',
    path: '/templates/{operation}',
    summary: 'A workbook to fill in. `filled`: with example rows; `nested`: several sheets.',
    params: z.object({ operation: z.string() }),
    query: z.object({
      filled: z.enum(['true', 'false']).optional(),
      nested: z.enum(['true', 'false']).optional(),
      lang: z.enum(['en', 'zh']).optional(),
    }),
    answer: file(XLSX),
  }).handle(async ({ context, params, query }) => {
    const name = params.operation.replace(/\.xlsx$/, '');
    const options = { filled: query.filled === 'true', nested: query.nested === 'true' };
    const language = query.lang ?? context.language;
    const template = await templateFile({ ...context.app, language }, name, options);
    return new Response(template.content as Uint8Array<ArrayBuffer>, {
      headers: { 'content-type': XLSX, 'content-disposition': `attachment; filename="${template.name}"` },
    });
  }),
  route({
    method: 'get',
    path: '/schedules',
    summary: 'Jobs with a schedule: their next times and the last ones.',
    answer: z.object({ items: z.array(scheduleSchema) }),
  }).handle(async ({ context }) => ({
    items: (await schedulesData(context.app)).map((it) => scheduleView(context, it)),
  })),
  route({
    method: 'post',
    path: '/schedules/{job}/run',
    summary: 'Starts the job now, in addition to its times.',
    act: 'run',
    params: named,
    answer: z.object({ run: z.string() }),
    status: 202,
  }).handle(async ({ context, params }) => {
    const { file, kind } = await scheduleNamed(context.app, params.job);
    const processes = context.services.get(RunProcesses.of);
    const child = await processes.start(
      context.app,
      kind === 'reconcile'
        ? { use: 'reconcile', input: [file, {}] }
        : { use: 'run', input: [file, { kind: 'run' }] },
    );
    return { run: (await child.started) ?? '' };
  }),
  route({
    method: 'post',
    path: '/schedules/{job}/pause',
    summary: 'Times of the job pass without a run until it is continued, in every scheduler.',
    act: 'schedule',
    params: named,
    answer: scheduleSchema,
  }).handle(async ({ context, params }) =>
    scheduleView(context, await pauseSchedule(context.app, params.job, true)),
  ),
  route({
    method: 'post',
    path: '/schedules/{job}/continue',
    summary: 'Times of the job that come from now on count again.',
    act: 'schedule',
    params: named,
    answer: scheduleSchema,
  }).handle(async ({ context, params }) =>
    scheduleView(context, await pauseSchedule(context.app, params.job, false)),
  ),
  route({
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
    const child = await context.services.get(RunProcesses.of).start(context.app, {
      use: 'reconcile',
      input: [file, body.plan ? { apply: 'plan' } : {}],
    });
    return { run: (await child.started) ?? '' };
  }),
  route({
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
  }).handle(async ({ context, params, query }) => reconciliationData(context.app, params.run, query)),
];
