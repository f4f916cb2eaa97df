import { type Message, message } from '../../errors/message.js';
import type { ClaimOptions } from '../../ledger/contract/execution.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { RowVerdict } from '../../ledger/contract/plan.js';
import { mayTakeOver, repeatOf } from '../../ledger/rules/keys.js';
import { hasGivenContent } from '../../mapping/digest.js';
import type { Fault } from '../../model/fault.js';
import { wholeRunOf } from '../../util/run-id.js';

/** The columns of the items' keys, for faults that concern the key. */
interface KeyPlace {
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

/** Makes every row of a key that occurs twice in the file invalid, each naming the others (contract section 4). */
export async function refuseRepeats(ledger: Ledger, run: string, place: KeyPlace): Promise<void> {
  const withdraw = withdrawalBuffer(ledger, run);
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
 * Takes items whose key an earlier run holds out of the plan: as skipped, or as invalid when their content has changed.
 * @param claim what the run may send although another item has its key
 * @param inSteps each of an item's rows takes its records on to later steps
 */
export async function holdBackRepeats(
  ledger: Ledger,
  run: string,
  place: KeyPlace,
  claim: ClaimOptions,
  inSteps: boolean,
): Promise<void> {
  const withdraw = withdrawalBuffer(ledger, run);
  for await (const { item, rows, content, holder } of ledger.plan.heldKeys(run)) {
    if (mayTakeOver(holder, claim)) continue;
    const { run: other, row: otherRow, status, got } = holder;
    const at = { run: wholeRunOf(other), row: otherRow };
    const repeat = repeatOf(holder, content);
    // What it will send is not known before earlier steps have returned it.
    if (repeat !== 'unknown' && hasGivenContent(content)) continue;
    await withdraw.add({
      item,
      verdicts: rows.map((row) => {
        if (repeat === 'unknown') return { row, status: 'skipped', message: message('run.held_unknown', at) };
        if (repeat === 'done') {
          // An item's records stand at the first of its rows.
          const { records, ...others } = got;
          const own = { ...others, records: inSteps || row === rows[0] ? records : undefined };
          return { row, status: 'skipped', message: message('run.held_done', { ...at, status }), got: own };
        }
        const fault = keyFault(place, row, message('run.held_changed', { ...at, status }));
        return { row, status: 'invalid', faults: [fault] };
      }),
    });
  }
  await withdraw.flush();
}

function keyFault({ sheet, columns }: KeyPlace, row: number, say: Message): Fault {
  return { sheet, row, column: columns[0], message: say };
}

/**
 * The first few rows of a repeated key that aren't the item's own. Not all: a key may be on a hundred thousand rows.
 */
export function otherRows(firstRows: readonly number[], own: readonly number[]): readonly number[] {
  const others: number[] = [];
  for (const row of firstRows) {
    if (others.length === ROWS_NAMED) break;
    if (!own.includes(row)) others.push(row);
  }
  return others;
}

export function withdrawalBuffer(ledger: Ledger, run: string) {
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
