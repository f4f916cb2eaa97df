import { z } from 'zod';
import { pauseSchedule, type ScheduleData, scheduleNamed, schedulesData } from '../../app/schedules.js';
import { Carriers } from '../carrying/carriers.js';
import { route } from '../route.js';
import { scheduleSchema } from './schemas.js';

const named = z.object({ job: z.string() });

const list = route({
  method: 'get',
  path: '/schedules',
  summary: 'Jobs with a schedule: their next times and the last ones.',
  answer: z.object({ items: z.array(scheduleSchema) }),
}).handle(async ({ context }) => ({ items: (await schedulesData(context.app)).map(told) }));

const start = route({
  method: 'post',
  path: '/schedules/{job}/run',
  summary: 'Starts the job now, beside its times.',
  act: 'run',
  params: named,
  answer: z.object({ run: z.string() }),
  status: 202,
}).handle(async ({ context, params }) => {
  const { file, kind } = await scheduleNamed(context.app, params.job);
  const carriers = context.house.single(Carriers.of);
  const child = await carriers.start(
    context.app,
    kind === 'reconcile'
      ? { use: 'reconcile', jobFile: file, input: {} }
      : { use: 'run', jobFile: file, input: { kind: 'run' } },
  );
  return { run: (await child.started) ?? '' };
});

const pause = route({
  method: 'post',
  path: '/schedules/{job}/pause',
  summary: 'Times of the job pass without a run until it goes on, whichever process keeps the schedule.',
  act: 'schedule',
  params: named,
  answer: scheduleSchema,
}).handle(async ({ context, params }) => told(await pauseSchedule(context.app, params.job, true)));

const goOn = route({
  method: 'post',
  path: '/schedules/{job}/continue',
  summary: 'Times of the job that come from now on count again.',
  act: 'schedule',
  params: named,
  answer: scheduleSchema,
}).handle(async ({ context, params }) => told(await pauseSchedule(context.app, params.job, false)));

function told({ next, last, lastRun, paused, job, kind, connection, cron, timezone }: ScheduleData) {
  return {
    ...{ job, kind, connection, cron, timezone },
    next: next.map(iso),
    ...(last ? { last: { ...last, due: iso(last.due) } } : {}),
    ...(lastRun ? { lastRun: { ...lastRun, started: iso(lastRun.started) } } : {}),
    ...(paused ? { paused: { by: paused.by, at: iso(paused.at) } } : {}),
  };
}

const iso = (ms: number): string => new Date(ms).toISOString();

export const SCHEDULE_ROUTES = [list, start, pause, goOn];
