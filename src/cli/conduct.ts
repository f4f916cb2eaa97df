import { type Language, type Message, message, render } from '../errors/message.js';
import type { InboxEnd, InboxRun } from '../inbox/contract.js';
import type { Ledger } from '../ledger/contract/ledger.js';
import type { Run, RunKind } from '../ledger/contract/run.js';
import { openLedger } from '../ledger/open.js';
import type { Connection } from '../model/connection.js';
import { EXIT } from '../model/exit-code.js';
import type { RunAbout, RunObserver } from '../run/observer.js';
import type { ComparedRows } from '../run/report/html-report.js';
import type { NothingToRetry } from '../run/retry/retry.js';
import type { RunServices } from '../run/run-context.js';
import type { RunEnd } from '../run/run-end.js';
import { systemClock } from '../util/clock.js';
import { distinctMessages } from '../util/distinct-messages.js';
import { StopSignal } from '../util/stop-signal.js';
import { askOnTerminal } from './ask.js';
import { failureOf, printFailure } from './exit.js';
import { type About, aboutRun, followUp, type HowEnded, identityOf, notificationsOf } from './follow-up.js';
import { inboxJson, inboxOver, inboxRunOver, inboxText } from './inbox-summary.js';
import { type LogFile, openLogFile } from './log-file.js';
import { ProgressPrinter } from './progress.js';
import { RunReports } from './run-report.js';
import { failureJson, NO_FIGURES, nothingJson, type RunFigures, runJson, runText } from './run-summary.js';
import { stopOnSignals } from './signals.js';

/** Flags that every command has that carries a run. */
export interface RunFlags {
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly output?: string;
  readonly connection?: string;
  readonly concurrency?: number;
  readonly maxItems?: number;
  readonly maxDeletes?: number;
  readonly yes?: boolean;
  readonly logFile?: string;
  readonly metricsFile?: string;
  readonly report?: string;
}

export interface Conductor {
  /** Opens the ledger that the run is kept in. A new one is announced: it knows of nothing that was sent before. */
  openLedger(location: string): Promise<Ledger>;
  parts(ledger: Ledger, stateFolder: string): RunServices;
  /**
   * Says what the run is about, as soon as something of it is known: what follows a run follows an error too. Later
   * calls add to earlier ones. Not for what only checks: nobody is told of that.
   */
  about(known: About): void;
  /** The same for a run of the ledger; `connection` as it is configured now, `ledger` the location of the ledger. */
  aboutRun(run: Run, connection: Connection | undefined, ledger: string): Promise<void>;
  /** Does the work, then writes the pages that `--report` asks for: of every run that began, whatever came of it. */
  reported<T>(ledger: Ledger, work: () => Promise<T>): Promise<T>;
  /** What a comparison found, for the page that `--report` asks for. */
  compared(run: string, rows: ComparedRows): void;
  /** One of several runs is over: what ended it is told, and whoever wants to know of it. */
  ended(run: InboxRun): Promise<void>;
}

/** Kinds of runs that somebody may be told of. */
const SENDING: ReadonlySet<RunKind> = new Set(['run', 'reconcile']);

