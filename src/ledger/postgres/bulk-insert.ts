/** Types of columns as arrays of them are handed over. */
export type ColumnType = 'bigint' | 'int' | 'smallint' | 'text' | 'bytea';

/**
 * An INSERT of many rows in one statement: parameter n is the array of the values of the nth column.
 * @param end what follows the values, such as `ON CONFLICT DO NOTHING`
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

/** Rows turned into columns, as `bulkInsert` takes them. */
export function columnsOf(rows: readonly (readonly unknown[])[], width: number): unknown[][] {
  return Array.from({ length: width }, (_, at) => rows.map((row) => row[at]));
}
