/** What look-ups were answered while a run was planned. */
export const SQL = `
CREATE TABLE lookups (
  run INTEGER NOT NULL REFERENCES runs (id),
  -- Digest of operation and request.
  key TEXT NOT NULL,
  operation TEXT NOT NULL,
  request_json TEXT NOT NULL,
  -- All records of the answer; NULL where no good one came, and then the reason is in detail_json.
  answer_json TEXT,
  records INTEGER NOT NULL,
  detail_json TEXT,
  -- Attempts that it took.
  requests INTEGER NOT NULL,
  asked_at INTEGER NOT NULL,
  PRIMARY KEY (run, key)
) STRICT;
`;
