/** How items that were unknown were settled: one line each time, never changed. */
export const SQL = `
CREATE TABLE resolutions (
  item INTEGER NOT NULL,
  n INTEGER NOT NULL,
  at INTEGER NOT NULL,
  who TEXT NOT NULL,
  how TEXT NOT NULL,
  from_status TEXT NOT NULL,
  to_status TEXT NOT NULL,
  license_order_id TEXT,
  evidence_json TEXT,
  PRIMARY KEY (item, n)
) STRICT, WITHOUT ROWID;
`;
