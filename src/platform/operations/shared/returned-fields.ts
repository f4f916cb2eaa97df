import { type Field, leafFields } from '../../../model/field.js';
import type { Operation, ReturnedField } from '../../../model/operation.js';

type Returning = Pick<Operation, 'endpoint' | 'resultColumns'>;

/**
 * What an operation returns: its result columns, typed by the reply's fields of the same name (all others count
 * something), and the columns of its records.
 */
export function returnedFields(
  { endpoint, resultColumns }: Returning,
  records: readonly Field[] = [],
): readonly ReturnedField[] {
  const { reply, section } = endpoint;
  const typed = 'fields' in reply ? reply.fields : [];
  const columns = new Map(
    resultColumns.map((name) => [name, typed.find((it) => it.name === name) ?? count(name, section)]),
  );
  const ofRecords = [...leafFields(records)].map(({ path, field }): ReturnedField => {
    const name = path.join('.');
    return { name, field, many: true, ...(columns.delete(name) ? { single: true } : {}) };
  });
  return [
    ...[...columns].map(([name, field]): ReturnedField => ({ name, field, many: false })),
    ...ofRecords,
  ];
}

function count(name: string, section: string): Field {
  return { name, type: 'Integer', required: true, meaning: 'How many came', section, least: 0 };
}
