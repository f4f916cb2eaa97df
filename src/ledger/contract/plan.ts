import type { Message } from '../../errors/message.js';
import type { Fault } from '../../model/fault.js';
import type { PlannedItems } from '../../model/item.js';
import type { Json, JsonObject } from '../../model/json.js';
import type { EarlierResult, HeldItem } from './key-holder.js';

/** A source row whose status is its own, not an item's. */
export interface RowVerdict {
  readonly row: number;
  /**
   * `not_sent`: in a run of several steps, because of what another step made of the row. `valid`: only a message of a row
   * whose items decide its status.
   */
  readonly status: 'invalid' | 'skipped' | 'not_sent' | 'valid';
  readonly faults?: readonly Fault[];
  readonly message?: Message;
  /** Skipped because an earlier run got it through: what that run got. */
  readonly got?: EarlierResult;
}

/** A key, or a subject, found more than once within one run. */
export interface RepeatedKey {
  /** One entry per item: its number in the run and its source rows. */
  readonly items: readonly { readonly item: number; readonly rows: readonly number[] }[];
}

/** Writes of the plan stage, for one run. Each call is one transaction: hand over many at a time. */
export interface PlanStore {
  /**
   * Removes everything planned for the run before (a plan that was killed halfway).
   * @param but rows that were found invalid keep what was said of them
   */
  clear(run: string, but?: 'invalid rows'): Promise<void>;
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
  /**
   * Items that rows with a verdict `invalid` or `not_sent` still have, with all rows of each. They are not to be sent for
   * these.
   */
  itemsOfInvalidRows(run: string): AsyncIterable<{
    readonly item: number;
    readonly rows: readonly number[];
    readonly invalid: readonly number[];
  }>;
  /** Takes rows off an item, which goes on for its others; without any it leaves the plan. */
  unlink(run: string, item: number, rows: readonly number[]): Promise<void>;
  /** Items of this run whose key an earlier run of the scope holds. */
  heldKeys(run: string): AsyncIterable<HeldItem>;
  /** Which of these keys an item holds whose keys hold for the run too, be it its own. */
  whichHeld(run: string, keys: readonly string[]): Promise<ReadonlySet<string>>;
  /** Takes items out of the plan and gives their rows a verdict of their own. */
  withdraw(
    run: string,
    items: readonly { readonly item: number; readonly verdicts: readonly RowVerdict[] }[],
  ): Promise<void>;
  /** Ends items as `invalid` that must not be sent any more. What was planned, and maybe approved, stays. */
  refuse(run: string, items: readonly { readonly item: number; readonly reason: Message }[]): Promise<void>;
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
  /**
   * Ends the plan: all of it durable, run in state `planned`, `rows` and `items` set. One made of given values (results
   * that an earlier step has not returned yet) was only a check: its run stays in state `planning`, from which nothing is
   * ever sent, and is planned again when its turn comes.
   */
  finish(run: string, rows: number, made?: 'given'): Promise<void>;
  /** The bodies of the run's items, in order (limits and summaries). */
  bodies(run: string): AsyncIterable<{ readonly item: number; readonly body: Json }>;
}
