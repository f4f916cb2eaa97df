import type { CarriedError } from '../../errors/carried-error.js';
import type { Ledger } from '../contract.js';

/** The ledger's parts whose methods travel. */
export type StoreName = 'runs' | 'plan' | 'execution' | 'report' | 'resolutions' | 'schedule';

/** `value`: one answer. `list`: many, fetched in portions. */
type Kind<Method> = Method extends (...args: never[]) => AsyncIterable<unknown> ? 'list' : 'value';

/** Every method of every part and how it answers; the compiler refuses one that is missing or told wrongly. */
export const METHODS: { readonly [S in StoreName]: { readonly [M in keyof Ledger[S]]: Kind<Ledger[S][M]> } } =
  {
    runs: {
      create: 'value',
      patch: 'value',
      get: 'value',
      last: 'value',
      children: 'value',
      list: 'value',
      counts: 'value',
      lastOf: 'value',
      listOf: 'value',
      totals: 'value',
      prune: 'value',
    },
    plan: {
      clear: 'value',
      addItems: 'value',
      addVerdicts: 'value',
      addWarnings: 'value',
      warnings: 'value',
      repeatedKeys: 'list',
      heldKeys: 'list',
      withdraw: 'value',
      formBatches: 'value',
      finish: 'value',
      bodies: 'list',
    },
    execution: {
      pending: 'value',
      open: 'value',
      close: 'value',
      recover: 'value',
      remaining: 'value',
      itemCounts: 'value',
    },
    report: {
      rows: 'list',
      records: 'list',
      row: 'value',
      nearestRows: 'value',
      sharedRows: 'list',
      batch: 'value',
      attempts: 'list',
    },
    resolutions: { unknown: 'list', settle: 'value', list: 'value' },
    schedule: { begin: 'value', end: 'value', last: 'value' },
  };

/**
 * What the ledger's thread is asked to do.
 * - call: a method of a part; lists answer with the number to fetch them by
 * - more, enough: the next portion of a list, and no more of it
 * - lock, release: the lock of a run; answers with its number
 */
export type Call =
  | {
      readonly do: 'call';
      readonly store: StoreName;
      readonly method: string;
      readonly args: readonly unknown[];
    }
  | { readonly do: 'more' | 'enough'; readonly list: number }
  | { readonly do: 'lock'; readonly args: readonly [job: string, connection: string, run: string] }
  | { readonly do: 'release'; readonly lock: number }
  | { readonly do: 'close' };

export interface Asked {
  readonly id: number;
  readonly call: Call;
}

export type Answered =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: CarriedError };

/** A portion of a list. */
export interface Portion {
  readonly values: readonly unknown[];
  readonly done: boolean;
}

/** The first thing that the thread says. */
export type Opened = { readonly location: string } | { readonly error: CarriedError };
