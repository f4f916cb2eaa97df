/** What look-ups were answered while a run was planned. */
export const SQL = `
CREATE TABLE lookups (
  run bigint NOT NULL REFERENCES runs (id),
  -- Digest of operation and request.
  key text COLLATE "C" NOT NULL,
  operation text NOT NULL,
  request_json text NOT NULL,
  -- All records of the answer; NULL where no good one came, and then the reason is in detail_json.
  answer_json text,
  records bigint NOT NULL,
  detail_json text,
  -- Attempts that it took.
  requests bigint NOT NULL,
  asked_at bigint NOT NULL,
  PRIMARY KEY (run, key)
);
`;
