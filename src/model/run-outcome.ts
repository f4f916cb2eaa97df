import type { Message } from '../errors/message.js';
import type { DriftStatus } from './comparison.js';
import type { Status } from './status.js';

/** Numbers of rows by status; a reconciliation has its own statuses. */
export type RunCounts = Readonly<Partial<Record<Status | DriftStatus, number>>>;

/** How a run ended (contract section 7); `queued`: it has not ended, workers process it. */
export type RunStatus = 'completed' | 'invalid' | 'stopped' | 'interrupted' | 'queued';

/** How the run of one action of a reconciliation ended. */
export interface ActionEnd {
  readonly run: string;
  readonly operation: string;
  readonly status: RunStatus;
  readonly counts: RunCounts;
  readonly requests: number;
  readonly retries: number;
  readonly output?: string;
}

/** The outcome or current state of one step of a run of several. */
export interface StepEnd {
  readonly name: string;
  readonly operation: string;
  /** The run of the step; absent if the whole run ended before it. */
  readonly run?: string;
  /** `waiting`: an earlier step has not finished. */
  readonly status: RunStatus | 'going' | 'waiting';
  readonly rows: number;
  readonly counts: RunCounts;
  readonly requests: number;
  readonly retries: number;
}

/** The run of one action, with the outcomes of its rows. */
export interface ActionRun extends ActionEnd {
  readonly exitCode: number;
  /** By ascending row. */
  rows(): AsyncIterable<readonly ActionRow[]>;
}

export interface ActionRow {
  readonly row: number;
  readonly status: string;
  readonly message: string;
}

/** The runs of a reconciliation's actions. */
export interface ActionRuns {
  /** One for each planned job, in order. */
  readonly runs: readonly ActionRun[];
  /** Reason why nothing (more) was sent; absent if everything was sent. */
  readonly refusal?: Message;
}

/** States in which a process works on a run that sends or compares. */
export const UNDER_WAY = ['planning', 'planned', 'queued', 'executing', 'executed'] as const;

/**
 * True while a process works on the run, or workers will. A run that only checks and a stored plan end when they are
 * planned.
 */
export function isUnderWay(state: string, kind: string): boolean {
  if (kind !== 'run' && kind !== 'reconcile') return state === 'planning';
  return (UNDER_WAY as readonly string[]).includes(state);
}

/** Exit codes (contract section 7). For an error that ends a command see `ProductError.exitCode`. */
export const EXIT = {
  ok: 0,
  someRowsWrong: 1,
  usage: 2,
  input: 3,
  safety: 4,
  internal: 5,
  unknown: 6,
  interrupted: 130,
} as const;

/** From worst to best: program errors, then unknown outcomes, then unfinished runs. */
const BY_SEVERITY: readonly number[] = [
  EXIT.internal,
  EXIT.unknown,
  EXIT.interrupted,
  EXIT.safety,
  EXIT.usage,
  EXIT.input,
  EXIT.someRowsWrong,
  EXIT.ok,
];

/** The exit code of several runs; 0 if there are none. */
export function worstExitCode(codes: Iterable<number>): number {
  const occurring = new Set(codes);
  return BY_SEVERITY.find((it) => occurring.has(it)) ?? EXIT.ok;
}

/**
 * Distinguishes the numbers of one sandbox from those of other sandboxes that process the same run. Each process may have its own
 * sandbox, and a result must not contain a number twice. 0 for the first.
 */
export type Series = number;

export const THE_FIRST: Series = 0;

/** The series of a sandbox that starts or resumes a run. @param started number of items started before; 0 for a new run */
export function seriesOfRun(started: number): Series {
  return 2 * started;
}

/** The series of a worker's sandbox. Several may exist at the same time, but only one with this token of the chunk. */
export function seriesOfLease({ chunk, token }: { readonly chunk: number; readonly token: number }): Series {
  return 2 * (chunk * 1000 + token) + 1;
}

/**
 * The first asset number of a series: 10 digits that begin with 8, for a worker's sandbox with 6 (§4.8). Consecutive series are
 * thousands of numbers apart.
 */
export function firstNumberOf(series: Series): number {
  if (series % 2 === 0) return 8_600_000_001 + (series % 390_000) * 1000;
  const lease = (series - 1) / 2;
  return 6_000_000_001 + (Math.floor(lease / 1000) % 1000) * 1_000_000 + (lease % 100) * 10_000;
}

/** `LO-00000001`; in a series other than the first `LO-12-00000001`. */
export function numbered(prefix: string, series: Series, number: number, digits: number): string {
  const infix = series === THE_FIRST ? '' : `${series}-`;
  return `${prefix}-${infix}${String(number).padStart(digits, '0')}`;
}
