/** Cells of imports that people corrected. Lines are added, and go with their import: none is ever changed. */
export const SQL = `
-- kind: correct, undo, redo; of_act: the act that an undo takes back, or a redo lets hold again.
CREATE TABLE correction_acts (
  import text COLLATE "C" NOT NULL,
  n integer NOT NULL,
  id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  of_act integer,
  who text NOT NULL,
  at bigint NOT NULL,
  PRIMARY KEY (import, n),
  UNIQUE (import, id)
);
CREATE TABLE correction_cells (
  import text COLLATE "C" NOT NULL,
  act integer NOT NULL,
  "row" bigint NOT NULL,
  col integer NOT NULL,
  header text NOT NULL,
  shown_before text NOT NULL,
  typed text NOT NULL,
  PRIMARY KEY (import, act, "row", col)
);
CREATE FUNCTION corrections_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'corrections are never changed'; END $$;
CREATE TRIGGER correction_acts_stay BEFORE UPDATE ON correction_acts
  FOR EACH STATEMENT EXECUTE FUNCTION corrections_stay();
CREATE TRIGGER correction_cells_stay BEFORE UPDATE ON correction_cells
  FOR EACH STATEMENT EXECUTE FUNCTION corrections_stay();
`;
