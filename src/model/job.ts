import type { Message } from '../errors/message.js';
import type { SecretSource } from '../util/secret-source.js';
import type { Reconciled } from './comparison.js';
import type { Notification } from './connection.js';
import type { MapBranch, Position, SourceCondition } from './map.js';
import type { OperationName } from './operation.js';

/** The checked content of every job file, with defaults filled in and absolute paths. */
export interface JobBase {
  /** Absolute path of the job file. */
  readonly file: string;
  /** Digest of the job file's bytes, hex. */
  readonly sha256: string;
  /** The parts of `license-sync.yaml` that it uses: the file, and the digest of the effective job. */
  readonly parts?: { readonly file: string; readonly sha256: string };
  readonly name: string;
  readonly description?: string;
  readonly connection?: string;
  readonly source: JobSource;
  readonly run: JobRun;
  readonly safety: JobSafety;
  /** `defaulted`: the job file names no location, so the caller may choose one. */
  readonly output: { readonly file: string; readonly defaulted?: boolean };
  readonly schedule?: JobSchedule;
  /** Notifications after a run. Never stored in a ledger: addresses of webhooks are secrets. */
  readonly notify?: readonly Notification[];
}

/** A job that sends rows. */
export interface Job extends JobBase {
  readonly operation: OperationName;
  /** Absent: headers are field names or paths. */
  readonly map?: MapBranch;
  readonly batch: { readonly size?: number };
  /** The job is one step of a job of several. */
  readonly step?: StepOfJob;
  /** Set on a job that the program created to revert a run; not part of job files. */
  readonly undoes?: RevertedItems;
}

export interface RevertedRun {
  /** The run that is reverted. */
  readonly run: string;
}

/** The columns of a source that identify the item that each row reverts. */
export interface RevertedItems extends RevertedRun {
  /** The run of the items: the reverted run, or its run of a step. */
  readonly itemsOf: string;
  /** Header of the column with the numbers of these items. */
  readonly item: string;
  /** Header of the column with the reason why an item cannot be reverted. Such a row is only reported. */
  readonly reason: string;
  /** Warnings to show before anything is sent. */
  readonly warnings: readonly Message[];
}

/** A step's information about the job that it belongs to. */
export interface StepOfJob {
  readonly name: string;
  /** CEL over `row` and `step`; the other rows are excluded from this step. */
  readonly when?: SourceCondition;
  /** The steps before it, in order. */
  readonly earlier: readonly EarlierStep[];
  readonly takenAsOne?: SingleRecordUse;
  /** Another step of the job has the same operation; only the name distinguishes them. */
  readonly oneOfSeveral?: true;
  /** On the last step, if every step has a `when`. */
  readonly unmatched?: UnmatchedRows;
}

/** Rows that no step's `when` selects. */
export interface UnmatchedRows {
  readonly status: 'invalid' | 'skip';
  /** The conditions of all steps, in order. */
  readonly whens: readonly SourceCondition[];
}

/** A later step uses the records of a step for a field with a single value: each request may ask for one record only. */
export interface SingleRecordUse {
  /** `numbers.assetNumber` */
  readonly from: string;
  readonly field: string;
  readonly at: Position;
}

export interface EarlierStep {
  readonly name: string;
  readonly operation: OperationName;
}

/** One step of a job of several (contract section 9, "Steps"). */
export interface JobStep {
  readonly name: string;
  readonly operation: OperationName;
  /** CEL over `row` and, of earlier steps, `step["NAME"]["FIELD"]`. */
  readonly when?: SourceCondition;
  /** If some rows did not succeed in this step: the others continue, or the run stops after it. */
  readonly onPartial: 'continue' | 'stop';
  /** Absent: headers are field names or paths. */
  readonly map?: MapBranch;
  readonly batch: { readonly size?: number };
  readonly at: Position;
  /** Set if the sheet determines the number of records, which must be one for each row. */
  readonly takenAsOne?: SingleRecordUse;
  /** As for a job. */
  readonly undoes?: RevertedItems;
}

/** A job that sends its rows through several operations, one after the other. */
export interface StepsJob extends JobBase {
  readonly steps: readonly JobStep[];
  /** Outcome of a row that no step's `when` selects. Absent in runs of earlier versions, which skipped such rows. */
  readonly unmatched?: UnmatchedRows['status'];
  /** As for a job; each step has its own items. */
  readonly undoes?: RevertedRun;
}

/** A job that sends rows, in one step or in several. */
export type SendingJob = Job | StepsJob;

/** A job of any kind. */
export type AnyJob = SendingJob | ReconcileJob;

