/**
 * What is appended while a run sends, until it is folded into attempts, outcomes and batches (attempt-journal.ts), and
 * the keys that a process holds for batches that it is about to send (claims-ahead.ts).
 */
export const SQL = `
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
