import type { Said } from '../schedule/child.js';
import { localText } from '../schedule/local-text.js';
import type { Overview } from '../schedule/overview.js';
import type { ScheduledRun } from '../schedule/parts.js';
import { COUNTED_AT_MOST } from '../schedule/timetable.js';

const iso = (ms: number): string => new Date(ms).toISOString();

/** `2026-11-22 02:00 +08:00  nightly-locks  completed  rows 12: succeeded 12  exit 0  RUN  results/…xlsx` */
export function scheduledRunText({ job, due, reason, end }: ScheduledRun): string {
  const { said, signal, exitCode } = end;
  const parts = [
    localText(job.timetable.zone, due),
    job.name,
    ...(reason === 'due' ? [] : [reason]),
    signal ?? said?.status ?? 'no answer',
    ...(said?.rows === undefined ? [] : [`rows ${said.rows}${countsText(said)}`]),
    `exit ${exitCode}`,
    ...(said?.runs === undefined ? [] : [`runs ${said.runs}`]),
    ...(said?.run === undefined ? [] : [said.run]),
    ...(said?.output === undefined ? [] : [said.output]),
  ];
  return `${parts.join('  ')}\n`;
}

function countsText({ counts }: Said): string {
  const told = Object.entries(counts).filter(([, count]) => count > 0);
  return told.length === 0 ? '' : `: ${told.map(([status, count]) => `${status} ${count}`).join(', ')}`;
}

/** The same as an object. */
export function scheduledRunJson(run: ScheduledRun): Record<string, unknown> {
  const { said, signal, exitCode } = run.end;
  return {
    job: run.job.name,
    due: iso(run.due),
    reason: run.reason,
    started: iso(run.startedAt),
    ended: iso(run.endedAt),
    exitCode,
    ...(signal === undefined ? {} : { signal }),
    ...said,
    durationMs: Math.round(run.durationMs),
  };
}

/** A block of lines for each job of `schedule list`. */
export function overviewText(it: Overview): string {
  const { job, next, missed } = it;
  const { zone, cron } = job.timetable;
  const { jitterMs = 0 } = job.schedule;
  const local = (ms: number): string => localText(zone, ms);
  const lines = [
    `${job.name}  ${cron.text}  ${zone.name}`,
    `  file    ${job.file}`,
    `  next    ${next.map(local).join(', ')}${jitterMs > 0 ? `  (up to ${jitterMs / 1000} s later)` : ''}`,
    `  last    ${lastText(it, local)}`,
  ];
  if (missed) {
    const more = missed.count >= COUNTED_AT_MOST ? '+' : '';
    const times = `${missed.count}${more} since ${local(missed.oldest)}, the newest ${local(missed.newest)}`;
    lines.push(`  missed  ${times} (onMissed: ${job.schedule.onMissed})`);
  }
  return `${lines.join('\n')}\n`;
}

function lastText(
  { memory: { last, lastRun }, lastStanding }: Overview,
  local: (ms: number) => string,
): string {
  const parts: string[] = [];
  if (last) {
    const outcome = last.exitCode === undefined ? 'no end' : `exit ${last.exitCode}`;
    parts.push(`${local(last.due)}  ${outcome}${last.run === undefined ? '' : `  run ${last.run}`}`);
  }
  if (lastRun && lastRun.id !== last?.run) {
    const outcome = lastRun.exitCode === undefined ? '' : `, exit ${lastRun.exitCode}`;
    parts.push(
      `run ${lastRun.id} of ${local(lastRun.startedAt)}: ${lastStanding ?? lastRun.state}${outcome}`,
    );
  }
  return parts.join('; ') || 'never';
}

export function overviewJson({ job, next, memory, missed, lastStanding }: Overview): Record<string, unknown> {
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
    ...(jitterMs === undefined ? {} : { jitterMs }),
    next: next.map((due) => ({ at: iso(due), local: localText(zone, due) })),
    ...(last
      ? {
          last: {
            due: iso(last.due),
            begun: iso(last.begunAt),
            ...(last.endedAt === undefined ? {} : { ended: iso(last.endedAt) }),
            ...(last.exitCode === undefined ? {} : { exitCode: last.exitCode }),
            ...(last.run === undefined ? {} : { run: last.run }),
          },
        }
      : {}),
    ...(lastRun
      ? {
          lastRun: {
            run: lastRun.id,
            started: iso(lastRun.startedAt),
            state: lastStanding ?? lastRun.state,
            ...(lastRun.exitCode === undefined ? {} : { exitCode: lastRun.exitCode }),
          },
        }
      : {}),
    missed: missed
      ? { count: missed.count, oldest: iso(missed.oldest), newest: iso(missed.newest) }
      : { count: 0 },
  };
}
