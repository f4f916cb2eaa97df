import { type Message, message } from '../errors/message.js';
import { loadJobFile } from '../job/load.js';
import { openExistingLedger, openLedger, passwordVariables } from '../ledger/open.js';
import type { ExportedFile } from '../model/exported-file.js';
import { liveStateOf } from '../run/live-state.js';
import { childProcesses } from '../schedule/child-process.js';
import type { PassedFlags } from '../schedule/command.js';
import type { ScheduleObserver } from '../schedule/contract.js';
import type { ExportFormat } from '../schedule/export/contract.js';
import { exportSchedules } from '../schedule/export/export.js';
import { type FoundJobs, findJobs } from '../schedule/find-jobs.js';
import { readHistory } from '../schedule/job-history.js';
import { type ScheduleOverview, scheduleOverview } from '../schedule/overview.js';
import { lockSchedule } from '../schedule/schedule-lock.js';
import { Scheduler } from '../schedule/scheduler.js';
import { COUNTED_AT_MOST } from '../schedule/timetable.js';
import { systemClock } from '../util/clock.js';
import { VERSION } from '../util/own-package.js';
import type { StopSignal } from '../util/stop-signal.js';
import type { AppContext } from './context.js';
import { jobReading } from './job-reading.js';
import { permitted, permittedIfAny } from './people/permit.js';

export interface ScheduleInput extends PassedFlags {
  /** Runs at a time, at most. */
  readonly concurrency: number;
  /** Stands by while another scheduler is at work. */
  readonly wait?: boolean;
}

interface ScheduleContext extends AppContext {
  readonly watch: ScheduleObserver;
  /** No further run is begun, and those that go on are asked to end. */
  readonly stop: StopSignal;
  /** Those that still go on are left to themselves. */
  readonly leave: AbortSignal;
  /** The program and its first arguments, for runs as processes of their own. */
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
  for (const it of notesOn(found)) watch.note(it);
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
    // On a server any number may be at work: they take turns at each job.
    if (ledger.queue) return await scheduler.run(found.jobs);
    const held = await lockSchedule(services, input.wait === true);
    if (!held) return;
    try {
      // While it stood by, the files may have changed.
      if (input.wait) found = await scheduledJobs(context, paths, input);
      await scheduler.run(found.jobs);
    } finally {
      await held.release();
    }
  } finally {
    leave.removeEventListener('abort', onLeave);
    await ledger.close();
  }
}

/** A job of `schedule list`. */
export interface ListedSchedule extends ScheduleOverview {
  /** There are more missed times than were counted. */
  readonly moreMissed: boolean;
}

interface ScheduleList {
  readonly jobs: readonly ListedSchedule[];
  /** Where no ledger was found. */
  readonly none?: Message;
}

/** `schedule list`: the next times of each job, the last ones, and what was missed. */
export async function listSchedules(
  context: AppContext,
  paths: readonly string[],
  input: { readonly connection?: string },
): Promise<ScheduleList> {
  const { jobs, ledger: location } = await scheduledJobs(context, paths, input, true);
  const ledger = await openExistingLedger(location, { note: context.found });
  try {
    await permittedIfAny(context, ledger, 'read');
    const now = systemClock.now();
    const listed: ListedSchedule[] = [];
    for (const job of jobs) {
      const memory = await readHistory(ledger, job);
      const { lastRun } = memory;
      const standing = ledger && lastRun ? await liveStateOf(ledger, lastRun) : undefined;
      const it = scheduleOverview(job, memory, now, standing);
      listed.push({ ...it, moreMissed: (it.missed?.count ?? 0) >= COUNTED_AT_MOST });
    }
    return { jobs: listed, ...(ledger ? {} : { none: message('ledger.none_there', { location }) }) };
  } finally {
    await ledger?.close();
  }
}

export interface ExportInput extends PassedFlags {
  readonly format: ExportFormat;
  readonly image?: string;
  /** The program and its first arguments, as the other scheduler is to start it. */
  readonly program: readonly string[];
}

/** `schedule export`: what another scheduler needs to carry the jobs out, as files. */
export async function exportSchedule(
  context: AppContext,
  paths: readonly string[],
  input: ExportInput,
): Promise<{ readonly files: readonly ExportedFile[]; readonly notes: readonly Message[] }> {
  const found = await scheduledJobs(context, paths, input, true);
  const { files, notes } = exportSchedules(found.jobs, input.format, {
    home: found.home,
    // Where nothing names it, it is looked for up to the home folder, which may be another one for another user.
    ...(context.env.LICENSE_SYNC_LEDGER || !found.hasSettings ? { movedLedger: found.ledger } : {}),
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
  onlyLooking = false,
): Promise<FoundJobs> {
  const { env, cwd } = context;
  const load = (file: string) => loadJobFile(file, jobReading(context));
  return findJobs(paths, { env, cwd, load, onlyLooking, connection });
}

/** What is said of job files without a schedule and of the ledger's place. */
function notesOn({ unscheduled, warning }: FoundJobs): readonly Message[] {
  const count = unscheduled.length;
  const files = unscheduled.join(', ');
  return [
    ...(warning ? [warning] : []),
    ...(count === 0 ? [] : [message('schedule.no_schedule', { count, files })]),
  ];
}
