import type { Message } from '../errors/message.js';
import type { Reconciled } from '../model/drift.js';
import type { Fault } from '../model/fault.js';
import type { PlannedItems } from '../model/item.js';
import type { Json, JsonObject } from '../model/json.js';
import type { OperationName } from '../model/operation.js';
import type { ItemOutcome, ItemStatus } from '../model/outcome.js';
import type { RunCounts } from '../model/run-counts.js';
import type { Status } from '../model/status.js';

/**
 * Where a run stands. `planning` is thrown away and planned again by resume; every later state goes on from what
 * the ledger holds. `executed`: all outcomes are in, the result is not written yet.
 */
export type RunState =
  | 'planning'
  | 'planned'
  | 'executing'
  | 'stopped'
  | 'interrupted'
  | 'executed'
  | 'completed'
  | 'invalid';

/** What kind of run: sends, only checks, is a kept plan waiting for apply, or compares with the platform. */
export type RunKind = 'run' | 'dry_run' | 'plan' | 'reconcile';

/** What a run does; a reconciliation has no operation of its own. */
export type RunOperation = OperationName | `reconcile.${Reconciled}`;

/** What a run is made from; fixed when it starts. */
export interface RunStart {
  /** `20261121-020311-4f9a`: sortable, unique, safe in file names. */
  readonly id: string;
  readonly kind: RunKind;
  readonly job: string;
  /** Absolute path of the job file. */
  readonly jobFile: string;
  readonly jobSha256: string;
  readonly operation: RunOperation;
  readonly connection: string;
  /** Under which repeats are looked up: the connection's name and host (`scopeOf`). */
  readonly scope: string;
  readonly inputFile: string;
  readonly inputSha256: string;
  /** Everything resume needs that isn't above (flags, resolved job, connection without secrets), as JSON. */
  readonly settings: JsonObject;
  /** Milliseconds since 1970, UTC. */
  readonly startedAt: number;
  /** The run whose rows this one sends again, or the reconciliation whose action it carries out. */
  readonly parent?: string;
}

export interface Run extends RunStart {
  readonly state: RunState;
  readonly endedAt?: number;
  readonly exitCode?: number;
  /** HTTP requests that were begun, and how many of them were repeats of a batch. */
  readonly requests: number;
  readonly retries: number;
  /** Source rows counted by the plan. */
  readonly rows: number;
  readonly items: number;
  readonly output?: string;
  /** Sum of the execute stage, over resumes. */
  readonly executeMs: number;
  /** Why a stopped run stopped. */
  readonly reason?: Message;
  /** Its rows and all personal data are gone, so it can't be resumed or reported. */
  readonly prunedAt?: number;
}

export interface RunPatch {
  /** Going on (`planning`, `executing`) clears end and exit code; all but stopped, interrupted, invalid the reason. */
  readonly state?: RunState;
  readonly endedAt?: number;
  readonly exitCode?: number;
  readonly output?: string;
  readonly reason?: Message;
  readonly kind?: RunKind;
  /** Added to what is there. */
  readonly addExecuteMs?: number;
  /** Reconciliations, which plan no rows: what `counts` gives from now on; `rows` becomes their sum. */
  readonly counts?: RunCounts;
  /** Reconciliations, which have no batches: requests made, and how many of them were repeats. */
  readonly requests?: number;
  readonly retries?: number;
}

export interface RunQuery {
  readonly job: string;
  readonly connection: string;
  /** As in `RunStart`: leaves out runs of the connection on other hosts, but not those whose host isn't known. */
  readonly scope?: string;
  readonly inputSha256?: string;
  /** Only runs that wait for a process, or have one at work: planning, planned, executing, executed. */
  readonly unended?: boolean;
}

export interface RunTotals {
  readonly job: string;
  readonly connection: string;
  readonly operation: RunOperation;
  /** Ended runs by exit code. */
  readonly runs: ReadonlyMap<number, number>;
  readonly requests: number;
  readonly retries: number;
  /** From start to end, over all of them, in milliseconds. */
  readonly durationMs: number;
  /** The newest of them, and the newest with exit code 0. */
  readonly last: Run;
  readonly lastSuccessAt?: number;
}

