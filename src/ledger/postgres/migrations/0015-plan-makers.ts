const WEEK_MS = 7 * 24 * 3_600_000;

const refuse = (code: string): string => `RAISE EXCEPTION 'approval.${code}' USING ERRCODE = '23000'`;

/**
 * Checks of new rows of `approvals`.
 * @param isOther whether the run, `it`, has another hash than the new row
 * @param of condition on the request that an approval or rejection follows
 */
export const approvalsFollow = (isOther: string, of = ''): string => `
CREATE OR REPLACE FUNCTION approvals_follow() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  it runs;
  makers text[];
  subjects text[];
BEGIN
  SELECT * INTO it FROM runs WHERE id = NEW.run;
  IF ${isOther} THEN ${refuse('other_hash')}; END IF;
  IF NEW.act = 'request' THEN RETURN NEW; END IF;
  -- A request that was not rejected since.
  IF NOT EXISTS (SELECT 1 FROM approvals AS asked WHERE asked.run = NEW.run AND asked.act = 'request'${of}
    AND NOT EXISTS (SELECT 1 FROM approvals AS no WHERE no.run = asked.run AND no.act = 'reject' AND no.n > asked.n))
  THEN ${refuse('not_requested')}; END IF;
  IF NEW.act <> 'approve' THEN RETURN NEW; END IF;
  IF it.made_by IS NULL THEN ${refuse('no_maker')}; END IF;
  -- Plans of before have no lines in the table.
  SELECT array_agg(who) || it.made_by, array_agg(subject) FILTER (WHERE subject IS NOT NULL) || it.made_by_subject
    INTO makers, subjects FROM plan_makers WHERE run = NEW.run;
  IF NEW.signer = ANY (makers) OR NEW.signer_subject = ANY (subjects)
    OR EXISTS (SELECT 1 FROM people WHERE name = NEW.signer AND subject = ANY (subjects))
    OR EXISTS (SELECT 1 FROM people WHERE name = ANY (makers) AND subject = NEW.signer_subject)
  THEN ${refuse('own_plan')}; END IF;
  IF EXISTS (SELECT 1 FROM audit AS given WHERE given.act IN ('people_add', 'people_token', 'people_confirm')
    AND given.act <> 'people_confirm' AND given.at > NEW.at - ${WEEK_MS} AND given.at <= NEW.at
    AND given.detail::json ->> 'name' = NEW.signer AND given.who = ANY (makers)
    AND NOT EXISTS (SELECT 1 FROM audit AS confirmed WHERE confirmed.act = 'people_confirm' AND confirmed.n > given.n
      AND confirmed.at <= NEW.at AND confirmed.detail::json ->> 'name' = NEW.signer
      AND confirmed.who <> NEW.signer AND confirmed.who <> ALL (makers)))
  THEN ${refuse('granted_by_maker')}; END IF;
  RETURN NEW;
END $$;
`;

/** The users who created a part of a plan. Neither they nor users to whom they gave access within a week may approve it. */
export const SQL = `
CREATE TABLE plan_makers (
  run bigint NOT NULL REFERENCES runs (id),
  who text COLLATE "C" NOT NULL,
  subject text COLLATE "C",
  did text COLLATE "C" NOT NULL,
  user_name text COLLATE "C",
  PRIMARY KEY (run, who, did)
);
CREATE TRIGGER plan_makers_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON plan_makers FOR EACH STATEMENT EXECUTE FUNCTION approvals_kept();

CREATE INDEX audit_of_people ON audit (at) WHERE act IN ('people_add', 'people_token', 'people_confirm');

ALTER TABLE uploads DROP CONSTRAINT uploads_pkey, ADD PRIMARY KEY (sha256, name, made_by);
${approvalsFollow('it.plan_hash IS DISTINCT FROM NEW.plan_hash')}`;
