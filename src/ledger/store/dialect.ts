/** Syntax that differs between SQLite and PostgreSQL. Everything else in a store's statements is valid in both. */
export interface Dialect {
  /** The database's clock, in milliseconds since 1970. */
  readonly now: string;
  /** The numbers of a JSON array, as a table with the column `value`. */
  each(json: string): string;
  /** Follows an expression: tests whether it is in a list parameter. */
  in(parameter: string, type: 'bigint' | 'text'): string;
  /** Ends a SELECT whose rows are locked until the transaction ends. */
  readonly forUpdate: string;
  /**
   * A join with an index lookup for each row. PostgreSQL's planner has no statistics of a table that a run has just filled, and
   * would read all of it for one page.
   */
  join(table: string, condition: string): string;
  leftJoin(table: string, condition: string): string;
  /** A column with JSON text, for `->`. On a server not as jsonb, which does not support U+0000 in texts. */
  json(column: string): string;
  /** Requests and retries of `runs`, with the join that they need. On a server each process adds to a separate row. */
  readonly runSums: { readonly join: string; readonly requests: string; readonly retries: string };
  /** An aggregate: JSON text of a list, `[]` if there are no rows. */
  jsonArray(value: string, order?: string): string;
  /** JSON of a list of these expressions. */
  jsonList(...values: readonly string[]): string;
  /**
   * True for a key (of `item_keys`, joined by `HOLDER_JOINS`) that was only claimed ahead: nothing of its item was sent, or the
   * tables would have an attempt or an outcome. On a server no key is claimed ahead.
   */
  readonly onlyClaimed: string;
}

const ordered = (order: string | undefined): string => (order === undefined ? '' : ` ORDER BY ${order}`);

export const SQLITE: Dialect = {
  now: "CAST(unixepoch('subsec') * 1000 AS INTEGER)",
  each: (json) => `json_each(${json})`,
  in: (parameter) => `IN (SELECT value FROM json_each(${parameter}))`,
  forUpdate: '',
  join: (table, condition) => `CROSS JOIN ${table} ON ${condition}`,
  leftJoin: (table, condition) => `LEFT JOIN ${table} ON ${condition}`,
  json: (column) => column,
  runSums: { join: '', requests: 'runs.requests', retries: 'runs.retries' },
  jsonArray: (value, order) => `json_group_array(${value}${ordered(order)})`,
  jsonList: (...values) => `json_array(${values.join(', ')})`,
  onlyClaimed: `(item_keys.kept_json IS NULL AND ends.status IS NULL AND NOT EXISTS (
  SELECT 1 FROM batch_items AS own WHERE own.item = item_keys.item
    AND (EXISTS (SELECT 1 FROM attempts WHERE attempts.batch = own.batch)
      OR EXISTS (SELECT 1 FROM attempts_begun WHERE attempts_begun.batch = own.batch))))`,
};

const lateral = (table: string, condition: string): string =>
  `JOIN LATERAL (SELECT * FROM ${table} WHERE ${condition} OFFSET 0) AS ${table} ON true`;

export const POSTGRES: Dialect = {
  now: '(extract(epoch FROM clock_timestamp()) * 1000)::bigint',
  each: (json) =>
    `LATERAL (SELECT text::bigint AS value FROM json_array_elements_text(${json}::json) AS text)`,
  in: (parameter, type) => `= ANY(${parameter}::${type}[])`,
  forUpdate: 'FOR UPDATE',
  join: lateral,
  leftJoin: (table, condition) => `LEFT ${lateral(table, condition)}`,
  json: (column) => `${column}::json`,
  runSums: {
    join: `CROSS JOIN LATERAL (SELECT coalesce(sum(run_sums.requests), 0) AS requests,
      coalesce(sum(run_sums.retries), 0) AS retries FROM run_sums WHERE run_sums.run = runs.id) AS added`,
    requests: 'runs.requests + added.requests',
    retries: 'runs.retries + added.retries',
  },
  jsonArray: (value, order) => `coalesce(json_agg(${value}${ordered(order)})::text, '[]')`,
  jsonList: (...values) => `json_build_array(${values.join(', ')})`,
  onlyClaimed: 'false',
};
