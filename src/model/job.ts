import type { Message } from '../errors/message.js';
import type { Reconciled } from './drift.js';
import type { MapBranch, Position, SourceCondition } from './map.js';
import type { Notification, SecretSource } from './notification.js';
import type { OperationName } from './operation.js';

/** What every job file holds, checked, with every default filled in and paths made absolute. */
export interface JobBase {
  /** Absolute path of the job file. */
  readonly file: string;
  /** Of the job file's bytes, hex. */
  readonly sha256: string;
  /** What counts of `license-sync.yaml` in it: the file, and the digest of the job as it counts with that. */
  readonly parts?: { readonly file: string; readonly sha256: string };
  readonly name: string;
  readonly description?: string;
  readonly connection?: string;
  readonly source: JobSource;
  readonly run: JobRun;
  readonly safety: JobSafety;
  /** `defaulted`: the job file names no place, so whoever runs the job may choose one. */
  readonly output: { readonly file: string; readonly defaulted?: boolean };
  readonly schedule?: JobSchedule;
  /** Whom to tell when a run has ended. Never kept in a ledger: addresses of webhooks are secrets. */
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
  /** The job was made to take back what a run did; no job file says so. */
  readonly undoes?: UndoneItems;
}

export interface UndoneRun {
  /** The run that is reverted. */
  readonly run: string;
}

/** Which columns of a source tell what each of its rows takes back. */
export interface UndoneItems extends UndoneRun {
  /** Whose items they are: that run, or its run of a step. */
  readonly itemsOf: string;
  /** The header over the numbers of these items. */
  readonly item: string;
  /** The header over why something isn't taken back: such a row is only told of. */
  readonly reason: string;
  /** What to know before it is carried out. */
  readonly warnings: readonly Message[];
}

/** What a step knows of the job that it belongs to. */
export interface StepOfJob {
  readonly name: string;
  /** CEL over `row` and `step`; the other rows are left out of this step. */
  readonly when?: SourceCondition;
  /** The steps before it, in order. */
  readonly earlier: readonly EarlierStep[];
  readonly takenAsOne?: TakenAsOne;
  /** Another step of the job has the same operation: only its name tells what was done in it. */
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

/** A later step takes what comes from records into a field of one value: each request may ask for one record only. */
export interface TakenAsOne {
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
  /** What a row that didn't get through means for the others: they go on, or the run stops after this step. */
  readonly onPartial: 'continue' | 'stop';
  /** Absent: headers are field names or paths. */
  readonly map?: MapBranch;
  readonly batch: { readonly size?: number };
  readonly at: Position;
  /** The sheet says how many records each row asks for. */
  readonly takenAsOne?: TakenAsOne;
  /** As of a job. */
  readonly undoes?: UndoneItems;
}

/** A job that takes its rows through several operations, one after the other. */
export interface StepsJob extends JobBase {
  readonly steps: readonly JobStep[];
  /** What a row is that no step's `when` selects. Absent in runs of earlier versions, which skipped it. */
  readonly unmatched?: UnmatchedRows['status'];
  /** As of a job; each step tells of which items. */
  readonly undoes?: UndoneRun;
}

/** A job that sends rows, in one step or in several. */
export type SendingJob = Job | StepsJob;

/** What any job file may hold. */
export type AnyJob = SendingJob | ReconcileJob;

/** What a job does, as runs and listings name it. */
export function workOf(job: AnyJob): OperationName | 'steps' | `reconcile.${Reconciled}` {
  if ('steps' in job) return 'steps';
  return 'reconcile' in job ? `reconcile.${job.reconcile}` : job.operation;
}

/** The operations by which a job may change something. */
export function operationsOf(job: AnyJob): readonly OperationName[] {
  if ('steps' in job) return job.steps.map(({ operation }) => operation);
  return 'reconcile' in job ? job.actions.map(({ operation }) => operation) : [job.operation];
}

/** The job that carries out one step: the whole job's source and settings, the step's operation and map. */
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

/** A job that compares rows with what the platform holds (contract section 8). */
export interface ReconcileJob extends JobBase {
  readonly reconcile: Reconciled;
  /** What names a record: the request's fields and those that find the record in its reply. */
  readonly key: MapBranch;
  /** Fields of the record and what they should be; without members only that the record is there. */
  readonly expect: MapBranch;
  /** ignore: records that no row names are none of its business (a source that is only part of what is there). */
  readonly extra: 'report' | 'ignore';
  readonly actions: readonly ReconcileAction[];
}

/** What may be done about a difference, with `--apply` only. */
export interface ReconcileAction {
  readonly on: 'missing' | 'different' | 'extra';
  /** CEL over `row`, `expected` and `actual`. */
  readonly when?: SourceCondition;
  readonly operation: OperationName;
  /** Over the source's columns and columns named `expected.FIELD` and `actual.FIELD`. */
  readonly map: MapBranch;
  readonly batch: { readonly size?: number };
  readonly at: Position;
}

export interface JobSource {
  /** Absolute; `--input` overrides. */
  readonly file: string;
  /** `file`'s last part is a pattern (`*`, `?`): each file that fits is a run of its own. */
  readonly pattern?: boolean;
  /** Of a pattern: how long a file must be unchanged before it is taken; default `SETTLE_MS`. */
  readonly settleMs?: number;
  readonly sheet?: string | number;
  readonly headerRow: number;
  /** `auto` or an encoding name. */
  readonly encoding: string;
  /** `auto` or one character. */
  readonly delimiter: string;
  /** Of an encrypted workbook: where it is found. */
  readonly password?: SecretSource;
  readonly where?: SourceCondition;
  readonly hiddenRows: 'include' | 'skip' | 'refuse';
  /** What to do with rows under a merged range; a run of an earlier version doesn't have it and refused them. */
  readonly merged?: 'refuse' | 'fill';
  /** Headers of the columns whose empty cells take the value above them. */
  readonly fillDown?: readonly string[];
  /** The table ends before the first row where this holds. */
  readonly until?: SourceCondition;
}

export interface JobRun {
  readonly concurrency: number;
  readonly requestsPerSecond?: number;
  readonly timeoutMs: number;
  readonly retries: number;
  /** For how long pauses are waited out that the platform asks for; then the run stops. */
  readonly patienceMs: number;
  readonly onInvalid: 'abort' | 'skip';
  readonly stopAfterFailures: number;
}

export interface JobSafety {
  readonly maxItems: number;
  readonly maxDeletes: number;
  readonly allowDeleteFromAllOrders: boolean;
  readonly duplicates: 'skip' | 'send' | 'abort';
  /** One lock ordered for several customers, or a revert of what was changed since. */
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
