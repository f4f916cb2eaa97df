import { type Language, type Message, message, render } from '../../errors/message.js';
import { loadJobFile } from '../../job/load.js';
import { openLedger } from '../../ledger/open.js';
import { EXIT } from '../../model/exit-code.js';
import { COMPARISONS } from '../../platform/comparisons/index.js';
import { CATALOGUE_SHAPES } from '../../platform/operations/index.js';
import { childProcesses } from '../../schedule/child-process.js';
import type { PassedFlags } from '../../schedule/command.js';
import type { ScheduleServices } from '../../schedule/contract.js';
import { type FoundJobs, findJobs } from '../../schedule/find-jobs.js';
import { lockSchedule } from '../../schedule/schedule-lock.js';
import { Scheduler } from '../../schedule/scheduler.js';
import { systemClock } from '../../util/clock.js';
import { ownFile } from '../../util/own-package.js';
import { StopSignal } from '../../util/stop-signal.js';
import { guarded } from '../exit.js';
import { languageOf } from '../language.js';
import { scheduledRunJson, scheduledRunText } from '../schedule-text.js';

/** The program as it was started, for its own children. */
export const PROGRAM = ownFile('bin/license-sync.js');

export interface ScheduleFlags extends PassedFlags {
  readonly concurrency: number;
  readonly wait?: boolean;
  readonly json?: boolean;
}

/** `schedule`: runs the jobs at their times until it is stopped. */
export async function schedule(paths: readonly string[], flags: ScheduleFlags): Promise<void> {
  const language = languageOf(process.env);
  await guarded(language, () => work(paths, flags, language), flags.json === true);
}

/** The jobs that `schedule` and its kin are about. */
export function scheduledJobs(
  paths: readonly string[],
  flags: { readonly connection?: string },
  options: { readonly onlyLooking?: boolean } = {},
): Promise<FoundJobs> {
  const { env } = process;
  const cwd = process.cwd();
  const load = (file: string) =>
    loadJobFile(file, { env, cwd, operations: CATALOGUE_SHAPES, comparisons: COMPARISONS });
  const { connection } = flags;
  return findJobs(paths, { env, cwd, load, ...options, ...(connection === undefined ? {} : { connection }) });
}

/** What is said of job files without a schedule, if there are any. */
export function unscheduledNote({ unscheduled }: FoundJobs): readonly Message[] {
  const count = unscheduled.length;
  return count === 0 ? [] : [message('schedule.no_schedule', { count, files: unscheduled.join(', ') })];
}

async function work(paths: readonly string[], flags: ScheduleFlags, language: Language): Promise<number> {
  const say = (text: string): boolean => process.stderr.write(`${text}\n`);
  const note = (it: Message): boolean => say(render(it, language));
  let found = await scheduledJobs(paths, flags);
  for (const it of unscheduledNote(found)) note(it);
  const location = found.ledger;
  const ledger = await openLedger(location, { made: () => note(message('ledger.made', { location })) });
  const stop = new StopSignal();
  const parts: ScheduleServices = {
    ledger,
    clock: systemClock,
    language,
    observer: {
      note,
      line: (job, text) => say(`[${job}] ${text}`),
      ran: (run) => {
        const line = flags.json
          ? `${JSON.stringify(scheduledRunJson(run))}\n`
          : scheduledRunText(run, language);
        process.stdout.write(line);
      },
    },
    start: childProcesses([process.execPath, PROGRAM], { cwd: process.cwd(), env: process.env }),
    stop,
    passed: flags,
    concurrency: flags.concurrency,
  };
  const scheduler = new Scheduler(parts);
  const signals = listen(stop, scheduler);
  try {
    const held = await lockSchedule({ ...parts, ledger }, flags.wait === true);
    if (!held) return EXIT.ok;
    try {
      // While it stood by, the files may have changed.
      if (flags.wait) found = await scheduledJobs(paths, flags);
      await scheduler.run(found.jobs);
      return signals.asked() > 1 ? EXIT.interrupted : EXIT.ok;
    } finally {
      await held.release();
    }
  } finally {
    signals.release();
    await ledger.close();
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The first one lets what goes on end in order, the second makes it leave, a third leaves without looking back. */
function listen(stop: StopSignal, scheduler: Scheduler) {
  let asked = 0;
  const listener = (): void => {
    asked += 1;
    if (asked === 1) stop.stop({ kind: 'interrupted' });
    else if (asked === 2) scheduler.leave();
    else process.exit(EXIT.interrupted);
  };
  for (const signal of SIGNALS) process.on(signal, listener);
  return {
    asked: () => asked,
    release: () => {
      for (const signal of SIGNALS) process.off(signal, listener);
    },
  };
}
