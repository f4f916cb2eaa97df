import { type Language, type Message, message, render } from '../errors/message.js';
import type { InboxEnd, InboxRun } from '../inbox/inbox.js';
import type { Ledger } from '../ledger/contract/ledger.js';
import { EXIT, worstExitCode } from '../model/run-outcome.js';
import type { Status } from '../model/status.js';
import { uncertainRunsWarning } from '../run/live-state.js';
import type { RunAbout } from '../run/observer.js';
import { problemPlaces, problemText } from '../run/report/problem-kinds.js';
import type { NothingToRetry } from '../run/retry.js';
import type { RunEnd } from '../run/run-end.js';
import { distinctMessages } from '../util/error-detail.js';
import type { RunCommandResult } from './context.js';
import { type Failure, failureData, failureOf } from './failure.js';
import type { LogFile } from './log-file.js';
import type { RunOutcome } from './notify-run-end.js';
import type { RunPages } from './run-pages.js';

/** Progress of a run as recorded in the ledger. */
export type RunFigures = Pick<RunEnd, 'rows' | 'counts' | 'requests' | 'retries'>;

export const NO_FIGURES: RunFigures = { rows: 0, counts: {}, requests: 0, retries: 0 };

/**
 * The `--json` object of a run (contract section 7).
 * @param language of the warnings
 */
export function runJson(end: RunEnd, durationMs: number, language: Language): Record<string, unknown> {
  return {
    run: end.run,
    job: end.job,
    operation: end.operation,
    connection: end.connection,
    status: end.status,
    rows: end.rows,
    counts: end.counts,
    requests: end.requests,
    retries: end.retries,
    lookups: end.lookups,
    output: end.output,
    movedTo: end.movedTo,
    durationMs: Math.round(durationMs),
    executeMs: end.executeMs,
    plan:
      end.kind === 'plan' && (end.status === 'completed' || end.planHash !== undefined)
        ? end.run
        : end.stays && null,
    planHash: end.planHash,
    needsApproval: end.needsApproval,
    reverts: end.reverts,
    notReverted: end.stays?.map(({ reason, ...at }) => ({ ...at, reason: render(reason, language) })),
    parent: end.parent,
    steps: end.steps,
    actions: end.actions,
    sandbox: end.sandbox ? 'SANDBOX' : undefined,
    rehearsal: end.rehearsal ? 'REHEARSAL' : undefined,
    reason: end.reason && render(end.reason),
    warnings: (end.warnings ?? []).map((it) => render(it, language)),
    ...(end.problems && end.problems.length > 0 ? { problems: problemsView(end, 'en') } : {}),
  };
}

/** Problems of a run's rows by kind, the most frequent first; `first`: the first few cells or rows. */
export function problemsView({ problems = [] }: RunEnd, language: Language) {
  return problems.map((it) => ({
    status: it.status,
    count: it.count,
    message: problemText(it, language),
    first: problemPlaces(it, language),
  }));
}

/** The `--json` object of a retry that found nothing to do and created no run. */
export function nothingJson(
  { nothing, parent }: NothingToRetry,
  durationMs: number,
): Record<string, unknown> {
  return {
    parent: parent.id,
    job: parent.job,
    operation: parent.operation,
    connection: parent.connection,
    status: 'completed',
    ...NO_FIGURES,
    durationMs: Math.round(durationMs),
    executeMs: 0,
    reason: render(nothing),
    warnings: [],
  };
}

/**
 * The `--json` object of a command that ended with an error; `about` as far as the run is known.
 * @param figures undefined if the ledger cannot be read: no figures are better than wrong ones
 */
export function failureJson(
  { exitCode, code, text, others }: Failure,
  about: Partial<RunAbout> & { readonly run: string | undefined },
  figures: RunFigures | undefined,
  durationMs: number,
): Record<string, unknown> {
  return {
    ...about,
    status: exitCode === EXIT.input ? 'invalid' : 'stopped',
    ...figures,
    durationMs: Math.round(durationMs),
    error: { code, message: text, others },
  };
}

/** Figures of a run that ended with an error; undefined if the ledger fails, too. */
export async function figuresOf(ledger: Ledger, id: string): Promise<RunFigures | undefined> {
  try {
    const run = await ledger.runs.get(id);
    if (!run) return undefined;
    const { rows, requests, retries } = run;
    return { rows, counts: await ledger.runs.counts(id), requests, retries };
  } catch {
    return undefined;
  }
}

/** The `--json` object of a command on an input folder: the totals of its runs, and each run. */
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
    cutOff: end.uncertainRuns.length > 0 ? end.uncertainRuns : undefined,
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

