/** Cells of imports that people corrected. Lines are added, and go with their import: none is ever changed. */
export const SQL = `
-- kind: correct, undo, redo; of_act: the act that an undo takes back, or a redo lets hold again.
CREATE TABLE correction_acts (
  import TEXT NOT NULL,
  n INTEGER NOT NULL,
  id TEXT NOT NULL,
  kind TEXT NOT NULL,
  of_act INTEGER,
  who TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (import, n),
  UNIQUE (import, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE correction_cells (
  import TEXT NOT NULL,
  act INTEGER NOT NULL,
  "row" INTEGER NOT NULL,
  col INTEGER NOT NULL,
  header TEXT NOT NULL,
  shown_before TEXT NOT NULL,
  typed TEXT NOT NULL,
  PRIMARY KEY (import, act, "row", col)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER correction_acts_stay BEFORE UPDATE ON correction_acts
BEGIN SELECT RAISE(ABORT, 'corrections are never changed'); END;
CREATE TRIGGER correction_cells_stay BEFORE UPDATE ON correction_cells
BEGIN SELECT RAISE(ABORT, 'corrections are never changed'); END;
`;
