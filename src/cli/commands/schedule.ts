import type { AppContext } from '../../app/context.js';
import {
  type ExportInput,
  exportSchedule as exportJobs,
  type ListedSchedule,
  listSchedules as list,
  runSchedules,
  type ScheduleInput,
} from '../../app/schedule.js';
import { type Language, type Message, message, render } from '../../errors/message.js';
import { EXIT } from '../../model/run-outcome.js';
import type { RunSummary } from '../../schedule/child.js';
import type { ScheduleOverview } from '../../schedule/scheduler.js';
import type { ScheduledRun } from '../../schedule/services.js';
import { localText } from '../../schedule/timetable.js';
import { StopSignal } from '../../util/stop-signal.js';
import { terminalWidth } from '../../util/text-width.js';
import { PROGRAM, printExported, programOf } from '../print-exported.js';
import { listen } from '../process.js';
import { printNote } from '../shown-text.js';

/** `schedule`: runs the jobs at their times until it is stopped. */
export async function schedule(
  context: AppContext,
  paths: readonly string[],
  flags: ScheduleInput & { readonly json?: boolean },
): Promise<number> {
  const { language } = context;
  const print = (text: string): boolean => process.stderr.write(`${text}\n`);
  const signals = schedulerSignals();
  try {
    await runSchedules(
      {
        ...context,
        ...signals,
        program: PROGRAM,
        watch: {
          note: (it) => print(render(it, language)),
          line: (job, text) => print(`[${job}] ${text}`),
          ran: (run) => {
            const line = flags.json
              ? `${JSON.stringify(scheduledRunJson(run))}\n`
              : scheduledRunText(run, language);
            process.stdout.write(line);
          },
        },
      },
      paths,
      flags,
    );
    return signals.leave.aborted ? EXIT.interrupted : EXIT.ok;
  } finally {
    signals.release();
  }
}

/** The first signal lets active runs finish in order, the second stops waiting for them, the third exits at once. */
function schedulerSignals() {
  const stop = new StopSignal();
  const abandon = new AbortController();
  const release = listen([
    () => stop.stop({ kind: 'interrupted' }),
    () => abandon.abort(),
    () => process.exit(EXIT.interrupted),
  ]);
  return { stop, leave: abandon.signal, release };
}

interface ListFlags {
  readonly connection?: string;
  readonly json?: boolean;
}

/** `schedule list` */
export async function listSchedules(
  context: AppContext,
  paths: readonly string[],
  flags: ListFlags,
): Promise<void> {
  const { language } = context;
  const { jobs, none } = await list(context, paths, flags);
  if (none) printNote(none, language);
  const text = flags.json
    ? `${JSON.stringify(jobs.map(overviewJson), undefined, 2)}\n`
    : jobs.map((it) => overviewText(it, language)).join('\n');
  process.stdout.write(text);
}

interface ExportFlags extends Omit<ExportInput, 'program'> {
  readonly output?: string;
  readonly program?: string;
  readonly json?: boolean;
}

/** `schedule export` */
export async function exportSchedule(
  context: AppContext,
  paths: readonly string[],
  flags: ExportFlags,
): Promise<void> {
  const { output, format } = flags;
  const { files, notes } = await exportJobs(context, paths, { ...flags, program: programOf(flags) });
  for (const note of notes) printNote(note, context.language);
  await printExported(files, format, output);
}

const iso = (ms: number): string => new Date(ms).toISOString();

/** `2026-11-22 02:00 +08:00  nightly-locks  completed  rows 12: succeeded 12  exit 0  RUN  results/…xlsx` */
export function scheduledRunText({ job, due, reason, end }: ScheduledRun, language: Language): string {
  const rendered = (it: Message): string => render(it, language);
  const { summary, signal, exitCode } = end;
  const parts = [
    localText(job.timetable.zone, due),
    job.name,
    ...(reason === 'due' ? [] : [reason]),
    signal ?? summary?.status ?? rendered(message('listing.no_answer')),
    ...(summary?.rows === undefined
      ? []
      : [rendered(message('listing.rows_told', { rows: summary.rows })) + countsText(summary)]),
    rendered(message('listing.exit', { code: exitCode })),
    ...(summary?.runs === undefined ? [] : [rendered(message('listing.runs', { count: summary.runs }))]),
    ...(summary?.run === undefined ? [] : [summary.run]),
    ...(summary?.output === undefined ? [] : [summary.output]),
  ];
  return `${parts.join('  ')}\n`;
}

