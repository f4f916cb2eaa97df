import { type Message, message } from '../../errors/message.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { RowVerdict } from '../../ledger/contract/plan.js';
import { mayTakeOver, repeatOf } from '../../ledger/rules/keys.js';
import type { Fault } from '../../model/fault.js';
import type { Job } from '../../model/job.js';
import type { Operation } from '../../model/operation.js';

export interface HeldItems {
  /** Items that earlier runs got through or left unknown. */
  readonly count: number;
  /** Of them, those left unknown: the run ends with exit code 6. */
  readonly unknown: number;
  readonly firstRun?: string;
}

/** Where the items' keys stand, for faults that concern the key. */
export interface KeyPlace {
  readonly sheet: string;
  /** 1-based; the first one is marked. */
  readonly columns: readonly number[];
}

const WITHDRAWN_AT_ONCE = 500;
const ROWS_NAMED = 10;

interface Withdrawal {
  readonly item: number;
  readonly verdicts: readonly RowVerdict[];
}

/** The same key twice in one file makes every row of it invalid, each naming the others (contract section 4). */
export async function refuseRepeats(ledger: Ledger, run: string, place: KeyPlace): Promise<void> {
  const withdraw = withdrawals(ledger, run);
  for await (const { items } of ledger.plan.repeatedKeys(run)) {
    const firstRows = items.map((it) => it.rows[0] ?? 0);
    for (const { item, rows } of items) {
      const others = otherRows(firstRows, rows);
      const say = message('run.repeated_key', { rows: others.join(', ') });
      await withdraw.add({
        item,
        verdicts: rows.map((row) => ({ row, status: 'invalid', faults: [keyFault(place, row, say)] })),
      });
    }
  }
  await withdraw.flush();
}

/**
 * Items whose key an earlier run holds leave the plan as skipped, or invalid when their content has changed. What the
 * run `released` left unknown stays in: a retry was asked to send it again. What the retry's `kin` got through never
 * goes again, even where the job says `duplicates: send`: that is said of other runs.
 */
export async function holdBackRepeats(
  ledger: Ledger,
  run: string,
  place: KeyPlace,
  job: Job,
  released?: string,
  kin: ReadonlySet<string> = new Set(),
): Promise<HeldItems> {
  let count = 0;
  let unknown = 0;
  let firstRun: string | undefined;
  const claim = { claim: job.safety.duplicates !== 'send', kin, over: released };
  const withdraw = withdrawals(ledger, run);
  for await (const { item, rows, content, holder } of ledger.plan.heldKeys(run)) {
    if (mayTakeOver(holder, claim)) continue;
    count += 1;
    firstRun ??= holder.run;
    const repeat = repeatOf(holder, content);
    if (repeat === 'unknown') unknown += 1;
    const params = { run: holder.run, row: holder.row, status: holder.status };
    await withdraw.add({
      item,
      verdicts: rows.map((row) => {
        if (repeat === 'unknown') {
          return {
            row,
            status: 'skipped',
            message: message('run.held_unknown', { run: holder.run, row: holder.row }),
          };
        }
        if (repeat === 'done') {
          // An item's records stand at the first of its rows.
          const { records: _, ...others } = holder.got;
          const got = row === rows[0] ? holder.got : others;
          return { row, status: 'skipped', message: message('run.held_done', params), got };
        }
        return {
          row,
          status: 'invalid',
          faults: [keyFault(place, row, message('run.held_changed', params))],
        };
      }),
    });
  }
  await withdraw.flush();
  return firstRun === undefined ? { count, unknown } : { count, unknown, firstRun };
}

/** The safety limit that the plan breaks, if any: nothing may be sent then. */
export async function brokenLimit(
  ledger: Ledger,
  run: string,
  operation: Operation,
  job: Job,
  items: number,
): Promise<Message | undefined> {
  if (items > job.safety.maxItems) {
    return message('run.max_items', { items, limit: job.safety.maxItems });
  }
  if (!operation.revokes) return undefined;
  let count = 0;
  for await (const { body } of ledger.plan.bodies(run)) count += operation.revokes(body);
  if (count <= job.safety.maxDeletes) return undefined;
  return message('run.max_deletes', { count, limit: job.safety.maxDeletes });
}

function keyFault({ sheet, columns }: KeyPlace, row: number, say: Message): Fault {
  const [column] = columns;
  return column === undefined ? { sheet, row, message: say } : { sheet, row, column, message: say };
}

/** The first few rows of a repeated key that aren't the item's own; a key may stand on a hundred thousand. */
export function otherRows(firstRows: readonly number[], own: readonly number[]): readonly number[] {
  const others: number[] = [];
  for (const row of firstRows) {
    if (others.length === ROWS_NAMED) break;
    if (!own.includes(row)) others.push(row);
  }
  return others;
}

export function withdrawals(ledger: Ledger, run: string) {
  let waiting: Withdrawal[] = [];
  const flush = async (): Promise<void> => {
    if (waiting.length > 0) await ledger.plan.withdraw(run, waiting);
    waiting = [];
  };
  return {
    async add(withdrawal: Withdrawal): Promise<void> {
      waiting.push(withdrawal);
      if (waiting.length >= WITHDRAWN_AT_ONCE) await flush();
    },
    flush,
  };
}
