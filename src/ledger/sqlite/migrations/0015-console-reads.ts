/** Stored totals of ended runs, so that a list need not count a million rows; and paused schedules. */
export const SQL = `
-- As counts_json, but only good for as long as nothing of the run changes.
ALTER TABLE runs ADD COLUMN sums_json TEXT;
CREATE TRIGGER sums_of_changed_run AFTER UPDATE OF kind, state ON runs
WHEN NEW.sums_json IS NOT NULL AND NEW.sums_json IS OLD.sums_json
  AND (NEW.kind <> OLD.kind OR NEW.state <> OLD.state)
BEGIN
  UPDATE runs SET sums_json = NULL WHERE id = NEW.id;
END;
-- An item that is settled later belongs to a run, or to a step of one.
CREATE TRIGGER sums_of_settled_run AFTER INSERT ON resolutions
BEGIN
  UPDATE runs SET sums_json = NULL WHERE id = NEW.item / 4294967296;
  UPDATE runs SET sums_json = NULL
  WHERE name = (SELECT parent FROM runs WHERE id = NEW.item / 4294967296 AND step IS NOT NULL);
END;

CREATE TABLE schedule_pauses (
  job TEXT PRIMARY KEY,
  paused_at INTEGER NOT NULL,
  who TEXT NOT NULL,
  -- When it went on.
  continued_at INTEGER
) STRICT, WITHOUT ROWID;
`;