function countsText({ counts }: RunSummary): string {
  const present = Object.entries(counts).filter(([, count]) => count > 0);
  return present.length === 0 ? '' : `: ${present.map(([status, count]) => `${status} ${count}`).join(', ')}`;
}

/** The same as an object. */
export function scheduledRunJson(run: ScheduledRun): Record<string, unknown> {
  const { summary, signal, exitCode } = run.end;
  // The reason of the outcome takes precedence over the reason of the start.
  const { reason = run.reason, ...others } = summary ?? {};
  return {
    job: run.job.name,
    due: iso(run.due),
    reason,
    started: iso(run.startedAt),
    ended: iso(run.endedAt),
    exitCode,
    signal,
    ...others,
    durationMs: Math.round(run.durationMs),
  };
}

/** A block of lines for each job of `schedule list`. */
export function overviewText(it: ListedSchedule, language: Language): string {
  const { job, next, missed } = it;
  const { zone, cron } = job.timetable;
  const { jitterMs = 0 } = job.schedule;
  const local = (ms: number): string => localText(zone, ms);
  const rendered = (text: Message): string => render(text, language);
  const later = jitterMs > 0 ? `  ${rendered(message('listing.later', { seconds: jitterMs / 1000 }))}` : '';
  const lines = [
    ['listing.file', job.file],
    ['listing.next', next.map(local).join(', ') + later],
    ['listing.last', lastText(it, local, rendered)],
  ] as [Heading, string][];
  if (missed) {
    const more = it.moreMissed ? '+' : '';
    const params = {
      count: `${missed.count}${more}`,
      oldest: local(missed.oldest),
      newest: local(missed.newest),
    };
    const times = rendered(message('listing.missed_times', params));
    lines.push(['listing.missed', `${times} (onMissed: ${job.schedule.onMissed})`]);
  }
  const texts = lines.map(([heading, text]) => `  ${padded(rendered(message(heading)))}  ${text}\n`);
  return `${job.name}  ${cron.text}  ${zone.name}\n${texts.join('')}`;
}

const HEADING_CELLS = 6;

function padded(heading: string): string {
  return heading + ' '.repeat(Math.max(0, HEADING_CELLS - terminalWidth(heading)));
}

type Heading = 'listing.file' | 'listing.next' | 'listing.last' | 'listing.missed';

function lastText(
  { history: { last, lastRun }, lastState }: ScheduleOverview,
  local: (ms: number) => string,
  rendered: (it: Message) => string,
): string {
  const exit = (code: number): string => rendered(message('listing.exit', { code }));
  const parts: string[] = [];
  if (last) {
    const outcome = last.exitCode === undefined ? rendered(message('listing.no_end')) : exit(last.exitCode);
    const run = last.run === undefined ? '' : `  ${rendered(message('listing.run'))} ${last.run}`;
    parts.push(`${local(last.due)}  ${outcome}${run}`);
  }
  if (lastRun && lastRun.id !== last?.run) {
    const outcome = lastRun.exitCode === undefined ? '' : `, ${exit(lastRun.exitCode)}`;
    const params = { run: lastRun.id, time: local(lastRun.startedAt), state: lastState ?? lastRun.state };
    parts.push(rendered(message('listing.run_of', params)) + outcome);
  }
  return parts.join('; ') || rendered(message('listing.never'));
}

export function overviewJson(it: ScheduleOverview): Record<string, unknown> {
  const { job, next, history, missed, lastState } = it;
  const { zone, cron } = job.timetable;
  const { last, lastRun, pause } = history;
  const { onMissed, onOverlap, jitterMs } = job.schedule;
  return {
    job: job.name,
    file: job.file,
    kind: job.kind,
    connection: job.connection,
    cron: cron.text,
    timezone: zone.name,
    onMissed,
    onOverlap,
    jitterMs,
    pausedBy: pause?.who,
    pausedAt: pause && iso(pause.pausedAt),
    next: next.map((due) => ({ at: iso(due), local: localText(zone, due) })),
    last: last && {
      due: iso(last.due),
      begun: iso(last.begunAt),
      ended: last.endedAt === undefined ? undefined : iso(last.endedAt),
      exitCode: last.exitCode,
      run: last.run,
    },
    lastRun: lastRun && {
      run: lastRun.id,
      started: iso(lastRun.startedAt),
      state: lastState ?? lastRun.state,
      exitCode: lastRun.exitCode,
    },
    missed: missed
      ? { count: missed.count, oldest: iso(missed.oldest), newest: iso(missed.newest) }
      : { count: 0 },
  };
}
