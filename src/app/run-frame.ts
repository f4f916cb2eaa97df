import { type Message, message } from '../errors/message.js';
import type { InboxEnd, InboxRun } from '../inbox/contract.js';
import { loadConnections, resolveConnection } from '../job/connections.js';
import type { AuditAct, RunActor } from '../ledger/contract/audit.js';
import type { Ledger } from '../ledger/contract/ledger.js';
import type { Run, RunKind } from '../ledger/contract/run.js';
import { openLedger } from '../ledger/open.js';
import type { Connection } from '../model/connection.js';
import type { AnyJob } from '../model/job.js';
import type { Act } from '../people/roles.js';
import type { RunAbout, RunObserver } from '../run/observer.js';
import type { ComparedRows } from '../run/report/html-report.js';
import type { NothingToRetry } from '../run/retry/retry.js';
import { connectionOfRun } from '../run/run-connection.js';
import type { RunServices } from '../run/run-context.js';
import type { RunEnd } from '../run/run-end.js';
import { systemClock } from '../util/clock.js';
import { shellWord } from '../util/shell-word.js';
import { acceptRestored } from './accept-restored.js';
import type { CarriedRun, RunChanges, WatchedContext } from './context.js';
import { type EndedRun, endedByFault, endedWell, type SoFar } from './ended-run.js';
import { failureOf } from './failure.js';
import {
  followUp,
  type HowEnded,
  identityOf,
  type KnownRun,
  knownFromJob,
  knownFromLedger,
  notificationsOf,
} from './follow-up.js';
import { inboxRunOver } from './inbox-summary.js';
import { type LogFile, openLogFile } from './log-file.js';
import { ledgerLocation, ledgerOf, type OpenedLedger, withLedger } from './open.js';
import { permitted, runActor } from './people/permit.js';
import { RunPages } from './run-pages.js';
import { figuresOf, NO_FIGURES, type RunFigures } from './run-summary.js';

/** Kinds of runs that somebody may be told of when they are continued. */
const NOTIFYING: ReadonlySet<RunKind> = new Set(['run', 'reconcile']);

/**
 * Runs a use case and looks after log, pages, summary, notifications. How it ended is told to the watch before anybody
 * is notified; an error that ended it is data too.
 */
export async function inRunFrame(
  context: WatchedContext,
  changes: RunChanges,
  work: (frame: RunFrame) => Promise<RunEnd | NothingToRetry | InboxEnd>,
): Promise<CarriedRun> {
  return new RunFrame(context, changes).run(work);
}

class RunFrame {
  readonly context: WatchedContext;
  readonly changes: RunChanges;
  readonly #began = performance.now();
  readonly #startedAt = Date.now();
  readonly #pages: RunPages;
  readonly #warned: Message[] = [];
  readonly #begun = new Set<string>();
  #log: LogFile | undefined;
  #known: KnownRun = {};
  /** Of the ledger. */
  #place: string | undefined;
  /** The first one is what it is about; others carry out its actions. */
  #started: { readonly run: string; readonly what: RunAbout } | undefined;
  #current: string | undefined;
  #figures: RunFigures | undefined = NO_FIGURES;

  constructor(context: WatchedContext, changes: RunChanges) {
    this.context = context;
    this.changes = changes;
    this.#pages = new RunPages(changes.report, context, this.#observer.warn);
  }

