import { message } from '../../errors/message.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { Mapping } from '../../mapping/contract.js';
import type { Fault } from '../../model/fault.js';
import type { Job } from '../../model/job.js';
import type { Json, JsonObject } from '../../model/json.js';
import { operationNamed } from '../../platform/operations/index.js';
import { cellAddress } from '../../util/address.js';
import { exactStringify } from '../../util/exact-json.js';
import { otherRows, withdrawalBuffer } from './plan-checks.js';

const VALUE_SHOWN = 60;

interface Place {
  readonly sheet: string;
  /** The field that names what is changed. */
  readonly subject: string;
  readonly mapping: Pick<Mapping, 'columnsOf'>;
}

/**
 * Makes rows that change one thing in different ways invalid, each naming the others: otherwise the order in which the
 * platform carries them out would decide.
 */
export async function refuseContradictions(ledger: Ledger, run: string, place: Place): Promise<void> {
  const withdraw = withdrawalBuffer(ledger, run);
  for await (const { items } of ledger.plan.contradictions(run)) {
    const firstRows = items.map((it) => it.rows[0] ?? 0);
    const [one, two] = await Promise.all(
      items.slice(0, 2).map((it) => fieldsOf(ledger, run, it.item, place)),
    );
    for (const [index, { item, rows }] of items.entries()) {
      const own = index === 0 ? one! : index === 1 ? two! : await fieldsOf(ledger, run, item, place);
      const other = { row: firstRows[index === 0 ? 1 : 0]!, fields: index === 0 ? two! : one! };
      await withdraw.add({
        item,
        verdicts: rows.map((row) => {
          const told = { row, fields: own, others: otherRows(firstRows, rows) };
          return { row, status: 'invalid', faults: [contradiction(place, told, other)] };
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
  own: { readonly row: number; readonly fields: Fields; readonly others: readonly number[] },
  other: { readonly row: number; readonly fields: Fields },
): Fault {
  const cell = (field: string, row: number): string => {
    const [column] = mapping.columnsOf(field);
    return column === undefined ? '' : cellAddress(column, row);
  };
  const names = new Set([...Object.keys(own.fields), ...Object.keys(other.fields)]);
  const differing = [...names].filter((it) => textOf(own.fields[it]) !== textOf(other.fields[it]));
  const differs = differing.map((it) => {
    const cells = [cell(it, own.row), cell(it, other.row)].filter((address) => address !== '');
    return cells.length > 0 ? `${it} (${cells.join(', ')})` : it;
  });
  const params = {
    value: String(own.fields[subject]).slice(0, VALUE_SHOWN),
    rows: own.others.map((row) => named(row, cell(subject, row))).join(', '),
    differs: differs.join(', '),
  };
  const [column] = mapping.columnsOf(subject);
  return {
    sheet,
    row: own.row,
    column,
    field: subject,
    message: message('run.contradiction', params),
  };
}

function named(row: number, cell: string): string {
  return cell === '' ? String(row) : `${row} (${cell})`;
}

function textOf(value: Json | undefined): string {
  return value === undefined ? '' : exactStringify(value);
}

/**
 * Whether an item of several rows is whole with any one of them, as each names the same thing: a lock, in a step of several
 * the same customer. Of an order each row is a part.
 */
export function rowsShareItems({ operation, step }: Pick<Job, 'operation' | 'step'>): boolean {
  const { subject, place } = operationNamed(operation);
  return subject !== undefined || (step !== undefined && place.kind !== 'array');
}

/**
 * Takes the items of invalid rows out of the plan: no part of an invalid row is sent. A lock that another row names too
 * stays for that row. An order is sent as a whole or not at all, so its other rows become invalid as well.
 * @param shared what `rowsShareItems` says
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
