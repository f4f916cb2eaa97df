import type { ListedSchedule } from '../app/schedule.js';
import { type Language, type Message, message, render } from '../errors/message.js';
import type { RunSummary } from '../schedule/child.js';
import type { ScheduledRun } from '../schedule/contract.js';
import type { ScheduleOverview } from '../schedule/overview.js';
import { localText } from '../schedule/timetable.js';
import { terminalWidth } from '../util/text-width.js';

const iso = (ms: number): string => new Date(ms).toISOString();

/** `2026-11-22 02:00 +08:00  nightly-locks  completed  rows 12: succeeded 12  exit 0  RUN  results/…xlsx` */
export function scheduledRunText({ job, due, reason, end }: ScheduledRun, language: Language): string {
  const say = (it: Message): string => render(it, language);
  const { summary: said, signal, exitCode } = end;
  const parts = [
    localText(job.timetable.zone, due),
    job.name,
    ...(reason === 'due' ? [] : [reason]),
    signal ?? said?.status ?? say(message('listing.no_answer')),
    ...(said?.rows === undefined
      ? []
      : [say(message('listing.rows_told', { rows: said.rows })) + countsText(said)]),
    say(message('listing.exit', { code: exitCode })),
    ...(said?.runs === undefined ? [] : [say(message('listing.runs', { count: said.runs }))]),
    ...(said?.run === undefined ? [] : [said.run]),
    ...(said?.output === undefined ? [] : [said.output]),
  ];
  return `${parts.join('  ')}\n`;
}

function countsText({ counts }: RunSummary): string {
  const told = Object.entries(counts).filter(([, count]) => count > 0);
  return told.length === 0 ? '' : `: ${told.map(([status, count]) => `${status} ${count}`).join(', ')}`;
}

/** The same as an object. */
export function scheduledRunJson(run: ScheduledRun): Record<string, unknown> {
  const { summary, signal, exitCode } = run.end;
  // Why it ended as it did is worth more than why it was begun.
  const { reason = run.reason, ...said } = summary ?? {};
  return {
    job: run.job.name,
    due: iso(run.due),
    reason,
    started: iso(run.startedAt),
    ended: iso(run.endedAt),
    exitCode,
    signal,
    ...said,
    durationMs: Math.round(run.durationMs),
  };
}

/** A block of lines for each job of `schedule list`. */
export function overviewText(it: ListedSchedule, language: Language): string {
  const { job, next, missed } = it;
  const { zone, cron } = job.timetable;
  const { jitterMs = 0 } = job.schedule;
  const local = (ms: number): string => localText(zone, ms);
  const say = (text: Message): string => render(text, language);
  const later = jitterMs > 0 ? `  ${say(message('listing.later', { seconds: jitterMs / 1000 }))}` : '';
  const lines = [
    ['listing.file', job.file],
    ['listing.next', next.map(local).join(', ') + later],
    ['listing.last', lastText(it, local, say)],
  ] as [Heading, string][];
  if (missed) {
    const more = it.moreMissed ? '+' : '';
    const params = {
      count: `${missed.count}${more}`,
      oldest: local(missed.oldest),
      newest: local(missed.newest),
    };
    const times = say(message('listing.missed_times', params));
    lines.push(['listing.missed', `${times} (onMissed: ${job.schedule.onMissed})`]);
  }
  const told = lines.map(([heading, text]) => `  ${padded(say(message(heading)))}  ${text}\n`);
  return `${job.name}  ${cron.text}  ${zone.name}\n${told.join('')}`;
}

const HEADING_CELLS = 6;

function padded(heading: string): string {
  return heading + ' '.repeat(Math.max(0, HEADING_CELLS - terminalWidth(heading)));
}

type Heading = 'listing.file' | 'listing.next' | 'listing.last' | 'listing.missed';

function lastText(
  { memory: { last, lastRun }, lastStanding }: ScheduleOverview,
  local: (ms: number) => string,
  say: (it: Message) => string,
): string {
  const exit = (code: number): string => say(message('listing.exit', { code }));
  const parts: string[] = [];
  if (last) {
    const outcome = last.exitCode === undefined ? say(message('listing.no_end')) : exit(last.exitCode);
    const run = last.run === undefined ? '' : `  ${say(message('listing.run'))} ${last.run}`;
    parts.push(`${local(last.due)}  ${outcome}${run}`);
  }
  if (lastRun && lastRun.id !== last?.run) {
    const outcome = lastRun.exitCode === undefined ? '' : `, ${exit(lastRun.exitCode)}`;
    const params = { run: lastRun.id, time: local(lastRun.startedAt), state: lastStanding ?? lastRun.state };
    parts.push(say(message('listing.run_of', params)) + outcome);
  }
  return parts.join('; ') || say(message('listing.never'));
}

export function overviewJson(it: ScheduleOverview): Record<string, unknown> {
  const { job, next, memory, missed, lastStanding } = it;
  const { zone, cron } = job.timetable;
  const { last, lastRun } = memory;
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
      state: lastStanding ?? lastRun.state,
      exitCode: lastRun.exitCode,
    },
    missed: missed
      ? { count: missed.count, oldest: iso(missed.oldest), newest: iso(missed.newest) }
      : { count: 0 },
  };
}
