import { type Language, type Message, message, render } from '../errors/message.js';
import type { InboxEnd, InboxRun } from '../inbox/contract.js';
import { worstExitCode } from '../inbox/exit-code.js';
import { EXIT } from '../model/exit-code.js';
import type { Status } from '../model/status.js';
import { doubtWarning } from '../run/cut-off-runs.js';
import { shownPath, shownText } from '../util/shown-path.js';
import { failureOf } from './exit.js';
import type { HowEnded } from './follow-up.js';
import { runJson, runText } from './run-summary.js';

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
    ...(end.doubts.length > 0 ? { cutOff: end.doubts } : {}),
    durationMs: Math.round(durationMs),
    ...(end.sandbox ? { sandbox: 'SANDBOX' } : {}),
    ...(isEmpty(end) ? { reason: render(message('inbox.none', { pattern: end.pattern })) } : {}),
    ...(end.failure === undefined ? {} : { error: errorJson(end.failure) }),
  };
}

function inboxRunJson(
  { input, end, durationMs, error }: InboxRun,
  language: Language,
): Record<string, unknown> {
  return {
    ...runJson(end, durationMs, language),
    input,
    ...(error === undefined ? {} : { error: errorJson(error) }),
  };
}

function errorJson(error: unknown): Record<string, unknown> {
  const { code, text, others } = failureOf(error, 'en');
  return { code, message: text, others };
}

function isEmpty({ runs, moved, left }: InboxEnd): boolean {
  return runs.length + moved.length + left.length === 0;
}

function doubtsText({ doubts }: InboxEnd, language: Language): string {
  return doubts.map((it) => `${shownText(render(doubtWarning(it), language))}\n`).join('');
}

/** The same in words: a block for each run, a line for each other file, and how many there are of each. */
export function inboxText(end: InboxEnd, language: Language): string {
  const doubts = doubtsText(end, language);
  if (isEmpty(end))
    return `${render(message('inbox.none', { pattern: shownPath(end.pattern) }), language)}\n${doubts}`;
  const blocks = end.runs.map(({ input, end: run, durationMs }) => {
    return `${shownPath(input)}\n${runText(run, durationMs, language)}`;
  });
  for (const { file, movedTo, reason } of end.moved) {
    const lines = [reason, ...(movedTo === undefined ? [] : [movedMessage(movedTo)])];
    blocks.push(block(file, lines, language));
  }
  for (const { file, reason } of end.left) blocks.push(block(file, [reason], language));
  const tally = { runs: end.runs.length, moved: end.moved.length, left: end.left.length };
  blocks.push(`${render(message('inbox.tally', tally), language)}\n`);
  return blocks.join('') + doubts;
}

function block(file: string, lines: readonly Message[], language: Language): string {
  const texts = lines.map((it) => `  ${shownText(render(it, language))}`);
  return `${[shownPath(file), ...texts].join('\n')}\n`;
}

function movedMessage(movedTo: string): Message {
  return message('summary.moved', { file: shownPath(movedTo) });
}

/** One of the runs, for whoever is to be told of its end. */
export function inboxRunOver(run: InboxRun, language: Language): HowEnded {
  const { end, startedAt, durationMs } = run;
  const endedAt = startedAt + Math.round(durationMs);
  return { run: end.run, exitCode: end.exitCode, startedAt, endedAt, summary: inboxRunJson(run, language) };
}

/** What nobody was told of with a run: files that were not run and should have been, and what ended the command. */
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
