/** Rows of plans that take back what items of other runs did. */
export const SQL = `
-- "row": of the run that takes back; undone: the item. kept_status: what had come of it when its run was pruned.
CREATE TABLE undoings (
  "row" INTEGER PRIMARY KEY,
  undone INTEGER NOT NULL,
  kept_status TEXT
) STRICT;
CREATE INDEX undoings_by_undone ON undoings (undone);
`;
