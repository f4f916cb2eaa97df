import { type Message, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { InboxEnd, InboxRun } from '../inbox/inbox.js';
import { loadConnections, resolveConnection } from '../job/connections.js';
import type { AuditAct, RunActor } from '../ledger/contract/audit.js';
import type { Ledger } from '../ledger/contract/ledger.js';
import type { Run, RunKind } from '../ledger/contract/runs.js';
import { openLedger } from '../ledger/open.js';
import type { Connection } from '../model/connection.js';
import type { AnyJob } from '../model/job.js';
import type { Act } from '../people/identity.js';
import type { RunAbout, RunObserver } from '../run/observer.js';
import type { ComparedRows } from '../run/report/html-report.js';
import type { NothingToRetry } from '../run/retry.js';
import { connectionOfRun } from '../run/run-connection.js';
import type { RunServices } from '../run/run-context.js';
import type { RunEnd } from '../run/run-end.js';
import { systemClock } from '../util/clock.js';
import { shellWord } from '../util/process.js';
import type { RunChanges, RunCommandResult, WatchedContext } from './context.js';
import { failureOf } from './failure.js';
import { type LogFile, openLogFile } from './log-file.js';
import {
  followUp,
  identityOf,
  knownFromJob,
  knownFromLedger,
  type NotificationContext,
  notificationsOf,
  type RunOutcome,
} from './notify-run-end.js';
import { permitted, runActor } from './permit.js';
import { RunPages } from './run-pages.js';
import {
  type EndedRun,
  endedByFault,
  endedWell,
  figuresOf,
  inboxRunOver,
  NO_FIGURES,
  type RunFigures,
  type RunProgressInfo,
} from './run-result.js';
import {
  type LedgerOptions,
  ledgerLocation,
  ledgerOf,
  type OpenedLedger,
  openPermitted,
  runNamed,
} from './with-ledger.js';

/** Kinds of runs whose continuation sends notifications. */
const NOTIFYING: ReadonlySet<RunKind> = new Set(['run', 'reconcile']);

/** What a use case over a run returns. */
type UseCaseEnd = RunEnd | NothingToRetry | InboxEnd;

/**
 * Everything around a use case that plans, sends or follows a run: log file, ledger, pages, summary, notifications.
 * Use cases open the ledger through it; it stays open until the pages are written.
 */
export class RunFrame {
  readonly context: WatchedContext;
  readonly changes: RunChanges;
  readonly #began = performance.now();
  readonly #startedAt = Date.now();
  readonly #pages: RunPages;
  readonly #warned: Message[] = [];
  readonly #begun = new Set<string>();
  readonly #deferred: (() => Promise<void>)[] = [];
  #log: LogFile | undefined;
  #known: NotificationContext = {};
  /** Of the run's ledger, once it is open. */
  #services: RunServices | undefined;
  /** The first run is what the command is about; the others execute its actions. */
  #started: { readonly run: string; readonly what: RunAbout } | undefined;
  #current: string | undefined;
  #figures: RunFigures | undefined = NO_FIGURES;

  private constructor(context: WatchedContext, changes: RunChanges) {
    this.context = context;
    this.changes = changes;
    this.#pages = new RunPages(changes.report, context, this.#observer.warn);
  }

  /** Runs a use case. Its result is reported to the watch before notifications are sent. An error becomes a result, too. */
  static async run(
    context: WatchedContext,
    changes: RunChanges,
    work: (frame: RunFrame) => Promise<UseCaseEnd>,
  ): Promise<RunCommandResult> {
    const frame = new RunFrame(context, changes);
    const { watch } = context;
    let ended: EndedRun | undefined;
    let isReported = false;
    try {
      try {
        await frame.#prepare();
        let end: UseCaseEnd;
        try {
          end = await work(frame);
          await frame.#writePages();
          if (watch.planned && frame.#isPlanOnly(end)) {
            // Reported while the ledger is open, because the changes are read from it.
            ended = endedWell(end, frame.#soFar);
            isReported = true;
            watch.over(ended.result);
            await frame.#reportDifferences(end.run);
          }
        } catch (error) {
          if (!isReported) await frame.#recordFailure();
          throw error;
        } finally {
          await frame.#close();
        }
        ended ??= endedWell(end, frame.#soFar);
      } catch (error) {
        if (isReported) throw error;
        const known = identityOf(frame.#known);
        ended = endedByFault(error, frame.#soFar, { ...frame.#started, known, figures: frame.#figures });
      }
      if (!isReported) watch.over(ended.result);
      await frame.#follow(ended.outcome);
      return ended.result;
    } finally {
      frame.#log?.close();
    }
  }

  /** The connection of a job and the ledger of its run, from the settings next to the job. */
  async resolvePlace(
    job: AnyJob,
    follows = true,
    flag = this.changes.connection,
  ): Promise<{ connection: Connection; location: string }> {
    const { env, cwd } = this.context;
    const record = (known: NotificationContext): void => (follows ? this.#record(known) : undefined);
    // Recorded step by step, so that an error here still notifies the recipients known by then.
    record(knownFromJob(job, flag));
    // Read before the settings of the job: process-wide settings such as the wait time for the ledger are those read last.
    const here = await ledgerLocation(this.context).catch(() => undefined);
    const connections = await loadConnections(job.file, { env, cwd });
    const location = await ledgerOf(this.context, connections, this.#observer.warn);
    record({ ledger: location });
    // Later commands name only the run and look for its ledger from the current folder.
    if (here !== location)
      this.context.watch.note(message('ledger.elsewhere', { location: shellWord(location) }));
    const connection = resolveConnection(connections, { flag, job: job.connection });
    record({ connection });
    notificationsOf({ connection, notify: job.notify }, env);
    return { connection, location };
  }

  /**
   * Opens the ledger of a new run, and creates it if there is none.
   * @param act checked, and recorded in the audit with the run. A scratch ledger is not checked; notes of its results are
   *   stored in the state folder `resultNotes`.
   */
  async openForNewRun(
    location: string,
    act: (Act & AuditAct) | { readonly resultNotes: string },
  ): Promise<RunServices> {
    const ledger = await openLedger(location, {
      made: () => this.context.watch.note(message('ledger.made', { location })),
      note: this.#found,
    });
    this.defer(() => ledger.close());
    const isScratch = typeof act === 'object';
    const by = isScratch ? undefined : runActor(await permitted(this.context, ledger, act), act);
    await this.#acceptRestored(ledger);
    return this.#servicesOf(ledger, { by, resultNotes: isScratch ? act.resultNotes : undefined });
  }

  /**
   * Opens the ledger to continue one of its runs, on the run's connection as it is configured now.
   * @param find returns the run; throws if it cannot be continued
   * @param options `act` and `run` are checked before the run is looked up, and recorded in the audit; `connection` is
   *   another one by name, if that is allowed; `notifies`: whether notifications are sent for this run, whatever its kind
   *   was before (a plan that is applied becomes a run)
   */
  async continueRun(
    find: (ledger: Ledger) => Promise<Run>,
    {
      act,
      run: id,
      connection: name,
      notifies,
    }: {
      readonly act: Act & AuditAct;
      readonly run: string | undefined;
      readonly connection?: string | undefined;
      readonly notifies?: boolean;
    },
  ): Promise<{ readonly parts: RunServices; readonly run: Run; readonly connection: Connection }> {
    const { ledger, actor } = await this.#openExisting({ act, run: id });
    await this.#acceptRestored(ledger);
    const run = await find(ledger);
    const connection = await connectionOfRun(run, this.context, name);
    if (notifies ?? NOTIFYING.has(run.kind)) {
      const known = await knownFromLedger(run, connection, this.context, this.#observer.warn);
      this.#record({ ...known, ledger: ledger.address });
    }
    return { parts: this.#servicesOf(ledger, { by: runActor(actor, act) }), run, connection };
  }

  /** Opens the ledger to follow a run that workers execute. They send the notifications. */
  async watchRun(id: string): Promise<{ readonly parts: RunServices; readonly run: Run }> {
    const { ledger } = await this.#openExisting({ act: 'read', older: 'wait' });
    const run = await runNamed(ledger, id);
    this.#observer.started(run.id, { job: run.job, operation: run.operation, connection: run.connection });
    return { parts: this.#servicesOf(ledger, {}), run };
  }

  async #openExisting(options: LedgerOptions): Promise<OpenedLedger> {
    const opened = await openPermitted({ ...this.context, found: this.#found }, options);
    if ('none' in opened) throw new ProductError('usage', opened.none);
    this.defer(() => opened.close());
    return opened;
  }

  /** Defers work until after the use case. It runs in reverse order, so the ledger closes before what was deferred earlier. */
  defer(work: () => Promise<void>): void {
    this.#deferred.push(work);
  }

  async #close(): Promise<void> {
    const next = this.#deferred.pop();
    if (!next) return;
    try {
      await next();
    } finally {
      await this.#close();
    }
  }

  /** For a queued run: workers notify the connection's recipients, this process only the job's. */
  reportToJobsOnly(): void {
    const { connection } = this.#known;
    if (connection) this.#record({ connection: { ...connection, notify: [] } });
  }

  /** Records the rows that a comparison found, for its page. */
  compared(run: string, rows: ComparedRows): void {
    this.#pages.compared(run, rows);
  }

  /** Reports the end of one of several runs to the watch and the log, and sends its notifications. */
  async fileOver(run: InboxRun): Promise<void> {
    const { language, watch } = this.context;
    const failure = run.error === undefined ? undefined : failureOf(run.error, language);
    watch.fileOver(run, failure);
    if (failure) this.#log?.failed(failure.code, failure.text, run.end.run);
    await this.#follow(inboxRunOver(run, language));
  }

  async #prepare(): Promise<void> {
    const { logFile } = this.changes;
    const { cwd, watch } = this.context;
    if (logFile !== undefined) {
      this.#log = await openLogFile(logFile, cwd, (warning) => watch.aside(warning));
    }
    await this.#pages.check();
  }

  #isPlanOnly(end: UseCaseEnd): end is RunEnd {
    return 'kind' in end && 'run' in end && (end.kind === 'plan' || end.kind === 'dry_run');
  }

  async #reportDifferences(id: string): Promise<void> {
    const ledger = this.#services?.ledger;
    const run = await ledger?.runs.get(id);
    if (!ledger || !run) return;
    const { differenceOf } = await import('../run/report/difference.js');
    await this.context.watch.planned?.((all) => differenceOf(ledger, run, all));
  }

  /** Reads the figures of the failed run from the ledger and writes its pages. */
  async #recordFailure(): Promise<void> {
    if (this.#services && this.#started)
      this.#figures = await figuresOf(this.#services.ledger, this.#started.run);
    await this.#writePages();
  }

  /** Writes the requested pages of every run that was started, whatever its outcome. */
  async #writePages(): Promise<void> {
    const parts = this.#services;
    if (parts) for (const run of this.#begun) await this.#pages.write(parts, run);
  }

  get #found(): (note: Message) => unknown {
    return this.context.found ?? this.context.watch.note;
  }

  async #acceptRestored(ledger: Ledger): Promise<void> {
    if (!this.changes.acceptRestored) return;
    const { who } = await permitted(this.context, ledger, 'ledger_accept');
    if (await ledger.guard.accept(this.context.env, who))
      this.context.watch.note(message('ledger.accepted', { location: ledger.location }));
  }

  readonly #observer: RunObserver = {
    started: (run, what) => {
      this.#current = run;
      this.#begun.add(run);
      this.#started ??= { run, what };
      this.context.watch.started(run, what);
    },
    progress: (progress) => this.context.watch.progress(progress),
    paused: (pause) => this.context.watch.paused(pause),
    warn: (warning) => {
      this.#warned.push(warning);
      this.context.watch.warn(warning);
      if (this.#current !== undefined)
        this.#log?.add({ run: this.#current, event: 'warning', reason: warning });
    },
  };

  #servicesOf(
    ledger: Ledger,
    extra: { readonly by?: RunActor | undefined; readonly resultNotes?: string | undefined },
  ): RunServices {
    const { stop, language, env, confirm } = this.context;
    this.#services = {
      ledger,
      stateFolder: ledger.stateFolder,
      observer: this.#observer,
      stop,
      clock: systemClock,
      language,
      confirm,
      env,
      log: this.#log,
      ...extra,
    };
    return this.#services;
  }

  #record(known: NotificationContext): void {
    this.#known = { ...this.#known, ...known };
    notificationsOf(this.#known, this.context.env);
  }

  get #soFar(): RunProgressInfo {
    return {
      startedAt: this.#startedAt,
      durationMs: performance.now() - this.#began,
      pages: this.#pages,
      warned: this.#warned,
      log: this.#log,
      language: this.context.language,
    };
  }

  #follow(outcome: RunOutcome | undefined): Promise<void> {
    const { metricsFile } = this.changes;
    return followUp(this.#known, outcome, this.context, { metricsFile, log: this.#log });
  }
}
