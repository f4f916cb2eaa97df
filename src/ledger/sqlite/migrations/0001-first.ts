/**
 * Ids of rows, items, batches and envelopes are packed with their run's number (store/ids.ts). Columns that are read in bulk are
 * in narrow tables, separate from bodies and replies, which are large. Times are milliseconds since 1970; columns named *_json
 * contain JSON text.
 */
export const SQL = `
CREATE TABLE scopes (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE runs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  state TEXT NOT NULL,
  job TEXT NOT NULL,
  job_file TEXT NOT NULL,
  job_sha256 TEXT NOT NULL,
  operation TEXT NOT NULL,
  connection TEXT NOT NULL,
  scope INTEGER NOT NULL REFERENCES scopes (id),
  input_file TEXT NOT NULL,
  input_sha256 TEXT NOT NULL,
  settings_json TEXT NOT NULL,
  parent TEXT,
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  exit_code INTEGER,
  output TEXT,
  reason_json TEXT,
  execute_ms INTEGER NOT NULL DEFAULT 0,
  requests INTEGER NOT NULL DEFAULT 0,
  retries INTEGER NOT NULL DEFAULT 0,
  "rows" INTEGER NOT NULL DEFAULT 0,
  items INTEGER NOT NULL DEFAULT 0,
  pruned_at INTEGER,
  counts_json TEXT
) STRICT;

CREATE TABLE warnings (
  run INTEGER NOT NULL REFERENCES runs (id),
  n INTEGER NOT NULL,
  message_json TEXT NOT NULL,
  PRIMARY KEY (run, n)
) STRICT, WITHOUT ROWID;

-- A row's own statuses, apart from those of its items.
CREATE TABLE verdicts (
  "row" INTEGER NOT NULL,
  n INTEGER NOT NULL,
  status TEXT NOT NULL,
  faults_json TEXT,
  message_json TEXT,
  PRIMARY KEY ("row", n)
) STRICT, WITHOUT ROWID;

-- In order of first appearance. Equal ones have the same digest; those that lie far apart may be stored twice.
CREATE TABLE envelopes (
  id INTEGER PRIMARY KEY,
  digest BLOB NOT NULL,
  json TEXT NOT NULL
) STRICT;

CREATE TABLE items (
  id INTEGER PRIMARY KEY,
  envelope INTEGER NOT NULL,
  first_row INTEGER NOT NULL,
  item_key TEXT,
  content TEXT NOT NULL
) STRICT;

CREATE TABLE bodies (
  item INTEGER PRIMARY KEY,
  json TEXT NOT NULL
) STRICT;

CREATE TABLE item_rows (
  "row" INTEGER NOT NULL,
  item INTEGER NOT NULL,
  PRIMARY KEY ("row", item)
) STRICT, WITHOUT ROWID;
CREATE INDEX item_rows_by_item ON item_rows (item);

-- Only while a run is planned: which item stands for a merge text.
CREATE TABLE merges (
  run INTEGER NOT NULL REFERENCES runs (id),
  text TEXT NOT NULL,
  item INTEGER NOT NULL,
  PRIMARY KEY (run, text)
) STRICT, WITHOUT ROWID;

CREATE TABLE batches (
  id INTEGER PRIMARY KEY,
  envelope INTEGER NOT NULL,
  done INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE batch_items (
  batch INTEGER NOT NULL REFERENCES batches (id),
  item INTEGER NOT NULL,
  PRIMARY KEY (batch, item)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX batch_items_by_item ON batch_items (item);

-- An attempt without ended_at is open: its request may be on its way. Doubtful: it may have had an effect.
CREATE TABLE attempts (
  batch INTEGER NOT NULL REFERENCES batches (id),
  attempt INTEGER NOT NULL,
  nonce TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  http_status INTEGER,
  event TEXT,
  sent INTEGER,
  doubtful INTEGER,
  reply TEXT,
  PRIMARY KEY (batch, attempt)
) STRICT, WITHOUT ROWID;
CREATE INDEX open_attempts ON attempts (batch) WHERE ended_at IS NULL;

-- Status not_sent is evidence for the report only: such an item is still to be sent.
CREATE TABLE outcomes (
  item INTEGER PRIMARY KEY,
  status TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  license_order_id TEXT,
  code TEXT,
  message_json TEXT,
  columns_json TEXT
) STRICT;

CREATE TABLE records (
  item INTEGER NOT NULL,
  n INTEGER NOT NULL,
  json TEXT NOT NULL,
  PRIMARY KEY (item, n)
) STRICT, WITHOUT ROWID;

-- Which item of a scope holds a key. What became of it stands with the item; once that is pruned, in kept_json.
-- prior_*: the holder that the item displaced, which comes back if the item has no effect.
CREATE TABLE item_keys (
  scope INTEGER NOT NULL REFERENCES scopes (id),
  item_key TEXT NOT NULL,
  item INTEGER NOT NULL,
  kept_json TEXT,
  prior_item INTEGER,
  prior_kept_json TEXT,
  PRIMARY KEY (scope, item_key)
) STRICT, WITHOUT ROWID;
`;
