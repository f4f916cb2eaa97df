import { type Message, message } from '../errors/message.js';
import { loadJobFile } from '../job/load.js';
import { openLedger, passwordVariables } from '../ledger/open.js';
import { liveStateOf } from '../run/live-state.js';
import { childProcesses, type PassedFlags } from '../schedule/child.js';
import { exportSchedules } from '../schedule/export/export.js';
import type { ExportFormat } from '../schedule/export/fields.js';
import { type FoundJobs, findJobs } from '../schedule/find-jobs.js';
import { readHistory } from '../schedule/job-history.js';
import { lockSchedule } from '../schedule/schedule-lock.js';
import { type ScheduleOverview, Scheduler, scheduleOverview } from '../schedule/scheduler.js';
import type { ScheduleObserver } from '../schedule/services.js';
import { COUNTED_AT_MOST } from '../schedule/timetable.js';
import { systemClock } from '../util/clock.js';
import { VERSION } from '../util/own-package.js';
import type { ExportedFile } from '../util/service-files.js';
import type { StopSignal } from '../util/stop-signal.js';
import type { AppContext } from './context.js';
import { jobReading } from './job-input.js';
import { permitted } from './permit.js';
import { type OpenedLedger, withLedgerIfAny } from './with-ledger.js';

export interface ScheduleInput extends PassedFlags {
  /** Maximum number of concurrent runs. */
  readonly concurrency: number;
  /** Waits while another scheduler is active. */
  readonly wait?: boolean;
}

interface ScheduleContext extends AppContext {
  readonly watch: ScheduleObserver;
  /** No further run is started, and active runs are asked to stop. */
  readonly stop: StopSignal;
  /** The scheduler exits without waiting for active runs. */
  readonly leave: AbortSignal;
  /** The program and its first arguments, for runs as child processes. */
  readonly program: readonly string[];
}

/** `schedule`: runs the jobs at their times until it is stopped. */
export async function runSchedules(
  context: ScheduleContext,
  paths: readonly string[],
  input: ScheduleInput,
): Promise<void> {
  const { watch, stop, leave, cwd, env } = context;
  let found = await scheduledJobs(context, paths, input);
  for (const note of notesOn(found)) watch.note(note);
  const location = found.ledger;
  const ledger = await openLedger(location, {
    made: () => watch.note(message('ledger.made', { location })),
    note: watch.note,
    older: 'wait',
  });
  const variables = await passwordVariables(location);
  const parts = (who: string) => ({
    ledger,
    who,
    clock: systemClock,
    language: context.language,
    observer: watch,
    start: childProcesses(context.program, { cwd, env: { ...env, ...variables } }),
    stop,
    passed: input,
    concurrency: input.concurrency,
  });
  let onLeave = (): void => {};
  try {
    const { who } = await permitted(context, ledger, 'schedule');
    const services = parts(who);
    const scheduler = new Scheduler(services);
    onLeave = (): void => scheduler.leave();
    leave.addEventListener('abort', onLeave, { once: true });
    await ledger.audit.append({ who, act: 'schedule', detail: { jobs: found.jobs.map((it) => it.name) } });
    // On a server, any number of schedulers may be active: each due time of a job is processed by one of them.
    if (ledger.queue) return await scheduler.run(found.jobs);
    const lock = await lockSchedule(services, input.wait === true);
    if (!lock) return;
    try {
      // The files may have changed while it waited.
      if (input.wait) found = await scheduledJobs(context, paths, input);
      await scheduler.run(found.jobs);
    } finally {
      await lock.release();
    }
  } finally {
    leave.removeEventListener('abort', onLeave);
    await ledger.close();
  }
}

/** A job of `schedule list`. */
export interface ListedSchedule extends ScheduleOverview {
  /** More times were missed than were counted. */
  readonly moreMissed: boolean;
}

interface ScheduleList {
  readonly jobs: readonly ListedSchedule[];
  /** Set if there is no ledger. */
  readonly none?: Message;
}

/** `schedule list`: next, last and missed times of each job. */
export async function listSchedules(
  context: AppContext,
  paths: readonly string[],
  input: { readonly connection?: string },
): Promise<ScheduleList> {
  const { jobs, ledger: location } = await scheduledJobs(context, paths, input, true);
  const list = async (found: OpenedLedger | { readonly none: Message }): Promise<ScheduleList> => {
    const ledger = 'none' in found ? undefined : found.ledger;
    const now = systemClock.now();
    const listed: ListedSchedule[] = [];
    for (const job of jobs) {
      const history = await readHistory(ledger, job);
      const { lastRun } = history;
      const liveState = ledger && lastRun ? await liveStateOf(ledger, lastRun) : undefined;
      const overview = scheduleOverview(job, history, now, liveState);
      listed.push({ ...overview, moreMissed: (overview.missed?.count ?? 0) >= COUNTED_AT_MOST });
    }
    return { jobs: listed, none: 'none' in found ? found.none : undefined };
  };
  return withLedgerIfAny(context, list, { act: 'read', location });
}

export interface ExportInput extends PassedFlags {
  readonly format: ExportFormat;
  readonly image?: string;
  /** The program and its first arguments, as the other scheduler starts it. */
  readonly program: readonly string[];
}

/** `schedule export`: files with which another scheduler runs the jobs. */
export async function exportSchedule(
  context: AppContext,
  paths: readonly string[],
  input: ExportInput,
): Promise<{ readonly files: readonly ExportedFile[]; readonly notes: readonly Message[] }> {
  const found = await scheduledJobs(context, paths, input, true);
  const { files, notes } = exportSchedules(found.jobs, input.format, {
    home: found.home,
    // An unnamed ledger is searched for up to the home folder, which differs for another user.
    ...(context.env.LICENSE_SYNC_LEDGER || !found.namesLedger ? { movedLedger: found.ledger } : {}),
    program: input.program,
    passed: input,
    image: input.image ?? `license-sync:${VERSION}`,
    version: VERSION,
  });
  return { files, notes: [...notesOn(found), ...notes] };
}

function scheduledJobs(
  context: AppContext,
  paths: readonly string[],
  { connection }: { readonly connection?: string },
  readOnly = false,
): Promise<FoundJobs> {
  const { env, cwd } = context;
  const load = (file: string) => loadJobFile(file, jobReading(context));
  return findJobs(paths, { env, cwd, load, onlyLooking: readOnly, connection });
}

/** Notes on job files without a schedule and on the ledger's location. */
function notesOn({ unscheduled, warning }: FoundJobs): readonly Message[] {
  const count = unscheduled.length;
  const files = unscheduled.join(', ');
  return [
    ...(warning ? [warning] : []),
    ...(count === 0 ? [] : [message('schedule.no_schedule', { count, files })]),
  ];
}