/** Warnings about interrupted runs with unknown rows. */
export function uncertainRunWarnings({ uncertainRuns }: InboxEnd): readonly Message[] {
  return uncertainRuns.map(uncertainRunsWarning);
}

/** The outcome of one of the runs, for notifications. */
export function inboxRunOver(run: InboxRun, language: Language): RunOutcome {
  const { end, startedAt, durationMs } = run;
  const endedAt = startedAt + Math.round(durationMs);
  return { run: end.run, exitCode: end.exitCode, startedAt, endedAt, summary: inboxRunJson(run, language) };
}

/** The outcome that no single run reports: files that were not run, and the error that ended the command; if any. */
export function inboxOver(
  end: InboxEnd,
  startedAt: number,
  endedAt: number,
  language: Language,
): RunOutcome | undefined {
  const { moved, left, failure } = end;
  const exitCode = worstExitCode([
    ...[...moved, ...left].map((it) => it.exitCode ?? EXIT.ok),
    ...(end.uncertainRuns.length > 0 ? [EXIT.unknown] : []),
    ...(failure === undefined ? [] : [failureOf(failure, 'en').exitCode]),
  ]);
  if (exitCode === EXIT.ok) return undefined;
  return { exitCode, startedAt, endedAt, summary: inboxJson(end, endedAt - startedAt, language) };
}

export interface EndedRun {
  readonly result: RunCommandResult;
  /** For notifications; absent if there was nothing to do. */
  readonly outcome?: RunOutcome | undefined;
}

/** State of the frame when the use case ends. */
export interface RunProgressInfo {
  readonly startedAt: number;
  readonly durationMs: number;
  readonly pages: RunPages;
  readonly warned: readonly Message[];
  readonly log: LogFile | undefined;
  readonly language: Language;
}

/** Derived from the monotonic duration, because the clock may have changed since the start. */
const endOf = ({ startedAt, durationMs }: RunProgressInfo): number => startedAt + Math.round(durationMs);

export function endedWell(end: RunEnd | NothingToRetry | InboxEnd, soFar: RunProgressInfo): EndedRun {
  const { startedAt, durationMs, pages, language } = soFar;
  const facts = { durationMs, reports: pages.written };
  if ('nothing' in end) {
    const summary = nothingJson(end, durationMs);
    return { result: { ...facts, kind: 'nothing', end, exitCode: EXIT.ok, summary } };
  }
  const { exitCode } = end;
  if ('pattern' in end) {
    const failure = end.failure === undefined ? undefined : failureOf(end.failure, language);
    if (failure) soFar.log?.failed(failure.code, failure.text, undefined);
    const summary = { ...inboxJson(end, durationMs, language), ...pages.json() };
    return {
      result: { ...facts, kind: 'inbox', end, exitCode, summary, failure },
      outcome: inboxOver(end, startedAt, endOf(soFar), language),
    };
  }
  const warnings = distinctMessages([...(end.warnings ?? []), ...soFar.warned]);
  const summary = { ...runJson({ ...end, warnings }, durationMs, language), ...pages.json() };
  const result = { ...facts, kind: 'run', end, exitCode, summary } as const;
  // Workers continue a queued run, so there is no outcome to report yet.
  const isQueued = end.status === 'queued';
  const endedAt = endOf(soFar);
  return { result, outcome: isQueued ? undefined : { run: end.run, exitCode, startedAt, endedAt, summary } };
}

/** @param about the run, if one was started; otherwise `known` identifies it */
export function endedByFault(
  error: unknown,
  soFar: RunProgressInfo,
  about: {
    readonly run?: string;
    readonly what?: RunAbout;
    readonly known: Partial<RunAbout> | undefined;
    readonly figures: RunFigures | undefined;
  },
): EndedRun {
  const { startedAt, durationMs, pages, warned, log, language } = soFar;
  const failure = failureOf(error, language);
  const { exitCode } = failure;
  const { run, what, figures } = about;
  log?.failed(failure.code, failure.text, run);
  const warnings = distinctMessages(warned).map((it) => render(it, language));
  const summaryOf = (of: Partial<RunAbout> | undefined) => ({
    ...failureJson(failure, { run, ...of }, figures, durationMs),
    warnings,
  });
  const summary = { ...summaryOf(what), ...pages.json() };
  return {
    result: { kind: 'failed', error, failure, exitCode, durationMs, summary, reports: pages.written },
    outcome: {
      run,
      exitCode,
      startedAt,
      endedAt: endOf(soFar),
      summary: summaryOf(what ?? about.known),
    },
  };
}
