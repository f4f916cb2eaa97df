/** Spreadsheets that people put in. */
export const SQL = `
-- check_run: the last check that came to its end; failure_json: why a later one did not. guessed: the job is kept among the inputs.
CREATE TABLE imports (
  id TEXT PRIMARY KEY,
  made_by TEXT NOT NULL,
  at INTEGER NOT NULL,
  name TEXT NOT NULL,
  input_sha256 TEXT NOT NULL,
  job_file TEXT NOT NULL,
  job_sha256 TEXT NOT NULL,
  guessed INTEGER NOT NULL,
  connection TEXT,
  sheet TEXT,
  lookups INTEGER NOT NULL,
  check_run TEXT,
  plan_run TEXT,
  failure_json TEXT
) STRICT, WITHOUT ROWID;
-- Files that came over the network. Those that nothing was made of are known here only.
CREATE TABLE uploads (
  sha256 TEXT NOT NULL,
  name TEXT NOT NULL,
  made_by TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (sha256, name)
) STRICT, WITHOUT ROWID;
`;
