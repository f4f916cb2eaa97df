import type { Language } from '../errors/message.js';
import { type Message, render } from '../errors/message.js';
import type { InboxEnd } from '../inbox/contract.js';
import { EXIT } from '../model/exit-code.js';
import type { RunAbout } from '../run/observer.js';
import type { NothingToRetry } from '../run/retry/retry.js';
import type { RunEnd } from '../run/run-end.js';
import { distinctMessages } from '../util/distinct-messages.js';
import type { CarriedRun } from './context.js';
import { failureOf } from './failure.js';
import type { HowEnded } from './follow-up.js';
import { inboxJson, inboxOver } from './inbox-summary.js';
import type { LogFile } from './log-file.js';
import type { RunPages } from './run-pages.js';
import { failureJson, nothingJson, type RunFigures, runJson } from './run-summary.js';

/** What is told of a command that is over. */
export interface EndedRun {
  readonly carried: CarriedRun;
  /** For whoever is told of it; absent where there was nothing to do. */
  readonly how?: HowEnded | undefined;
}

/** What its frame knows of it by then. */
export interface SoFar {
  readonly startedAt: number;
  readonly durationMs: number;
  /** Of the ledger. */
  readonly place: string | undefined;
  readonly pages: RunPages;
  readonly warned: readonly Message[];
  readonly log: LogFile | undefined;
  readonly language: Language;
}

/** Told of by its duration: the clock may have been set since it began, and both are told together. */
const endOf = ({ startedAt, durationMs }: SoFar): number => startedAt + Math.round(durationMs);

export function endedWell(end: RunEnd | NothingToRetry | InboxEnd, soFar: SoFar): EndedRun {
  const { startedAt, durationMs, pages, language } = soFar;
  const facts = { durationMs, reports: pages.written, ledger: soFar.place };
  if ('nothing' in end) {
    const summary = nothingJson(end, durationMs);
    return { carried: { ...facts, kind: 'nothing', end, exitCode: EXIT.ok, summary } };
  }
  const { exitCode } = end;
  if ('pattern' in end) {
    const failure = end.failure === undefined ? undefined : failureOf(end.failure, language);
    if (failure) soFar.log?.failed(failure.code, failure.text, undefined);
    const summary = { ...inboxJson(end, durationMs, language), ...pages.json() };
    return {
      carried: { ...facts, kind: 'inbox', end, exitCode, summary, failure },
      how: inboxOver(end, startedAt, endOf(soFar), language),
    };
  }
  const warnings = distinctMessages([...(end.warnings ?? []), ...soFar.warned]);
  const summary = { ...runJson({ ...end, warnings }, durationMs, language), ...pages.json() };
  const carried = { ...facts, kind: 'run', end, exitCode, summary } as const;
  // Of a run that goes on there is nothing to tell yet.
  const goesOn = end.status === 'queued';
  const endedAt = endOf(soFar);
  return { carried, how: goesOn ? undefined : { run: end.run, exitCode, startedAt, endedAt, summary } };
}

/** @param about the run, where one had begun; `known` is what is told of it otherwise */
export function endedByFault(
  error: unknown,
  soFar: SoFar,
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
    carried: { kind: 'failed', error, failure, exitCode, durationMs, summary, reports: pages.written },
    how: {
      run,
      exitCode,
      startedAt,
      endedAt: endOf(soFar),
      summary: summaryOf(what ?? about.known),
    },
  };
}
