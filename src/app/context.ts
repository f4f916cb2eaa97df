import path from 'node:path';
import type { Wording } from '../errors/at-page.js';
import type { Language, Message } from '../errors/message.js';
import type { InboxEnd, InboxRun } from '../inbox/contract.js';
import type { JobChanges } from '../job/job-changes.js';
import type { Ledger } from '../ledger/contract/ledger.js';
import type { Caller } from '../people/identity.js';
import type { Confirm } from '../run/execute/consent.js';
import type { RunObserver } from '../run/observer.js';
import type { NothingToRetry } from '../run/retry/retry.js';
import type { RunEnd } from '../run/run-end.js';
import type { StopSignal } from '../util/stop-signal.js';
import type { Failure } from './failure.js';

/** Where a use case looks for things, and which language its texts are in. */
export interface AppContext {
  /** Variables for `${NAME}`, settings and credentials. */
  readonly env: NodeJS.ProcessEnv;
  /** The folder that relative paths start from; absolute. */
  readonly cwd: string;
  readonly language: Language;
  /** In which words next steps are named, where that isn't the command line's. */
  readonly wording?: Wording;
  /** The ledger's file, in place of the one that the settings name. */
  readonly ledger?: string;
  /** As whom; default the user of this machine. */
  readonly as?: Caller;
  /** Is told what opening the ledger found: replies that lay on this machine. */
  readonly found?: (it: Message) => unknown;
  /** A ledger that is open already and stays so, for entrances that serve many: it is used in place of opening one. */
  readonly opened?: () => Promise<Ledger>;
}

/** What texts for whoever asks are rendered with. */
export function wordsOf({ language, wording = language }: AppContext): Wording {
  return wording;
}

/** Whoever has an API token in the environment is that person; else it is the user of this machine. */
export function callerFrom(env: NodeJS.ProcessEnv): Caller {
  const token = env.LICENSE_SYNC_USER_TOKEN?.trim();
  return token ? { kind: 'token', token } : { kind: 'local' };
}

/** A path from the context's folder; as it was written where that leads there, so that messages name it so. */
export function fileFrom({ cwd }: AppContext, file: string): string {
  return path.resolve(file) === path.resolve(cwd, file) ? file : path.resolve(cwd, file);
}

/** The same for what carries a run: it can be watched, stopped, and may have to ask a person. */
export interface WatchedContext extends AppContext {
  readonly watch: RunWatch;
  readonly stop: StopSignal;
  readonly confirm: Confirm;
}

/** Is told what happens, as it happens. */
export interface RunWatch extends RunObserver {
  /** What isn't about the run itself, such as that a new ledger was made. */
  note(it: Message): void;
  /** Something beside the run went wrong: its log file, or telling somebody of its end. */
  aside(warning: Message): void;
  /** A line that a command of `notify` printed. */
  printed(line: string): void;
  /** One file of an input folder had its run; others may follow. */
  fileOver(run: InboxRun, failure: Failure | undefined): void;
  /** All is over and kept. What follows (metrics, notifications) follows after this, and changes nothing of it. */
  over(carried: CarriedRun): void;
  /** Lets what follows go on until its signal is aborted. */
  following(work: (signal: AbortSignal) => Promise<void>): Promise<void>;
}

/** For entrances that watch some of it only. */
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

/** How a use case ended that carries a run. */
export type CarriedRun = CarriedFacts &
  (
    | { readonly kind: 'run'; readonly end: RunEnd }
    /** Each file of an input folder is a run of its own. */
    | { readonly kind: 'inbox'; readonly end: InboxEnd; readonly failure?: Failure }
    | { readonly kind: 'nothing'; readonly end: NothingToRetry }
    | { readonly kind: 'failed'; readonly error: unknown; readonly failure: Failure }
  );

interface CarriedFacts {
  readonly exitCode: number;
  readonly durationMs: number;
  /** The object that `--json` prints (contract section 7). */
  readonly summary: Readonly<Record<string, unknown>>;
  /** Where its ledger is opened again; it may hold a password: never shown. */
  readonly ledger?: string | undefined;
  /** Web pages that were written. */
  readonly reports: readonly string[];
}

/** What a person or a program says in place of the job file, for one run. */
export interface RunChanges extends JobChanges {
  /** The name of a connection. */
  readonly connection?: string;
  /** Settings of the job, as `safety.conflicts=warn`; what was planned already accepts this one only. */
  readonly set?: readonly string[];
  /** Where a log of what happens goes: JSON, a line each. */
  readonly logFile?: string;
  /** Where Prometheus metrics of the whole ledger go when the run is over. */
  readonly metricsFile?: string;
  /** Where the web page of the run goes. */
  readonly report?: string;
  /** Accepts that records of the ledger were lost (`ledger accept-restored`), before anything else is done. */
  readonly acceptRestored?: boolean;
}
