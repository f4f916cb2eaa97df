import { NO_LINE } from '../../rules/audit-chain.js';

/** Users, the creators of runs, and the append-only audit. */
export const SQL = `
-- roles: with commas. token_sha256: of the API token.
CREATE TABLE people (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  roles TEXT NOT NULL,
  subject TEXT,
  token_sha256 TEXT,
  token_expires_at INTEGER,
  added_at INTEGER NOT NULL,
  removed_at INTEGER
) STRICT;
CREATE UNIQUE INDEX people_by_name ON people (name) WHERE removed_at IS NULL;
CREATE UNIQUE INDEX people_by_subject ON people (subject) WHERE removed_at IS NULL;
CREATE UNIQUE INDEX people_by_token ON people (token_sha256) WHERE removed_at IS NULL;

ALTER TABLE runs ADD COLUMN made_by TEXT;
ALTER TABLE runs ADD COLUMN made_by_subject TEXT;

-- Each line has the hash of the one before. detail: JSON text. hash: see rules/audit-chain.ts.
CREATE TABLE audit (
  n INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  who TEXT NOT NULL,
  act TEXT NOT NULL,
  run TEXT,
  detail TEXT NOT NULL,
  prev TEXT NOT NULL,
  hash TEXT NOT NULL
) STRICT;
CREATE INDEX audit_by_run ON audit (run) WHERE run IS NOT NULL;

-- The end of the chain: one line. A line that was cut off at the end is missed by it.
CREATE TABLE audit_head (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  n INTEGER NOT NULL,
  hash TEXT NOT NULL
) STRICT;
INSERT INTO audit_head (only, n, hash) VALUES (1, 0, '${NO_LINE}');

CREATE TRIGGER audit_follows BEFORE INSERT ON audit BEGIN
  SELECT RAISE(ABORT, 'audit: a line must follow the last one')
  WHERE NOT EXISTS (SELECT 1 FROM audit_head WHERE n = NEW.n - 1 AND hash = NEW.prev);
  UPDATE audit_head SET n = NEW.n, hash = NEW.hash;
END;
CREATE TRIGGER audit_unchanged BEFORE UPDATE ON audit BEGIN
  SELECT RAISE(ABORT, 'audit: lines are never changed');
END;
CREATE TRIGGER audit_kept BEFORE DELETE ON audit BEGIN
  SELECT RAISE(ABORT, 'audit: lines are never removed');
END;
CREATE TRIGGER audit_head_kept BEFORE DELETE ON audit_head BEGIN
  SELECT RAISE(ABORT, 'audit: lines are never removed');
END;
`;