export interface RunStore {
  create(start: RunStart): Promise<void>;
  patch(id: string, patch: RunPatch): Promise<void>;
  /** undefined when there is none of that id. */
  get(id: string): Promise<Run | undefined>;
  /** The newest run of the ledger, of the given kinds if any are named. */
  last(kinds?: readonly RunKind[]): Promise<Run | undefined>;
  /** Runs that name this one as their parent, oldest first. */
  children(id: string): Promise<readonly Run[]>;
  /** Newest first. */
  list(limit: number): Promise<readonly Run[]>;
  /**
   * Rows by status, adding up to the run's rows; as the last report would show them (rows still pending are
   * `not_sent` in a run, `valid` in a dry run or a plan).
   */
  counts(id: string): Promise<RunCounts>;
  /** The newest run (of kind `run` or `reconcile`) of a job over a connection that fits, by the time it started. */
  lastOf(wanted: RunQuery): Promise<Run | undefined>;
  /** All that `lastOf` chooses from, newest first. */
  listOf(wanted: RunQuery): Promise<readonly Run[]>;
  /** Sums over all runs that ended and were not mere checks, one entry for each job, connection and operation. */
  totals(): Promise<readonly RunTotals[]>;
  /**
   * Removes all personal data of runs that ended before; keys stay, so that repeats are still found. Runs with unknown
   * rows are left as they are: pruned, they could never be settled. So are runs that can be gone on with, and those
   * whose rows they must know of.
   */
  prune(endedBefore: number): Promise<number>;
}

/** A source row whose status is its own, not an item's. */
export interface RowVerdict {
  readonly row: number;
  readonly status: 'invalid' | 'skipped';
  readonly faults?: readonly Fault[];
  readonly message?: Message;
  /** Skipped because an earlier run got it through: what that run got. */
  readonly got?: EarlierResult;
}

/** What an earlier run got for an item, as results show it. */
export type EarlierResult = Pick<ItemOutcome, 'licenseOrderId' | 'columns' | 'records'>;

/** Who holds a key: an earlier item with an effect, or one that may have had it. */
export interface KeyHolder {
  readonly run: string;
  readonly row: number;
  readonly status: 'succeeded' | 'accepted' | 'unknown';
  readonly content: string;
  readonly got: EarlierResult;
}

/** A key, or a subject, found more than once within one run. */
export interface RepeatedKey {
  /** One entry per item: its number in the run and its source rows. */
  readonly items: readonly { readonly item: number; readonly rows: readonly number[] }[];
}

export interface PlannedBatch {
  readonly envelope: JsonObject;
  /** Item numbers, ascending. */
  readonly items: readonly number[];
}

/** Writes of the plan stage, for one run. Each call is one transaction: hand over many at a time. */
export interface PlanStore {
  /** Removes everything planned for the run before (a plan that was killed halfway). */
  clear(run: string): Promise<void>;
  /** Items get numbers from 1 in the order given. With `subject` and `content` already there, only the rows are linked. */
  addItems(run: string, items: PlannedItems): Promise<void>;
  addVerdicts(run: string, verdicts: readonly RowVerdict[]): Promise<void>;
  /** Things that the run's summary should say that belong to no single row. */
  addWarnings(run: string, warnings: readonly Message[]): Promise<void>;
  warnings(run: string): Promise<readonly Message[]>;
  /** Keys that stand on more than one item of this run. */
  repeatedKeys(run: string): AsyncIterable<RepeatedKey>;
  /** Subjects that items of this run name with different content. */
  contradictions(run: string): AsyncIterable<RepeatedKey>;
  /** What an item would send. */
  content(run: string, item: number): Promise<{ readonly envelope: JsonObject; readonly body: Json }>;
  /** Items that rows with a verdict `invalid` still have, with all rows of each. They are not to be sent for these. */
  itemsOfInvalidRows(run: string): AsyncIterable<{
    readonly item: number;
    readonly rows: readonly number[];
    readonly invalid: readonly number[];
  }>;
  /** Takes rows off an item, which goes on for its others; without any it leaves the plan. */
  unlink(run: string, item: number, rows: readonly number[]): Promise<void>;
  /** Items of this run whose key an earlier run of the scope holds. */
  heldKeys(run: string): AsyncIterable<{
    readonly item: number;
    readonly rows: readonly number[];
    readonly content: string;
    readonly holder: KeyHolder;
  }>;
  /** Takes items out of the plan and gives their rows a verdict of their own. */
  withdraw(
    run: string,
    items: readonly { readonly item: number; readonly verdicts: readonly RowVerdict[] }[],
  ): Promise<void>;
  /**
   * Forms batches of the remaining items: items with equal envelopes share one, `size` at most, in order of first
   * appearance. Bounded memory whatever the number of envelopes.
   */
  formBatches(
    run: string,
    size: number,
    /** The first so many items share no batch with later ones, and come first (a canary). */
    apart?: number,
  ): Promise<{ readonly batches: number; readonly items: number }>;
  /** Ends the plan: all of it durable, run in state `planned`, `rows` and `items` set. */
  finish(run: string, rows: number): Promise<void>;
  /** The bodies of the run's items, in order (limits and summaries). */
  bodies(run: string): AsyncIterable<{ readonly item: number; readonly body: Json }>;
}

