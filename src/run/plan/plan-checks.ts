import { type Message, message } from '../../errors/message.js';
import type { ClaimOptions } from '../../ledger/contract/execution.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { RowVerdict } from '../../ledger/contract/plan.js';
import { mayTakeOver, repeatOf } from '../../ledger/rules/keys.js';
import { hasGivenContent } from '../../mapping/digest.js';
import type { Mapping } from '../../mapping/mapping.js';
import type { Job } from '../../model/job.js';
import type { Json, JsonObject } from '../../model/json.js';
import type { Fault } from '../../model/row.js';
import { operationNamed } from '../../platform/operations/catalogue.js';
import { exactStringify } from '../../util/exact-json.js';
import { wholeRunOf } from '../../util/run-id.js';
import { cellAddress } from '../../util/spreadsheet-text.js';

/** The columns of the items' keys, for errors of the key. */
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

/** Makes all rows of a key that occurs twice in the file invalid, each naming the others (contract section 4). */
export async function invalidateRepeats(ledger: Ledger, run: string, place: KeyPlace): Promise<void> {
  const withdraw = withdrawalBuffer(ledger, run);
  for await (const { items } of ledger.plan.repeatedKeys(run)) {
    const firstRows = items.map((item) => item.rows[0] ?? 0);
    for (const { item, rows } of items) {
      const others = otherRows(firstRows, rows);
      const reason = message('run.repeated_key', { rows: others.join(', ') });
      await withdraw.add({
        item,
        verdicts: rows.map((row) => ({ row, status: 'invalid', faults: [keyFault(place, row, reason)] })),
      });
    }
  }
  await withdraw.flush();
}

/**
 * Removes items whose key an earlier run holds from the plan: as skipped, or as invalid if their content has changed.
 * @param claim what the run may send although another item has its key
 * @param inSteps each of an item's rows passes the item's records to later steps
 */
export async function withholdRepeats(
  ledger: Ledger,
  run: string,
  place: KeyPlace,
  claim: ClaimOptions,
  inSteps: boolean,
): Promise<void> {
  const withdraw = withdrawalBuffer(ledger, run);
  for await (const { item, rows, content, holder } of ledger.plan.heldKeys(run)) {
    if (mayTakeOver(holder, claim)) continue;
    const { run: holderRun, row: otherRow, status, got } = holder;
    const heldAt = { run: wholeRunOf(holderRun), row: otherRow };
    const repeat = repeatOf(holder, content);
    // Its content is unknown until earlier steps have returned their results.
    if (repeat !== 'unknown' && hasGivenContent(content)) continue;
    await withdraw.add({
      item,
      verdicts: rows.map((row) => {
        if (repeat === 'unknown')
          return { row, status: 'skipped', message: message('run.held_unknown', heldAt) };
        if (repeat === 'done') {
          // An item's records belong to the first of its rows.
          const { records, ...withoutRecords } = got;
          const result = { ...withoutRecords, records: inSteps || row === rows[0] ? records : undefined };
          return {
            row,
            status: 'skipped',
            message: message('run.held_done', { ...heldAt, status }),
            got: result,
          };
        }
        const fault = keyFault(place, row, message('run.held_changed', { ...heldAt, status }));
        return { row, status: 'invalid', faults: [fault] };
      }),
    });
  }
  await withdraw.flush();
}

function keyFault({ sheet, columns }: KeyPlace, row: number, reason: Message): Fault {
  return { sheet, row, column: columns[0], message: reason };
}

