/** Rows of plans that take back what items of other runs did. */
export const SQL = `
-- "row": of the run that takes back; undone: the item. kept_status: what had come of it when its run was pruned.
CREATE TABLE undoings (
  "row" bigint PRIMARY KEY,
  undone bigint NOT NULL,
  kept_status text COLLATE "C"
);
CREATE INDEX undoings_by_undone ON undoings (undone);
`;