/** A batch as the execute stage takes it up. */
export interface PendingBatch {
  readonly batch: number;
  readonly envelope: JsonObject;
  readonly items: readonly { readonly item: number; readonly body: Json; readonly key?: string }[];
  /** Attempts already made, over all processes. */
  readonly attempts: number;
  /** One of them may have had an effect. */
  readonly doubtful: boolean;
  /** The last attempt was told to wait (HTTP 429). */
  readonly paused?: boolean;
  /** Bytes of one of them left. */
  readonly sent?: boolean;
}

export interface Intent {
  readonly run: string;
  readonly batch: number;
  /** Counted from 1 within the batch. */
  readonly attempt: number;
  readonly nonce: string;
  readonly startedAt: number;
  /** The attempt before was told to wait, so that this one counts as no retry. */
  readonly afterPause?: boolean;
}

/** Item numbers that must not travel: since the plan another run got their key through or left it unknown. */
export interface Cleared {
  readonly withheld: readonly { readonly item: number; readonly holder: KeyHolder }[];
}

export interface AttemptEnd {
  readonly run: string;
  readonly batch: number;
  readonly attempt: number;
  readonly endedAt: number;
  readonly httpStatus?: number;
  /** Short word for people: `reply`, `timeout`, `reset`, `refused`, … */
  readonly event: string;
  /** Whether request headers had left (promises). */
  readonly sent: boolean;
  /**
   * Although sent, it certainly changed nothing (a 429): items left pending let go of their keys, so that other runs
   * may send them. Without it they keep them until they have an outcome.
   */
  readonly noEffect?: boolean;
  /** Reply text or error text, redacted; what is beyond 64 KiB is cut off. */
  readonly reply?: string;
  /**
   * Outcomes by item number; items without one stay pending (to be sent again), and so do items that are `not_sent`,
   * whose code and message are kept for the report.
   */
  readonly outcomes: readonly { readonly item: number; readonly outcome: ItemOutcome }[];
}

/** How an intent comes by the keys of its items. */
export interface ClaimOptions {
  /** false (duplicates: send): keys of what is known to be through are taken over; unknown ones stay held. */
  readonly claim: boolean;
  /** Runs whose keys aren't taken over even so: what a retry's own kin got through never goes again. */
  readonly kin?: ReadonlySet<string>;
  /**
   * A run whose unknown items were released for another try: keys that they hold are taken over, and go back to them
   * when nothing comes of it. Keys that any other run holds, or that this one got through since, stay held.
   */
  readonly over?: string;
}

/** Reads and writes of the execute stage. */
export interface ExecutionStore {
  /** The next batches that are pending and not open, by number, at most `limit`, after batch number `after`. */
  pending(run: string, after: number, limit: number): Promise<readonly PendingBatch[]>;
  /**
   * Commits the intent: when this resolves, the attempt is on disk and its items hold their keys. Calls made at the
   * same time share one commit. Items named in `withheld` got the status `skipped` in the same commit; if none
   * remains, the batch is done and nothing may be sent.
   */
  open(intent: Intent, options: ClaimOptions): Promise<Cleared>;
  /** Commits what an attempt came to. Calls made at the same time share one commit. */
  close(end: AttemptEnd): Promise<void>;
  /**
   * Attempts left open by a process that died, and batches that wait after an attempt that may have had its effect.
   * Not repeatable: their items get the given outcome; repeatable: they are pending again. Gives the number of open
   * attempts met.
   */
  recover(run: string, repeatable: boolean, lost: ItemOutcome): Promise<number>;
  /** What is still pending. */
  remaining(run: string): Promise<{ readonly batches: number; readonly items: number }>;
  /** Current numbers for progress and limits. */
  itemCounts(run: string): Promise<Readonly<Partial<Record<ItemStatus | 'pending' | 'open', number>>>>;
}

