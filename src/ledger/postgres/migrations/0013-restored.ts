/**
 * Data by which a restored ledger is detected, and acceptances of restored ledgers. `objects`: the object ids of the database,
 * its schema and some of its tables.
 */
export const SQL = `
CREATE TABLE ledger_identity (
  one smallint PRIMARY KEY DEFAULT 1 CHECK (one = 1),
  id text COLLATE "C" NOT NULL
);
INSERT INTO ledger_identity (id) VALUES (replace(gen_random_uuid()::text, '-', ''));
CREATE TABLE epochs (
  n bigint PRIMARY KEY,
  at bigint NOT NULL,
  who text COLLATE "C" NOT NULL,
  detail_json text COLLATE "C" NOT NULL
);
ALTER TABLE server_identity ADD COLUMN objects text COLLATE "C";
`;
