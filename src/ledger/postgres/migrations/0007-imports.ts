/** Spreadsheets that people put in. */
export const SQL = `
-- check_run: the last check that came to its end; failure_json: why a later one did not. guessed: the job is kept among the inputs.
CREATE TABLE imports (
  id text COLLATE "C" PRIMARY KEY,
  made_by text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  name text COLLATE "C" NOT NULL,
  input_sha256 text COLLATE "C" NOT NULL,
  job_file text COLLATE "C" NOT NULL,
  job_sha256 text COLLATE "C" NOT NULL,
  guessed integer NOT NULL,
  connection text COLLATE "C",
  sheet text COLLATE "C",
  lookups integer NOT NULL,
  check_run text COLLATE "C",
  plan_run text COLLATE "C",
  failure_json text COLLATE "C"
);
-- Files that came over the network. Those that nothing was made of are known here only.
CREATE TABLE uploads (
  sha256 text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  made_by text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  PRIMARY KEY (sha256, name)
);
`;