export interface RowResult {
  readonly row: number;
  readonly status: Status;
  readonly licenseOrderId?: string;
  readonly code?: string;
  /** In order: its own, or of its items; with several items whose body is text, `item` is that text. */
  readonly messages: readonly { readonly item?: string; readonly text: Message | string }[];
  readonly faults: readonly Fault[];
  readonly attempts: number;
  readonly columns: Readonly<Record<string, string>>;
}

/** Reads of the report stage; by ascending row. */
export interface ReportStore {
  /**
   * One result for each planned row. Items still pending count as `valid` where `pendingAs` says so (dry run), else
   * `not_sent`; open attempts count as `unknown`.
   */
  rows(run: string, pendingAs: 'valid' | 'not_sent'): AsyncIterable<readonly RowResult[]>;
  records(run: string): AsyncIterable<readonly { readonly row: number; readonly record: JsonObject }[]>;
  row(run: string, row: number): Promise<RowStory | undefined>;
  /** Rows of the run next to a row number, at most `count` before it and `count` after it, ascending. */
  nearestRows(run: string, row: number, count: number): Promise<readonly number[]>;
  /** Rows of each item that was made of several, ascending; a row may stand in more than one list. */
  sharedRows(run: string): AsyncIterable<readonly number[]>;
  /** What a batch carries: all its items but those that were withheld. */
  batch(run: string, batch: number): Promise<BatchContent | undefined>;
  /** All attempts of the run, by batch and attempt, in pages. */
  attempts(run: string): AsyncIterable<readonly AttemptFigures[]>;
}

/** One attempt, as far as a run's figures need it. */
export interface AttemptFigures extends Omit<Intent, 'run' | 'nonce'> {
  /** These four are absent while it is open. `endedAt` of event `died` is when that was found. */
  readonly endedAt?: number;
  readonly event?: string;
  readonly sent?: boolean;
  /** Also absent where no reply came. */
  readonly httpStatus?: number;
  /** Items that it carried, and those of them that it brought to their outcome (also `unknown`). */
  readonly items: number;
  readonly settled: number;
}

export interface BatchContent {
  readonly envelope: JsonObject;
  /** In the order in which they stand in the request. */
  readonly items: readonly { readonly item: number; readonly body: Json }[];
}

export interface RowStory {
  readonly result: RowResult;
  readonly items: readonly {
    readonly item: number;
    readonly envelope: JsonObject;
    readonly body: Json;
    /** Absent while the run is planned. */
    readonly batch?: number;
    readonly attempts: readonly (Intent & Partial<AttemptEnd>)[];
    /** Another item that holds its key now. */
    readonly holder?: KeyHolder;
  }[];
}

/** An item that may have had its effect, for whoever finds out. */
export interface UnknownItem {
  readonly item: number;
  /** Ascending. */
  readonly rows: readonly number[];
  readonly envelope: JsonObject;
  readonly body: Json;
  /** Those of its batch that left, or may have left; by number, at least one. Times are milliseconds since 1970. */
  readonly attempts: readonly {
    readonly startedAt: number;
    /** Absent while it is open. Of event `died` it is when that was found. */
    readonly endedAt?: number;
    readonly event?: string;
  }[];
}

/** An item that had an effect, or may have had one, as evidence about what is unknown. */
export interface ItemTrace {
  readonly item: number;
  /** The first of its rows. */
  readonly row: number;
  readonly envelope: JsonObject;
  readonly body: Json;
  readonly status: 'succeeded' | 'accepted' | 'unknown';
  /** When its last attempt ended. */
  readonly endedAt?: number;
  /** What the platform returned for it, where that was asked for. */
  readonly records: readonly JsonObject[];
}

/** Found out by a person, or by asking the platform. */
export type ResolvedBy = 'operator' | 'platform';

/** What an item can be found to have come to; `unknown`: what was seen proves nothing. */
export type ResolvedTo = 'succeeded' | 'failed' | 'unknown';

