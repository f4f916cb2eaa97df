/** Resolutions of unknown items. Rows are never changed. */
export const RESOLUTIONS = `
CREATE TABLE resolutions (
  item INTEGER NOT NULL,
  n INTEGER NOT NULL,
  at INTEGER NOT NULL,
  who TEXT NOT NULL,
  how TEXT NOT NULL,
  from_status TEXT NOT NULL,
  to_status TEXT NOT NULL,
  license_order_id TEXT,
  evidence_json TEXT,
  PRIMARY KEY (item, n)
) STRICT, WITHOUT ROWID;
`;

/** Processed due times of schedules, so that each is processed once; and an index of runs by job. */
export const SCHEDULE = `
CREATE TABLE schedule_times (
  job TEXT NOT NULL,
  due INTEGER NOT NULL,
  begun_at INTEGER NOT NULL,
  ended_at INTEGER,
  exit_code INTEGER,
  run TEXT,
  PRIMARY KEY (job, due)
) STRICT, WITHOUT ROWID;

CREATE INDEX runs_by_job ON runs (job, connection);
CREATE INDEX runs_by_parent ON runs (parent) WHERE parent IS NOT NULL;
`;

/** Results that a skipped row shows of the earlier run; comments on resolutions. */
export const SKIPPED_ROWS = `
ALTER TABLE verdicts ADD COLUMN license_order_id TEXT;
ALTER TABLE verdicts ADD COLUMN columns_json TEXT;
ALTER TABLE verdicts ADD COLUMN records_json TEXT;
ALTER TABLE resolutions ADD COLUMN note TEXT;
`;

/**
 * The journal of a run that sends, until it is compacted into attempts, outcomes and batches (attempt-journal.ts), and the keys
 * that a process has claimed for batches that it is about to send (prefetched-claims.ts).
 */
export const APPENDED_ATTEMPTS = `
-- An attempt that may leave. At most one of a batch lies here: a second one is begun only once the first is folded.
-- Batches are begun in ascending order, so these lines are appended.
CREATE TABLE attempts_begun (
  batch INTEGER PRIMARY KEY,
  attempt INTEGER NOT NULL,
  nonce TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  retry INTEGER NOT NULL
) STRICT;

-- What an attempt came to, in the order in which it was heard. outcomes_json: [[item, status, licenseOrderId, code, message_json, columns_json], …];
-- records_json: [[item, n, json], …]. releases: keys may have to be let go of.
CREATE TABLE attempts_ended (
  id INTEGER PRIMARY KEY,
  batch INTEGER NOT NULL UNIQUE,
  attempt INTEGER NOT NULL,
  ended_at INTEGER NOT NULL,
  http_status INTEGER,
  event TEXT NOT NULL,
  sent INTEGER NOT NULL,
  doubtful INTEGER NOT NULL,
  reply TEXT,
  outcomes_json TEXT,
  records_json TEXT,
  releases INTEGER NOT NULL
) STRICT;

-- An attempt comes among the others only by way of attempts_begun. A process of an earlier version that has the ledger
-- open still writes its intents straight into attempts, and doesn't see those that lie here: none of them may leave.
CREATE TRIGGER attempts_only_folded BEFORE INSERT ON attempts
WHEN NOT EXISTS (SELECT 1 FROM attempts_begun WHERE batch = NEW.batch AND nonce = NEW.nonce)
BEGIN
  SELECT RAISE(ABORT, 'a newer version of license-sync writes this ledger now; start this command again with that version');
END;

-- Lines that couldn't be folded, as they lay; their items are told as unknown.
CREATE TABLE attempts_set_aside (
  id INTEGER PRIMARY KEY,
  batch INTEGER NOT NULL,
  begun_json TEXT,
  ended_json TEXT,
  reason TEXT NOT NULL
) STRICT;

-- Batches in (after_batch, last_batch] of which the process that has the token holds the keys. Without this line none
-- of them may leave by it.
CREATE TABLE claims_ahead (
  run INTEGER PRIMARY KEY REFERENCES runs (id),
  token INTEGER NOT NULL,
  after_batch INTEGER NOT NULL,
  last_batch INTEGER NOT NULL
) STRICT;
`;

/** Batches whose claim (prefetched-claims.ts) is not valid. In the ledger, so that a process that takes a key can mark them. */
export const CONTESTED_BATCHES = `
-- Batches in a claimed range of which some key isn't held, or was taken from the claim since. None of them may leave by
-- its token.
CREATE TABLE contested_batches (
  batch INTEGER PRIMARY KEY
) STRICT;
`;
