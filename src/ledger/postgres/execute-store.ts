import { POSTGRES } from '../store/dialect.js';
import type { ColumnType, SqlParameter, Statement, Store } from '../store/statement.js';
import type { Queryable } from './transaction.js';

/** Executes the statements of a store method, one after the other. */
export async function executeStore<T>(db: Queryable, store: Store<T>): Promise<T> {
  let step = store.next();
  while (!step.done) {
    try {
      step = store.next(await executeStatement(db, step.value));
    } catch (error) {
      step = store.throw(error);
    }
  }
  return step.value;
}

async function executeStatement(db: Queryable, statement: Statement): Promise<unknown> {
  if (statement.kind === 'file only') return undefined;
  if (statement.kind === 'insert') {
    const { table, end } = statement.into;
    const columns = { ...statement.into.columns, ...statement.into.serverColumns };
    const rows = statement.rows.map((row) => row.map(bound));
    return db.run(bulkInsert(table, columns, end), columnsOf(rows, Object.keys(columns).length));
  }
  const text = typeof statement.sql === 'string' ? statement.sql : statement.sql(POSTGRES);
  const values = statement.values.map(bound);
  return statement.kind === 'rows' ? db.all(text, values) : db.run(text, values);
}

function bound(value: SqlParameter): unknown {
  return typeof value === 'boolean' ? Number(value) : (value ?? null);
}

/**
 * An INSERT of many rows in one statement: parameter n is the array of the values of the nth column.
 * @param end follows the values, such as `ON CONFLICT DO NOTHING`
 */
export function bulkInsert(
  table: string,
  columns: Readonly<Record<string, ColumnType>>,
  end = '',
  firstParameter = 1,
): string {
  const arrays = Object.values(columns).map((type, at) => `$${at + firstParameter}::${type}[]`);
  return `INSERT INTO ${table} (${Object.keys(columns).join(', ')}) SELECT * FROM unnest(${arrays.join(', ')}) ${end}`;
}

/** Transposes rows into columns, for `bulkInsert`. */
export function columnsOf(rows: readonly (readonly unknown[])[], width: number): unknown[][] {
  return Array.from({ length: width }, (_, at) => rows.map((row) => row[at]));
}
