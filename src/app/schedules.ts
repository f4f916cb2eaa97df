import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { SchedulePause } from '../ledger/contract/schedule.js';
import { systemClock } from '../util/clock.js';
import type { AppContext } from './context.js';
import { jobsData } from './jobs.js';
import { withLedger, withLedgerIfAny } from './open.js';
import { listSchedules } from './schedule.js';

/** A job with a schedule as plain data: times are milliseconds since 1970. */
export interface ScheduleData {
  readonly job: string;
  readonly file: string;
  readonly kind: 'run' | 'reconcile';
  readonly connection: string;
  readonly cron: string;
  readonly timezone: string;
  readonly next: readonly number[];
  /** The time that was taken up last, with what came of it. */
  readonly last?: { readonly due: number; readonly exitCode?: number; readonly run?: string };
  readonly lastRun?: { readonly run: string; readonly state: string; readonly started: number };
  readonly paused?: { readonly by: string; readonly at: number };
}

/** The jobs of the folder that have a schedule, for a page; none is no fault here, and a wrong job file hides no other. */
export async function schedulesData(context: AppContext): Promise<readonly ScheduleData[]> {
  const files = (await jobsData(context)).filter((it) => it.problem === undefined).map((it) => it.file);
  if (files.length === 0) return [];
  const { jobs } = await listSchedules(context, files, {}).catch((error: unknown) => {
    if (error instanceof ProductError && error.code === 'schedule.no_jobs') return { jobs: [] };
    throw error;
  });
  const paused = await pausesOf(
    context,
    jobs.map(({ job }) => job.name),
  );
  return jobs.map(({ job, next, memory, lastStanding }) => {
    const { last, lastRun } = memory;
    const pause = paused.get(job.name);
    return {
      job: job.name,
      file: job.file,
      kind: job.kind,
      connection: job.connection,
      cron: job.schedule.cron,
      timezone: job.timetable.zone.name,
      next,
      ...(last ? { last: { due: last.due, exitCode: last.exitCode, run: last.run } } : {}),
      ...(lastRun
        ? { lastRun: { run: lastRun.id, state: lastStanding ?? lastRun.state, started: lastRun.startedAt } }
        : {}),
      ...(pause ? { paused: { by: pause.who, at: pause.pausedAt } } : {}),
    };
  });
}

/** @throws ProductError usage where no job of that name has a schedule */
export async function scheduleNamed(context: AppContext, name: string): Promise<ScheduleData> {
  const all = await schedulesData(context);
  const found = all.find((it) => it.job === name);
  if (found) return found;
  const known = all.map((it) => it.job).join(', ') || '-';
  throw new ProductError('usage', message('schedule.no_such_job', { job: name, folder: context.cwd, known }));
}

/** Times of the job pass without a run from now on, or count again, whichever process keeps the schedule. */
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
      else await ledger.schedule.goOn(name, now);
    },
    { act: 'schedule' },
  );
  return scheduleNamed(context, name);
}

/** The jobs that are paused now. */
function pausesOf(
  context: AppContext,
  names: readonly string[],
): Promise<ReadonlyMap<string, SchedulePause>> {
  return withLedgerIfAny(context, async (found) => {
    const paused = new Map<string, SchedulePause>();
    if ('none' in found) return paused;
    for (const name of names) {
      const pause = await found.ledger.schedule.paused(name);
      if (pause && pause.continuedAt === undefined) paused.set(name, pause);
    }
    return paused;
  });
}
