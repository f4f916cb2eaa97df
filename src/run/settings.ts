import type { Run } from '../ledger/contract/runs.js';
import { unpackKept } from '../ledger/stored-settings.js';
import type { Connection } from '../model/connection.js';
import type { Job, StepsJob } from '../model/job.js';
import type { JsonObject } from '../model/json.js';
import type { KeptCorrections } from '../model/row.js';
import type { ProcessPlace } from '../util/process.js';
import type { RowRanges } from './input/row-ranges.js';

/**
 * The settings of a run that are not in the ledger's columns, so that resume needs only the ledger: the effective job,
 * and the connection (without its secret, only with the secret's location).
 */
export interface RunSettings {
  readonly job: Job;
  readonly connection: Connection;
  /** The process that began the run; absent in ledgers of 0.1. */
  readonly begunBy?: ProcessPlace;
  /** Number of items that are sent first. The rest then needs a confirmation. */
  readonly canary?: number;
  /** The plan's canary, if another one was set when the plan was applied; 0: none. The plan's hash uses this value. */
  readonly plannedCanary?: number;
  /** No lookups are requested: looked-up fields are treated as given, and the run must never be sent. */
  readonly offline?: true | undefined;
  /** Applied to the cells of the input when its rows are read (`openInput`). */
  readonly corrections?: KeptCorrections | undefined;
  /** The import with these rows, if the input was uploaded in a console; the rows are corrected there. */
  readonly import?: string | undefined;
  /** Set if the run sends rows of another run again. */
  readonly retry?: RetryOf;
  /** Set if the run executes one step of another run. */
  readonly step?: StepOf;
  /** Executed in a sandbox filled from the platform, to see the expected result. Every page shows this. */
  readonly rehearsal?: true;
}

/** The settings of a run of several steps. Its step runs have the rest. */
export interface StepsSettings extends Omit<RunSettings, 'job' | 'step'> {
  readonly job: StepsJob;
}

/** The job whose map identifies the rows of a run of several steps, also if pruned; undefined for other runs. */
export function namingJob({ settings }: Pick<Run, 'settings'>): StepsJob | undefined {
  const { job, prunedJob } = unpackKept(settings) as { job?: Job | StepsJob; prunedJob?: StepsJob };
  return job && 'steps' in job ? job : prunedJob;
}

/** The step that a step run executes. */
export interface StepOf {
  readonly parent: string;
  /** Counted from 1. */
  readonly index: number;
  readonly name: string;
  /** The step was only checked, with placeholders for the results of earlier steps: it must never be sent. */
  readonly given: boolean;
  /** The earlier step runs, in order. */
  readonly earlier: readonly { readonly name: string; readonly run: string }[];
}

export interface RetryOf {
  /** Id of the run whose rows these are. */
  readonly parent: string;
  /** The rows of the input that this run sends. */
  readonly rows: RowRanges;
  /** Number of these rows that the parent left unknown. They are sent only after a confirmation. */
  readonly unknown: number;
}

/** The value for runs from before 0.2, which have none. */
const PATIENCE_MS = 15 * 60_000;

export type SettingsChange = <S extends RunSettings | StepsSettings>(settings: S) => S;

/** The settings of a run of one operation, or of several steps; `steps` in the job distinguishes them. */
export function unpackAny(packed: JsonObject): RunSettings | StepsSettings {
  return unpackSettings(packed);
}

export function unpackSettings(packed: JsonObject): RunSettings {
  const settings = unpackKept(packed) as RunSettings;
  // A pruned run has no job.
  const run: Partial<Job['run']> | undefined = settings.job?.run;
  if (!run || run.patienceMs !== undefined) return settings;
  return { ...settings, job: { ...settings.job, run: { ...settings.job.run, patienceMs: PATIENCE_MS } } };
}
