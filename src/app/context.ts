import path from 'node:path';
import type { Language, Message } from '../errors/message.js';
import type { MessageSurface } from '../errors/message-surface.js';
import type { InboxEnd, InboxRun } from '../inbox/inbox.js';
import type { JobChanges } from '../job/job-changes.js';
import type { Ledger } from '../ledger/contract/ledger.js';
import type { Act, Actor, Caller } from '../people/identity.js';
import type { Confirm } from '../run/execute/confirm-sending.js';
import type { RunObserver } from '../run/observer.js';
import type { DifferenceLine } from '../run/report/difference.js';
import type { NothingToRetry } from '../run/retry.js';
import type { RunEnd } from '../run/run-end.js';
import type { StopSignal } from '../util/stop-signal.js';
import type { Failure } from './failure.js';

/** Environment, folder, language, ledger and caller of a use case. */
export interface AppContext {
  /** Variables for `${NAME}`, settings and credentials. */
  readonly env: NodeJS.ProcessEnv;
  /** The folder that relative paths start from; absolute. */
  readonly cwd: string;
  readonly language: Language;
  /** How messages name next steps, if not as commands. */
  readonly wording?: MessageSurface;
  /** The ledger's file, in place of the one that the settings name. */
  readonly ledger?: string;
  /** The caller; default the user of this machine. */
  readonly as?: Caller;
  /** Receives notes from opening the ledger, such as imported replies that were stored on this machine. */
  readonly found?: (note: Message) => unknown;
  /**
   * The caller, if the entry point has already checked that they may do this act. Valid for one request: a context that is
   * kept for later must not contain it.
   */
  readonly allowed?: { readonly act: Act; readonly actor: Actor };
  /** A ledger that stays open, for entry points that serve many requests. Used instead of opening one. */
  readonly opened?: () => Promise<Ledger>;
}

/** The message surface for texts to the caller. */
export function wordsOf({ language, wording = language }: AppContext): MessageSurface {
  return wording;
}

/** The person of the API token in the environment; without a token, the user of this machine. */
export function callerFrom(env: NodeJS.ProcessEnv): Caller {
  const token = env.LICENSE_SYNC_USER_TOKEN?.trim();
  return token ? { kind: 'token', token } : { kind: 'local' };
}

/** A path relative to the context's folder. Unchanged if it already resolves there, so that messages show it as written. */
export function fileFrom({ cwd }: AppContext, file: string): string {
  return path.resolve(file) === path.resolve(cwd, file) ? file : path.resolve(cwd, file);
}

/** The context of a use case that executes a run: it can be observed and stopped, and may require confirmation. */
export interface WatchedContext extends AppContext {
  readonly watch: RunWatch;
  readonly stop: StopSignal;
  readonly confirm: Confirm;
}

/** Receives the events of a run as they happen. */
export interface RunWatch extends RunObserver {
  /** A note that is not about the run itself, such as a created ledger. */
  note(note: Message): void;
  /** A warning that does not concern the run's rows: its log file or a notification failed. */
  aside(warning: Message): void;
  /** A line that a command of `notify` printed. */
  printed(line: string): void;
  /** The run of one file of an input folder has ended; others may follow. */
  fileOver(run: InboxRun, failure: Failure | undefined): void;
  /** The command has ended and its result is durable. Metrics and notifications follow, and do not change it. */
  over(result: RunCommandResult): void;
  /** Called after `over` for a run that was only planned. Gives what it would change: every item, or the first of each kind. */
  planned?(differences: (all: boolean) => AsyncIterable<DifferenceLine>): Promise<void>;
  /** Runs the work after a run until its signal is aborted. */
  following(work: (signal: AbortSignal) => Promise<void>): Promise<void>;
}

/** Default for entry points that observe only some events. */
export const UNWATCHED: RunWatch = {
  started() {},
  progress() {},
  warn() {},
  paused() {},
  note() {},
  aside() {},
  printed() {},
  fileOver() {},
  over() {},
  following: (work) => work(new AbortController().signal),
};

/** The result of a use case that executes a run. */
export type RunCommandResult = RunFacts &
  (
    | { readonly kind: 'run'; readonly end: RunEnd }
    /** Each file of an input folder is a separate run. */
    | { readonly kind: 'inbox'; readonly end: InboxEnd; readonly failure?: Failure }
    | { readonly kind: 'nothing'; readonly end: NothingToRetry }
    | { readonly kind: 'failed'; readonly error: unknown; readonly failure: Failure }
  );

interface RunFacts {
  readonly exitCode: number;
  readonly durationMs: number;
  /** The object that `--json` prints (contract section 7). */
  readonly summary: Readonly<Record<string, unknown>>;
  /** Web pages that were written. */
  readonly reports: readonly string[];
}

/** Overrides of the job file for one run. */
export interface RunChanges extends JobChanges {
  /** The name of a connection. */
  readonly connection?: string;
  /** Settings of the job. Planned runs accept only `safety.conflicts`. */
  readonly set?: readonly string[];
  /** Path of a log in JSON lines. */
  readonly logFile?: string;
  /** Path for Prometheus metrics of the whole ledger, written after the run. */
  readonly metricsFile?: string;
  /** Path for the run's web page. */
  readonly report?: string;
  /** Accepts that records of the ledger were lost (`ledger accept-restored`), before anything else is done. */
  readonly acceptRestored?: boolean;
}