/** The first few other rows of a repeated key; limited, because a key may be on a hundred thousand rows. */
function otherRows(firstRows: readonly number[], ownRows: readonly number[]): readonly number[] {
  const others: number[] = [];
  for (const row of firstRows) {
    if (others.length === ROWS_NAMED) break;
    if (!ownRows.includes(row)) others.push(row);
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

const VALUE_SHOWN = 60;

interface Place {
  readonly sheet: string;
  /** The field that names what is changed. */
  readonly subject: string;
  readonly mapping: Pick<Mapping, 'columnsOf'>;
}

/**
 * Makes rows that change the same thing differently invalid. Each message names the other rows. Otherwise the order in
 * which the platform executes them would decide.
 */
export async function invalidateContradictions(ledger: Ledger, run: string, place: Place): Promise<void> {
  const withdraw = withdrawalBuffer(ledger, run);
  for await (const { items } of ledger.plan.contradictions(run)) {
    const firstRows = items.map((item) => item.rows[0] ?? 0);
    const [first, second] = await Promise.all(
      items.slice(0, 2).map(({ item }) => fieldsOf(ledger, run, item, place)),
    );
    for (const [index, { item, rows }] of items.entries()) {
      const fields = index === 0 ? first! : index === 1 ? second! : await fieldsOf(ledger, run, item, place);
      const compared = { row: firstRows[index === 0 ? 1 : 0]!, fields: index === 0 ? second! : first! };
      await withdraw.add({
        item,
        verdicts: rows.map((row) => {
          const ownRow = { row, fields, others: otherRows(firstRows, rows) };
          return { row, status: 'invalid', faults: [contradiction(place, ownRow, compared)] };
        }),
      });
    }
  }
  await withdraw.flush();
}

type Fields = Readonly<Record<string, Json>>;

async function fieldsOf(ledger: Ledger, run: string, item: number, { subject }: Place): Promise<Fields> {
  const { envelope, body } = await ledger.plan.content(run, item);
  return { ...envelope, ...(typeof body === 'string' ? { [subject]: body } : (body as JsonObject)) };
}

function contradiction(
  { sheet, subject, mapping }: Place,
  row: { readonly row: number; readonly fields: Fields; readonly others: readonly number[] },
  compared: { readonly row: number; readonly fields: Fields },
): Fault {
  const cell = (field: string, row: number): string => {
    const [column] = mapping.columnsOf(field);
    return column === undefined ? '' : cellAddress(column, row);
  };
  const names = new Set([...Object.keys(row.fields), ...Object.keys(compared.fields)]);
  const differing = [...names].filter((it) => textOf(row.fields[it]) !== textOf(compared.fields[it]));
  const differs = differing.map((field) => {
    const cells = [cell(field, row.row), cell(field, compared.row)].filter((address) => address !== '');
    return cells.length > 0 ? `${field} (${cells.join(', ')})` : field;
  });
  const params = {
    value: String(row.fields[subject]).slice(0, VALUE_SHOWN),
    rows: row.others.map((row) => named(row, cell(subject, row))).join(', '),
    differs: differs.join(', '),
  };
  const [column] = mapping.columnsOf(subject);
  return { sheet, row: row.row, column, field: subject, message: message('run.contradiction', params) };
}

function named(row: number, cell: string): string {
  return cell === '' ? String(row) : `${row} (${cell})`;
}

function textOf(value: Json | undefined): string {
  return value === undefined ? '' : exactStringify(value);
}

/** True if each row of an item names the whole item, such as a lock. The rows of an order are its parts. */
export function rowsShareItems({ operation, step }: Pick<Job, 'operation' | 'step'>): boolean {
  const { subject, place } = operationNamed(operation);
  return subject !== undefined || (step !== undefined && place.kind !== 'array');
}

/**
 * Removes the items of invalid rows from the plan: no part of an invalid row is sent. A lock that a valid row names too
 * stays for that row. An order is sent as a whole or not at all, so its other rows become invalid as well.
 * @param shared the result of `rowsShareItems`
 */
export async function withdrawInvalidRows(ledger: Ledger, run: string, shared: boolean): Promise<void> {
  for await (const { item, rows, invalid } of ledger.plan.itemsOfInvalidRows(run)) {
    if (shared) {
      await ledger.plan.unlink(run, item, invalid);
      continue;
    }
    const together = message('run.invalid_together', { rows: invalid.slice(0, 10).join(', ') });
    const verdicts = rows
      .filter((row) => !invalid.includes(row))
      .map((row) => ({ row, status: 'invalid' as const, message: together }));
    await ledger.plan.withdraw(run, [{ item, verdicts }]);
  }
}
