import type { Run } from '../ledger/contract/run.js';
import { unpackKept } from '../ledger/kept-settings.js';
import type { Connection } from '../model/connection.js';
import type { KeptCorrections } from '../model/correction.js';
import type { Job, StepsJob } from '../model/job.js';
import type { JsonObject } from '../model/json.js';
import type { ProcessPlace } from '../util/process-alive.js';
import type { RowRanges } from './input/row-ranges.js';

/**
 * What a run needs beside the ledger's own columns, so that resume needs nothing but the ledger: the resolved job, and
 * the connection (without its secret; only where that is found).
 */
export interface RunSettings {
  readonly job: Job;
  readonly connection: Connection;
  /** The process that began the run; absent in ledgers of 0.1. */
  readonly begunBy?: ProcessPlace;
  /** So many items are sent first. The rest needs consent after that. */
  readonly canary?: number;
  /** That of the plan, where another one was said when it was applied; 0: none. The plan's hash is of this one. */
  readonly plannedCanary?: number;
  /** Look-ups are not asked: what they fill counts as given, and nothing of it may ever be sent. */
  readonly offline?: true | undefined;
  /** Laid over the cells of the input wherever its rows are read (`openInput`). */
  readonly corrections?: KeptCorrections | undefined;
  /** The import whose rows these are, where somebody put the input in at a console: there they are mended. */
  readonly import?: string | undefined;
  /** Set where the run sends rows of another one again. */
  readonly retry?: RetryOf;
  /** Set where the run carries out one step of another. */
  readonly step?: StepOf;
  /** It is carried out in a sandbox filled from the platform, to see what would come of it: every page says so. */
  readonly rehearsal?: true;
}

/** The same of a run of several steps. Its step runs have the rest. */
export interface StepsSettings extends Omit<RunSettings, 'job' | 'step'> {
  readonly job: StepsJob;
}

/** The job by whose map a run of several steps named its rows, pruned or not; undefined for others, and where it isn't kept. */
export function namingJob({ settings }: Pick<Run, 'settings'>): StepsJob | undefined {
  const { job, prunedJob } = unpackKept(settings) as { job?: Job | StepsJob; prunedJob?: StepsJob };
  return job && 'steps' in job ? job : prunedJob;
}

/** A step run: which step of which run it carries out. */
export interface StepOf {
  readonly parent: string;
  /** From 1. */
  readonly index: number;
  readonly name: string;
  /** It was only checked, with values in place of what earlier steps will return: nothing of it may ever be sent. */
  readonly given: boolean;
  /** The step runs before it, in order. */
  readonly earlier: readonly { readonly name: string; readonly run: string }[];
}

export interface RetryOf {
  /** Id of the run whose rows these are. */
  readonly parent: string;
  /** The rows of the input that this run sends. */
  readonly rows: RowRanges;
  /**
   * How many of these rows the parent left unknown. They are sent only with consent, although the parent holds their
   * keys.
   */
  readonly unknown: number;
}

/** The value for runs from before 0.2, which don't have it. */
const PATIENCE_MS = 15 * 60_000;

/** Lays something over the settings of a run, of whatever kind. */
export type SettingsChange = <S extends RunSettings | StepsSettings>(settings: S) => S;

/** The settings of a run of one operation, or of several steps: `steps` in its job tells which. */
export function unpackAny(packed: JsonObject): RunSettings | StepsSettings {
  return unpackSettings(packed);
}

export function unpackSettings(packed: JsonObject): RunSettings {
  const settings = unpackKept(packed) as RunSettings;
  // A pruned run has none.
  const run: Partial<Job['run']> | undefined = settings.job?.run;
  if (!run || run.patienceMs !== undefined) return settings;
  return { ...settings, job: { ...settings.job, run: { ...settings.job.run, patienceMs: PATIENCE_MS } } };
}
