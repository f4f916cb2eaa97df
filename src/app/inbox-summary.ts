import { type Language, type Message, message, render } from '../errors/message.js';
import type { InboxEnd, InboxRun } from '../inbox/contract.js';
import { EXIT, worstExitCode } from '../model/exit-code.js';
import type { Status } from '../model/status.js';
import { doubtWarning } from '../run/cut-off-runs.js';
import { failureData, failureOf } from './failure.js';
import type { HowEnded } from './follow-up.js';
import { runJson } from './run-summary.js';

/** The `--json` object of a command over an input folder: its runs added up, and each by itself. */
export function inboxJson(end: InboxEnd, durationMs: number, language: Language): Record<string, unknown> {
  const counts: Partial<Record<Status, number>> = {};
  for (const { end: run } of end.runs) {
    for (const [status, count] of Object.entries(run.counts) as [Status, number][]) {
      counts[status] = (counts[status] ?? 0) + count;
    }
  }
  const sum = (of: (run: InboxRun) => number): number => end.runs.reduce((total, it) => total + of(it), 0);
  return {
    job: end.job,
    operation: end.operation,
    connection: end.connection,
    status: end.status,
    rows: sum((it) => it.end.rows),
    counts,
    requests: sum((it) => it.end.requests),
    retries: sum((it) => it.end.retries),
    runs: end.runs.map((it) => inboxRunJson(it, language)),
    moved: end.moved.map(({ reason, exitCode: _, ...it }) => ({ ...it, reason: render(reason) })),
    left: end.left.map(({ file, reason }) => ({ file, reason: render(reason) })),
    cutOff: end.doubts.length > 0 ? end.doubts : undefined,
    durationMs: Math.round(durationMs),
    sandbox: end.sandbox ? 'SANDBOX' : undefined,
    reason: isEmpty(end) ? render(message('inbox.none', { pattern: end.pattern })) : undefined,
    error: end.failure === undefined ? undefined : failureData(end.failure),
  };
}

function inboxRunJson({ input, end, durationMs, error }: InboxRun, language: Language) {
  const failure = error === undefined ? undefined : failureData(error);
  return { ...runJson(end, durationMs, language), input, error: failure };
}

export function isEmpty({ runs, moved, left }: InboxEnd): boolean {
  return runs.length + moved.length + left.length === 0;
}

/** What is said of runs that were cut off and have unknown rows, whatever became of their files. */
export function doubtsOf({ doubts }: InboxEnd): readonly Message[] {
  return doubts.map(doubtWarning);
}

/** One of the runs, for whoever is to be told of its end. */
export function inboxRunOver(run: InboxRun, language: Language): HowEnded {
  const { end, startedAt, durationMs } = run;
  const endedAt = startedAt + Math.round(durationMs);
  return { run: end.run, exitCode: end.exitCode, startedAt, endedAt, summary: inboxRunJson(run, language) };
}

/** What no run's end tells: files that should have been run and were not, and what ended the command; if any. */
export function inboxOver(
  end: InboxEnd,
  startedAt: number,
  endedAt: number,
  language: Language,
): HowEnded | undefined {
  const { moved, left, failure } = end;
  const exitCode = worstExitCode([
    ...[...moved, ...left].map((it) => it.exitCode ?? EXIT.ok),
    ...(end.doubts.length > 0 ? [EXIT.unknown] : []),
    ...(failure === undefined ? [] : [failureOf(failure, 'en').exitCode]),
  ]);
  if (exitCode === EXIT.ok) return undefined;
  return { exitCode, startedAt, endedAt, summary: inboxJson(end, endedAt - startedAt, language) };
}
