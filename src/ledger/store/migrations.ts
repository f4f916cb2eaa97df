/** Migrations that both ledgers have in common. Their numbers are in `sqlite/migrations/` and `postgres/migrations/`. */
export interface ColumnTypes {
  readonly bigint: string;
  readonly integer: string;
  readonly smallint: string;
  /** Text compared and sorted by bytes. */
  readonly key: string;
  readonly text: string;
  /** End of a table. */
  readonly end: string;
  /** End of a table whose rows are stored in the primary key. */
  readonly endKeyed: string;
}

export const SQLITE_TYPES: ColumnTypes = {
  bigint: 'INTEGER',
  integer: 'INTEGER',
  smallint: 'INTEGER',
  key: 'TEXT',
  text: 'TEXT',
  end: ') STRICT;',
  endKeyed: ') STRICT, WITHOUT ROWID;',
};

export const POSTGRES_TYPES: ColumnTypes = {
  bigint: 'bigint',
  integer: 'integer',
  smallint: 'smallint',
  key: 'text COLLATE "C"',
  text: 'text',
  end: ');',
  endKeyed: ');',
};

/** Lookups of a plan, with their replies. */
export const lookupsSql = ({ bigint, key, text, end }: ColumnTypes): string => `
CREATE TABLE lookups (
  run ${bigint} NOT NULL REFERENCES runs (id),
  -- Digest of operation and request.
  key ${key} NOT NULL,
  operation ${text} NOT NULL,
  request_json ${text} NOT NULL,
  -- All records of the reply; NULL where none was valid, and then the reason is in detail_json.
  answer_json ${text},
  records ${bigint} NOT NULL,
  detail_json ${text},
  -- Attempts that it took.
  requests ${bigint} NOT NULL,
  asked_at ${bigint} NOT NULL,
  PRIMARY KEY (run, key)
${end}
`;

/** Runs that execute one step of another. */
export const STEPS_SQL = `
ALTER TABLE runs ADD COLUMN step INTEGER;
`;

/** Rows of plans that revert items of other runs. */
export const reversalsSql = ({ bigint, key, end }: ColumnTypes): string => `
-- "row": of the run that reverts; undone: the item. kept_status: its outcome when its run was pruned.
CREATE TABLE undoings (
  "row" ${bigint} PRIMARY KEY,
  undone ${bigint} NOT NULL,
  kept_status ${key}
${end}
CREATE INDEX undoings_by_undone ON undoings (undone);
`;

/** Sessions of users at a console. */
export const consoleSessionsSql = ({ bigint, key, endKeyed }: ColumnTypes): string => `
-- id: SHA-256 of what the browser holds; person: absent for the user of the console's machine.
CREATE TABLE console_sessions (
  id ${key} PRIMARY KEY,
  who ${key} NOT NULL,
  person ${key},
  via ${key} NOT NULL,
  created_at ${bigint} NOT NULL,
  seen_at ${bigint} NOT NULL,
  expires_at ${bigint} NOT NULL,
  revoked_at ${bigint}
${endKeyed}
CREATE INDEX console_sessions_by_end ON console_sessions (expires_at);
`;

/** Spreadsheets that users imported. */
export const importsSql = ({ bigint, integer, key, endKeyed }: ColumnTypes): string => `
-- check_run: the last check that finished; failure_json: why a later one did not. guessed: the job is stored among the inputs.
CREATE TABLE imports (
  id ${key} PRIMARY KEY,
  made_by ${key} NOT NULL,
  at ${bigint} NOT NULL,
  name ${key} NOT NULL,
  input_sha256 ${key} NOT NULL,
  job_file ${key} NOT NULL,
  job_sha256 ${key} NOT NULL,
  guessed ${integer} NOT NULL,
  connection ${key},
  sheet ${key},
  lookups ${integer} NOT NULL,
  check_run ${key},
  plan_run ${key},
  failure_json ${key}
${endKeyed}
-- Files that came over the network. Those that were not imported are known here only.
CREATE TABLE uploads (
  sha256 ${key} NOT NULL,
  name ${key} NOT NULL,
  made_by ${key} NOT NULL,
  at ${bigint} NOT NULL,
  PRIMARY KEY (sha256, name)
${endKeyed}
`;

/** Cells of imports that users corrected. Rows are added, and removed with their import, but never changed. */
export const correctionsSql = (
  { bigint, integer, key, text, endKeyed }: ColumnTypes,
  never: { readonly before: string; readonly trigger: string },
): string => `
-- kind: correct, undo, redo; of_act: the act that is undone, or done again.
CREATE TABLE correction_acts (
  import ${key} NOT NULL,
  n ${integer} NOT NULL,
  id ${key} NOT NULL,
  kind ${key} NOT NULL,
  of_act ${integer},
  who ${text} NOT NULL,
  at ${bigint} NOT NULL,
  PRIMARY KEY (import, n),
  UNIQUE (import, id)
${endKeyed}
CREATE TABLE correction_cells (
  import ${key} NOT NULL,
  act ${integer} NOT NULL,
  "row" ${bigint} NOT NULL,
  col ${integer} NOT NULL,
  header ${text} NOT NULL,
  shown_before ${text} NOT NULL,
  typed ${text} NOT NULL,
  PRIMARY KEY (import, act, "row", col)
${endKeyed}
${never.before}
CREATE TRIGGER correction_acts_stay BEFORE UPDATE ON correction_acts
${never.trigger}
CREATE TRIGGER correction_cells_stay BEFORE UPDATE ON correction_cells
${never.trigger}
`;

/** Which assets, customers and orders an item names. Runs of earlier versions are added to the index when it is first used. */
export const thingsSql = ({ bigint, smallint, key, end, endKeyed }: ColumnTypes): string => `
-- All of them with the item, as a JSON array of numbers (thingNumber), and the assets in an index.
ALTER TABLE items ADD COLUMN things ${key};
CREATE TABLE things (
  thing ${bigint} NOT NULL,
  item ${bigint} NOT NULL,
  PRIMARY KEY (thing, item)
${endKeyed}
-- Of pruned items that took effect.
CREATE TABLE kept_things (
  item ${bigint} PRIMARY KEY,
  things ${key} NOT NULL
${end}
ALTER TABLE runs ADD COLUMN things_indexed ${smallint} NOT NULL DEFAULT 0;
CREATE INDEX runs_without_things ON runs (id) WHERE things_indexed = 0;
`;

/** Items of these operations also name data of a customer, so their runs are added to the index of things again. */
export const CUSTOMER_DATA_SQL = `
UPDATE runs SET things_indexed = 0 WHERE operation IN ('enterprise.create', 'enterprise.update') AND pruned_at IS NULL;
`;