/** What an unknown item is found to have come to. */
export interface Settlement {
  readonly item: number;
  readonly outcome: ItemOutcome & { readonly status: ResolvedTo };
  readonly at: number;
  /** The user of the operating system, and the machine. */
  readonly who: string;
  readonly how: ResolvedBy;
  readonly evidence?: Message | string;
  /** What the person who asked for it says of it. */
  readonly note?: string;
  /** Also where the item was settled before: this resolution takes the place of that one. */
  readonly corrects?: boolean;
}

/** One line of the audit. */
export interface Resolution {
  readonly item: number;
  readonly rows: readonly number[];
  readonly at: number;
  readonly who: string;
  readonly how: ResolvedBy;
  readonly from: ResolvedTo;
  readonly to: ResolvedTo;
  readonly licenseOrderId?: string;
  readonly evidence?: Message | string;
  readonly note?: string;
}

/** An item that a resolution can correct. */
export interface SettledBefore {
  readonly item: number;
  /** Ascending. */
  readonly rows: readonly number[];
  readonly status: 'succeeded' | 'failed';
  readonly licenseOrderId?: string;
}

/** Settling what attempts left unknown. Call `execution.recover` first: attempts that are open aren't told here. */
export interface ResolutionStore {
  /** Unknown items of the run, or of one of its rows, by number; items may be settled while it is read. */
  unknown(run: string, row?: number): AsyncIterable<UnknownItem>;
  /** Items of a row that were settled before, each with what it counts as now. */
  settled(run: string, row: number): Promise<readonly SettledBefore[]>;
  /** Items of a run that had an effect or may have had one, by number; those that are held back or wait had none. */
  traces(run: string, wanted: { readonly records: boolean }): AsyncIterable<readonly ItemTrace[]>;
  /**
   * One transaction: outcome and audit line of each item. `succeeded` takes the key, unless another item has got it
   * through since; `failed` lets go of it. Gives the items that were settled; those that aren't unknown (any more), nor
   * settled before where that is to be corrected, are left as they are.
   */
  settle(run: string, settlements: readonly Settlement[]): Promise<readonly number[]>;
  /** The audit of a run, or of one of its rows, oldest first. */
  list(run: string, row?: number): Promise<readonly Resolution[]>;
}

/** A time of a schedule that was taken up. */
export interface ScheduledTime {
  readonly job: string;
  /** When it was due; milliseconds since 1970, as all times. */
  readonly due: number;
  readonly begunAt: number;
  /** Absent while it goes on, or where the scheduler died. */
  readonly endedAt?: number;
  readonly exitCode?: number;
  readonly run?: string;
}

/** What schedulers remember. */
export interface ScheduleStore {
  /** Takes a time up: true for one caller only, whatever the number of schedulers. Durable when it resolves. */
  begin(job: string, due: number, at: number): Promise<boolean>;
  end(
    job: string,
    due: number,
    end: { readonly endedAt: number; readonly exitCode: number; readonly run?: string },
  ): Promise<void>;
  /** The time that was due last among those taken up. */
  last(job: string): Promise<ScheduledTime | undefined>;
}

/** Whoever works on the runs of a job and connection. */
export interface LockHolder {
  readonly run: string;
  readonly process: number;
  readonly host: string;
}

/** Held while a run of a job and connection goes on; a process that dies lets go of it. */
export interface RunLock {
  release(): Promise<void>;
}

/**
 * The database of runs, batches, attempts and outcomes. Asynchronous throughout, so that a server database can
 * stand beside SQLite. Opening refuses (`ProductError`, kind internal) a ledger that is corrupt, newer than the
 * program, or not a ledger.
 */
export interface Ledger {
  /** For people: the file's path or the server's address without a password. */
  readonly location: string;
  readonly runs: RunStore;
  readonly plan: PlanStore;
  readonly execution: ExecutionStore;
  readonly report: ReportStore;
  readonly resolutions: ResolutionStore;
  readonly schedule: ScheduleStore;
  /** Throws `ProductError` of kind usage, naming the other run, when another process holds it. */
  lock(job: string, connection: string, run: string): Promise<RunLock>;
  /** Who holds that lock now; undefined when nobody does, also where a process died that did. */
  holder(job: string, connection: string): Promise<LockHolder | undefined>;
  /** Finishes what was asked and closes. */
  close(): Promise<void>;
}