/** Carries a command that carries a run: signals, progress, the last words, the exit code. */
export async function conductRun(
  language: Language,
  flags: RunFlags,
  work: (conductor: Conductor) => Promise<RunEnd | NothingToRetry | InboxEnd>,
): Promise<void> {
  const began = performance.now();
  const startedAt = Date.now();
  const stop = new StopSignal();
  const printer = new ProgressPrinter({
    stream: process.stderr,
    language,
    quiet: flags.quiet === true,
    now: () => performance.now(),
  });
  const release = stopOnSignals(stop, () => {
    const isComparison = about.job?.operation.startsWith('reconcile.') === true;
    const stopping = message(isComparison ? 'listing.stopping_comparison' : 'listing.stopping');
    printer.say(render(stopping, language));
  });
  let log: LogFile | undefined;
  let current: string | undefined;
  // The first one is what the command is about; others carry out its actions.
  let started: { readonly run: string; readonly what: RunAbout } | undefined;
  let about: About = {};
  let figures: RunFigures | undefined = NO_FIGURES;
  const begun = new Set<string>();
  const warned: Message[] = [];
  const observer: RunObserver = {
    started: (run, what) => {
      current = run;
      begun.add(run);
      started ??= { run, what };
      printer.started(run);
    },
    progress: (progress) => printer.progress(progress),
    paused: (pause) => printer.paused(pause),
    warn: (warning) => {
      warned.push(warning);
      printer.warn(warning);
      if (current !== undefined) log?.add({ run: current, event: 'warning', reason: warning });
    },
  };
  const reports = new RunReports(flags.report, language, observer.warn);
  const conductor: Conductor = {
    openLedger: (location) =>
      openLedger(location, {
        made: () => printer.say(render(message('ledger.made', { location }), language)),
      }),
    parts: (ledger, stateFolder) => ({
      ledger,
      stateFolder,
      observer,
      stop,
      clock: systemClock,
      language,
      ask: flags.yes ? { kind: 'given' } : askOnTerminal((text) => printer.say(text), language),
      ...(log ? { log } : {}),
    }),
    about: (known) => {
      about = { ...about, ...known };
      notificationsOf(about);
    },
    aboutRun: async (run, connection, ledger) => {
      if (!SENDING.has(run.kind)) return;
      const known = await aboutRun(run, connection, language, observer.warn);
      conductor.about({ ...known, ledger });
    },
    reported: async (ledger, work) => {
      try {
        return await work();
      } catch (error) {
        if (started) figures = await figuresOf(ledger, started.run);
        throw error;
      } finally {
        for (const run of begun) await reports.write(ledger, run);
      }
    },
    compared: (run, rows) => reports.compared(run, rows),
    ended: async (run) => {
      printer.finish();
      if (run.error !== undefined) {
        const failure = failureOf(run.error, language);
        printFailure(failure);
        log?.failed(failure.code, failure.text, run.end.run);
      }
      await after(inboxRunOver(run, language));
    },
  };
  const after = (how: HowEnded | undefined): Promise<void> =>
    followUp(about, how, {
      metricsFile: flags.metricsFile,
      language,
      say: (text) => printer.say(text),
      log,
    });
  const carry = async (): Promise<HowEnded | undefined> => {
    if (flags.logFile !== undefined) {
      log = await openLogFile(flags.logFile, (trouble) =>
        printer.say(render(message('progress.warning', { text: trouble }), language)),
      );
    }
    await reports.check();
    const end = await work(conductor);
    printer.finish();
    const durationMs = performance.now() - began;
    if ('nothing' in end) {
      if (flags.json) process.stdout.write(`${JSON.stringify(nothingJson(end, durationMs))}\n`);
      else process.stdout.write(`${render(end.nothing, language)}\n`);
      process.exitCode = EXIT.ok;
      return undefined;
    }
    if ('pattern' in end) {
      if (end.failure !== undefined) {
        const failure = failureOf(end.failure, language);
        printFailure(failure);
        log?.failed(failure.code, failure.text, undefined);
      }
      if (flags.json)
        process.stdout.write(
          `${JSON.stringify({ ...inboxJson(end, durationMs, language), ...reports.json() })}\n`,
        );
      else process.stdout.write(inboxText(end, language) + reports.text());
      process.exitCode = end.exitCode;
      return inboxOver(end, startedAt, Date.now(), language);
    }
    const summary = {
      ...runJson(
        { ...end, warnings: distinctMessages([...(end.warnings ?? []), ...warned]) },
        durationMs,
        language,
      ),
      ...reports.json(),
    };
    if (flags.json) process.stdout.write(`${JSON.stringify(summary)}\n`);
    else process.stdout.write(runText(end, durationMs, language) + reports.text());
    process.exitCode = end.exitCode;
    if (!SENDING.has(end.kind)) about = {};
    return { run: end.run, exitCode: end.exitCode, startedAt, endedAt: Date.now(), summary };
  };
  const fail = (error: unknown): HowEnded => {
    printer.finish();
    const failure = failureOf(error, language);
    const { exitCode } = failure;
    printFailure(failure);
    process.stderr.write(reports.text());
    const run = started?.run;
    log?.failed(failure.code, failure.text, run);
    const durationMs = performance.now() - began;
    const warnings = distinctMessages(warned).map((it) => render(it, language));
    if (flags.json) {
      const printed = {
        ...failureJson(failure, { run, ...started?.what }, figures, durationMs),
        warnings,
        ...reports.json(),
      };
      process.stdout.write(`${JSON.stringify(printed)}\n`);
    }
    process.exitCode = exitCode;
    const what = started?.what ?? identityOf(about);
    const summary = { ...failureJson(failure, { run, ...what }, figures, durationMs), warnings };
    return { ...(run === undefined ? {} : { run }), exitCode, startedAt, endedAt: Date.now(), summary };
  };
  try {
    const how = await carry().catch(fail);
    release();
    await after(how);
  } finally {
    release();
    log?.close();
  }
}

/** What the ledger knows of a run that ended by an error, which may be the ledger's own. */
async function figuresOf(ledger: Ledger, id: string): Promise<RunFigures | undefined> {
  try {
    const run = await ledger.runs.get(id);
    if (!run) return undefined;
    const { rows, requests, retries } = run;
    return { rows, counts: await ledger.runs.counts(id), requests, retries };
  } catch {
    return undefined;
  }
}
