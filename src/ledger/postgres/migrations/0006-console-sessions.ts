/** Who is signed in at a console. */
export const SQL = `
-- id: SHA-256 of what the browser holds; person: absent for the user of the console's machine.
CREATE TABLE console_sessions (
  id text COLLATE "C" PRIMARY KEY,
  who text COLLATE "C" NOT NULL,
  person text COLLATE "C",
  via text COLLATE "C" NOT NULL,
  created_at bigint NOT NULL,
  seen_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  revoked_at bigint
);
CREATE INDEX console_sessions_by_end ON console_sessions (expires_at);
`;
