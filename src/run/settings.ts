import { unpackKept } from '../ledger/kept-settings.js';
import type { Connection } from '../model/connection.js';
import type { Job } from '../model/job.js';
import type { JsonObject } from '../model/json.js';
import type { ProcessPlace } from '../util/process-alive.js';
import type { RowRanges } from './plan/row-ranges.js';

/**
 * All that a run needs beside the ledger's own columns, so that resume starts from the ledger alone: the job as
 * it was resolved, and the connection (which holds no secret, only where one is found).
 */
export interface RunSettings {
  readonly job: Job;
  readonly connection: Connection;
  /** That began the run; absent in ledgers of 0.1. */
  readonly begunBy?: ProcessPlace;
  /** The first so many items are sent by themselves, before a yes is wanted for the rest. */
  readonly canary?: number;
  /** Set where the run sends rows of another one again. */
  readonly retry?: RetryOf;
}

export interface RetryOf {
  /** Id of the run whose rows these are. */
  readonly parent: string;
  /** The rows that belong to the run; all others of the input don't. */
  readonly rows: RowRanges;
  /** How many of them the parent left unknown: sent with a yes only, although the parent holds their keys. */
  readonly unknown: number;
}

/** What runs of before 0.2 have no word of. */
const PATIENCE_MS = 15 * 60_000;

export function unpackSettings(packed: JsonObject): RunSettings {
  const settings = unpackKept(packed) as RunSettings;
  // A pruned run has none.
  const run: Partial<Job['run']> | undefined = settings.job?.run;
  if (!run || run.patienceMs !== undefined) return settings;
  return { ...settings, job: { ...settings.job, run: { ...settings.job.run, patienceMs: PATIENCE_MS } } };
}