/** The work of a job, as runs and listings name it. */
export function workOf(job: AnyJob): OperationName | 'steps' | `reconcile.${Reconciled}` {
  if ('steps' in job) return 'steps';
  return 'reconcile' in job ? `reconcile.${job.reconcile}` : job.operation;
}

/** The operations that a job may send. */
export function operationsOf(job: AnyJob): readonly OperationName[] {
  if ('steps' in job) return job.steps.map(({ operation }) => operation);
  return 'reconcile' in job ? job.actions.map(({ operation }) => operation) : [job.operation];
}

/** The job of one step: source and settings of the whole job, operation and map of the step. */
export function stepJob(job: StepsJob, step: JobStep): Job {
  const { steps, undoes: _, unmatched, ...base } = job;
  const { name, operation, when, map, batch, undoes, takenAsOne } = step;
  const earlier = steps
    .slice(0, steps.indexOf(step))
    .map((it) => ({ name: it.name, operation: it.operation }));
  const isLast = step === steps.at(-1);
  const whens = steps.flatMap((it) => it.when ?? []);
  const isOneOfSeveral = steps.some((it) => it !== step && it.operation === operation);
  return {
    ...base,
    operation,
    map,
    batch,
    undoes,
    step: {
      name,
      when,
      earlier,
      ...(takenAsOne ? { takenAsOne } : {}),
      ...(isOneOfSeveral ? { oneOfSeveral: true } : {}),
      ...(isLast && unmatched && whens.length === steps.length
        ? { unmatched: { status: unmatched, whens } }
        : {}),
    },
  };
}

/** A job that compares rows with the platform's data (contract section 8). */
export interface ReconcileJob extends JobBase {
  readonly reconcile: Reconciled;
  /** The fields that identify a record: those of the request, and those that find the record in its reply. */
  readonly key: MapBranch;
  /** Fields of the record and their expected values. Without members only the existence of the record is compared. */
  readonly expect: MapBranch;
  /** ignore: records that no row names are not reported, for a source that contains only part of the data. */
  readonly extra: 'report' | 'ignore';
  readonly actions: readonly ReconcileAction[];
}

/** An action on a difference; executed with `--apply` only. */
export interface ReconcileAction {
  readonly on: 'missing' | 'different' | 'extra';
  /** CEL over `row`, `expected` and `actual`. */
  readonly when?: SourceCondition;
  readonly operation: OperationName;
  /** Reads the source's columns and columns named `expected.FIELD` and `actual.FIELD`. */
  readonly map: MapBranch;
  readonly batch: { readonly size?: number };
  readonly at: Position;
}

export interface JobSource {
  /** Absolute; `--input` overrides. */
  readonly file: string;
  /** The last part of `file` is a pattern (`*`, `?`): each matching file is a separate run. */
  readonly pattern?: boolean;
  /** For a pattern: milliseconds that a file must be unchanged before it is imported; default `SETTLE_MS`. */
  readonly settleMs?: number;
  readonly sheet?: string | number;
  readonly headerRow: number;
  /** `auto` or an encoding name. */
  readonly encoding: string;
  /** `auto` or one character. */
  readonly delimiter: string;
  /** Source of the password of an encrypted workbook. */
  readonly password?: SecretSource;
  readonly where?: SourceCondition;
  readonly hiddenRows: 'include' | 'skip' | 'refuse';
  /** Handling of rows under a merged range. Absent in runs of earlier versions, which rejected them. */
  readonly merged?: 'refuse' | 'fill';
  /** Headers of the columns whose empty cells take the value above them. */
  readonly fillDown?: readonly string[];
  /** The table ends before the first row for which this is true. */
  readonly until?: SourceCondition;
}

export interface JobRun {
  readonly concurrency: number;
  readonly requestsPerSecond?: number;
  readonly timeoutMs: number;
  readonly retries: number;
  /** Maximum wait time for pauses that the platform requests; then the run stops. */
  readonly patienceMs: number;
  readonly onInvalid: 'abort' | 'skip';
  readonly stopAfterFailures: number;
}

export interface JobSafety {
  readonly maxItems: number;
  readonly maxDeletes: number;
  readonly allowDeleteFromAllOrders: boolean;
  readonly duplicates: 'skip' | 'send' | 'abort';
  /** An asset ordered for several customers, or a revert of data that was changed since. */
  readonly conflicts: 'abort' | 'warn';
}

export interface JobSchedule {
  readonly cron: string;
  readonly timezone?: string;
  readonly onMissed: 'run' | 'skip';
  readonly onOverlap: 'skip' | 'queue';
  /** The longest delay of a start; random, but always the same for one job and time. */
  readonly jitterMs?: number;
}