  /** The connection that holds for a job, and the ledger that its run is kept in: from the settings beside the job. */
  async resolvePlace(
    job: AnyJob,
    follows = true,
    flag = this.changes.connection,
  ): Promise<{ connection: Connection; location: string }> {
    const { env, cwd } = this.context;
    const record = (known: KnownRun): void => (follows ? this.#record(known) : undefined);
    // Recorded step by step, so that an error here still notifies whoever is known by then.
    record(knownFromJob(job, flag));
    // Before the settings of the job: what is read last counts for the process, such as the patience with the ledger.
    const here = await ledgerLocation(this.context).catch(() => undefined);
    const connections = await loadConnections(job.file, { env, cwd });
    const location = await ledgerOf(this.context, connections, this.#observer.warn);
    record({ ledger: location });
    this.#place = location;
    // Later commands name the run alone: they look for its ledger from the current folder.
    if (here !== location)
      this.context.watch.note(message('ledger.elsewhere', { location: shellWord(location) }));
    const connection = resolveConnection(connections, { flag, job: job.connection });
    record({ connection });
    notificationsOf({ connection, notify: job.notify }, env);
    return { connection, location };
  }

  /**
   * Opens the ledger that a new run is kept in, makes it where there is none, and closes it after the work.
   * @param act asked for and told in the audit with the run; of a ledger that is thrown away nobody is asked, and results are
   *   noted in the state folder that is given
   */
  async withLedgerForNewRun<T>(
    location: string,
    act: (Act & AuditAct) | { readonly resultNotes: string },
    work: (parts: RunServices) => Promise<T>,
  ): Promise<T> {
    const ledger = await openLedger(location, {
      made: () => this.context.watch.note(message('ledger.made', { location })),
      note: this.context.found ?? this.context.watch.note,
    });
    try {
      const isThrownAway = typeof act === 'object';
      const by = isThrownAway ? undefined : runActor(await permitted(this.context, ledger, act), act);
      await this.#acceptRestored(ledger);
      const parts = { ...this.#services(ledger, by), ...(isThrownAway ? act : {}) };
      return await this.#reported(parts, () => work(parts));
    } finally {
      await ledger.close();
    }
  }

  /**
   * Continues a run of the ledger, on its own connection as that is configured now.
   * @param find the run; throws where it can't be continued
   * @param wish `act` and `run`: asked for before it is looked for, and told in the audit; `connection`: another one by name, where that is allowed; `notifies`: whether whoever is told of runs is told
   *   of this one, whatever its kind was before (a plan that is applied becomes a run)
   */
  async continueRun<T>(
    find: (ledger: Ledger) => Promise<Run>,
    {
      act,
      run: id,
      ...asked
    }: {
      readonly act: Act & AuditAct;
      readonly run: string | undefined;
      readonly connection?: string | undefined;
      readonly notifies?: boolean;
    },
    work: (parts: RunServices, run: Run, connection: Connection) => Promise<T>,
  ): Promise<T> {
    const goOn = async ({ ledger, actor }: OpenedLedger): Promise<T> => {
      await this.#acceptRestored(ledger);
      const run = await find(ledger);
      this.#place = ledger.address;
      const connection = await connectionOfRun(run, this.context, asked.connection);
      if (asked.notifies ?? NOTIFYING.has(run.kind)) {
        const known = await knownFromLedger(run, connection, this.context, this.#observer.warn);
        this.#record({ ...known, ledger: ledger.address });
      }
      const by = runActor(actor, act);
      const parts = this.#services(ledger, by);
      return this.#reported(parts, () => work(parts, run, connection));
    };
    return withLedger(this.context, goOn, { act, run: id });
  }

  /** Looks on at a run that others carry: they tell whoever is to be told. */
  watchRun<T>(
    find: (ledger: Ledger) => Promise<Run>,
    work: (parts: RunServices, run: Run) => Promise<T>,
  ): Promise<T> {
    const follow = async ({ ledger }: OpenedLedger): Promise<T> => {
      const run = await find(ledger);
      this.#observer.started(run.id, { job: run.job, operation: run.operation, connection: run.connection });
      const parts = this.#services(ledger);
      return this.#reported(parts, () => work(parts, run));
    };
    return withLedger(this.context, follow, { act: 'read', older: 'wait' });
  }

  /** The run was handed to others, who tell those whom the connection names; the job's own are told here. */
  tellJobsOnly(): void {
    const { connection } = this.#known;
    if (connection) this.#record({ connection: { ...connection, notify: [] } });
  }

  /** What a comparison found, for its page. */
  compared(run: string, rows: ComparedRows): void {
    this.#pages.compared(run, rows);
  }

  /** One of several runs is over: tells the watch, the log and whoever is to be notified. */
  async fileOver(run: InboxRun): Promise<void> {
    const { language, watch } = this.context;
    const failure = run.error === undefined ? undefined : failureOf(run.error, language);
    watch.fileOver(run, failure);
    if (failure) this.#log?.failed(failure.code, failure.text, run.end.run);
    await this.#follow(inboxRunOver(run, language));
  }

  async run(work: (frame: RunFrame) => Promise<RunEnd | NothingToRetry | InboxEnd>): Promise<CarriedRun> {
    const { cwd, watch } = this.context;
    try {
      let ended: EndedRun;
      try {
        const { logFile } = this.changes;
        if (logFile !== undefined) {
          this.#log = await openLogFile(logFile, cwd, (trouble) => watch.aside(trouble));
        }
        await this.#pages.check();
        ended = endedWell(await work(this), this.#soFar);
      } catch (error) {
        ended = endedByFault(error, this.#soFar, {
          ...this.#started,
          known: identityOf(this.#known),
          figures: this.#figures,
        });
      }
      watch.over(ended.carried);
      await this.#follow(ended.how);
      return ended.carried;
    } finally {
      this.#log?.close();
    }
  }

  async #acceptRestored(ledger: Ledger): Promise<void> {
    if (!this.changes.acceptRestored) return;
    const { accepted } = await acceptRestored(this.context, ledger);
    if (accepted) this.context.watch.note(message('ledger.accepted', { location: ledger.location }));
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

  #services(ledger: Ledger, by?: RunActor): RunServices {
    const { stop, language, env, confirm } = this.context;
    return {
      ledger,
      stateFolder: ledger.stateFolder,
      observer: this.#observer,
      stop,
      clock: systemClock,
      language,
      confirm,
      env,
      by,
      log: this.#log,
    };
  }

  #record(known: KnownRun): void {
    this.#known = { ...this.#known, ...known };
    notificationsOf(this.#known, this.context.env);
  }

  /** Does the work, then writes the pages that are wanted: of every run that began, whatever came of it. */
  async #reported<T>(parts: RunServices, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (this.#started) this.#figures = await figuresOf(parts.ledger, this.#started.run);
      throw error;
    } finally {
      for (const run of this.#begun) await this.#pages.write(parts, run);
    }
  }

  get #soFar(): SoFar {
    return {
      startedAt: this.#startedAt,
      durationMs: performance.now() - this.#began,
      place: this.#place,
      pages: this.#pages,
      warned: this.#warned,
      log: this.#log,
      language: this.context.language,
    };
  }

  #follow(how: HowEnded | undefined): Promise<void> {
    const { metricsFile } = this.changes;
    return followUp(this.#known, how, this.context, { metricsFile, log: this.#log });
  }
}
