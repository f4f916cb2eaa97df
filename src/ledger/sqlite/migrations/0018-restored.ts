/** Data by which a restored ledger is detected, and acceptances of restored ledgers. */
export const SQL = `
CREATE TABLE ledger_identity (one INTEGER PRIMARY KEY CHECK (one = 1), id TEXT NOT NULL) STRICT;
INSERT INTO ledger_identity VALUES (1, lower(hex(randomblob(16))));
CREATE TABLE epochs (
  n INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  who TEXT NOT NULL,
  detail_json TEXT NOT NULL
) STRICT;
`;
