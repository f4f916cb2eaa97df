/** Stored totals of ended runs, so that a list need not count a million rows; and paused schedules. */
export const SQL = `
-- As counts_json, but only good for as long as nothing of the run changes.
ALTER TABLE runs ADD COLUMN sums_json text;
CREATE FUNCTION sums_of_changed_run() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.sums_json := NULL;
  RETURN NEW;
END $$;
CREATE TRIGGER sums_of_changed_run BEFORE UPDATE OF kind, state ON runs FOR EACH ROW
WHEN (NEW.sums_json IS NOT NULL AND NEW.sums_json IS NOT DISTINCT FROM OLD.sums_json
  AND (NEW.kind <> OLD.kind OR NEW.state <> OLD.state))
EXECUTE FUNCTION sums_of_changed_run();
-- An item that is settled later belongs to a run, or to a step of one.
CREATE FUNCTION sums_of_settled_run() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('UPDATE %1$I.runs SET sums_json = NULL WHERE sums_json IS NOT NULL AND (id = $1
    OR name = (SELECT parent FROM %1$I.runs WHERE id = $1 AND step IS NOT NULL))', TG_TABLE_SCHEMA)
    USING NEW.item / 4294967296;
  RETURN NULL;
END $$;
CREATE TRIGGER sums_of_settled_run AFTER INSERT ON resolutions FOR EACH ROW EXECUTE FUNCTION sums_of_settled_run();

CREATE TABLE schedule_pauses (
  job text COLLATE "C" PRIMARY KEY,
  paused_at bigint NOT NULL,
  who text NOT NULL,
  -- When it went on.
  continued_at bigint
);
`;
