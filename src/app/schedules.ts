import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { systemClock } from '../util/clock.js';
import type { AppContext } from './context.js';
import { jobsData } from './jobs.js';
import { listSchedules } from './schedule.js';
import { withLedger } from './with-ledger.js';

/** A job with a schedule as plain data. */
export type ScheduleData = Awaited<ReturnType<typeof schedulesData>>[number];

const iso = (ms: number): string => new Date(ms).toISOString();

/** The jobs of the folder with a schedule. None is not an error, and an invalid job file does not hide the others. */
export async function schedulesData(context: AppContext) {
  const files = (await jobsData(context)).filter((it) => it.problem === undefined).map((it) => it.file);
  if (files.length === 0) return [];
  const { jobs } = await listSchedules(context, files, {}).catch((error: unknown) => {
    if (error instanceof ProductError && error.code === 'schedule.no_jobs') return { jobs: [] };
    throw error;
  });
  return jobs.map(({ job, next, history, lastState }) => {
    const { last, lastRun, pause } = history;
    return {
      job: job.name,
      file: job.file,
      kind: job.kind,
      connection: job.connection,
      cron: job.schedule.cron,
      timezone: job.timetable.zone.name,
      next: next.map(iso),
      last: last && { due: iso(last.due), exitCode: last.exitCode, run: last.run },
      lastRun: lastRun && {
        run: lastRun.id,
        state: lastState ?? lastRun.state,
        started: iso(lastRun.startedAt),
      },
      paused: pause && { by: pause.who, at: iso(pause.pausedAt) },
    };
  });
}

/** @throws ProductError usage if no job with this name has a schedule */
export async function scheduleNamed(context: AppContext, name: string): Promise<ScheduleData> {
  const all = await schedulesData(context);
  const found = all.find((it) => it.job === name);
  if (found) return found;
  const known = all.map((it) => it.job).join(', ') || '-';
  throw new ProductError('usage', message('schedule.no_such_job', { job: name, folder: context.cwd, known }));
}

/** Pauses or continues the schedule of a job, for all scheduler processes. */
export async function pauseSchedule(
  context: AppContext,
  name: string,
  pause: boolean,
): Promise<ScheduleData> {
  await scheduleNamed(context, name);
  await withLedger(
    context,
    async ({ ledger, actor }) => {
      const detail = { job: name, what: pause ? 'pause' : 'continue' };
      await ledger.audit.append({ who: actor.who, act: 'schedule', detail });
      const now = systemClock.now();
      if (pause) await ledger.schedule.pause(name, now, actor.who);
      else await ledger.schedule.resume(name, now);
    },
    { act: 'schedule' },
  );
  return scheduleNamed(context, name);
}
