/** Who is signed in at a console. */
export const SQL = `
-- id: SHA-256 of what the browser holds; person: absent for the user of the console's machine.
CREATE TABLE console_sessions (
  id TEXT PRIMARY KEY,
  who TEXT NOT NULL,
  person TEXT,
  via TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  seen_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  revoked_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX console_sessions_by_end ON console_sessions (expires_at);
`;
