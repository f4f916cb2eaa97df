const WEEK_MS = 7 * 24 * 3_600_000;

/** A request that was not rejected since. */
const requested = (
  of: string,
): string => `EXISTS (SELECT 1 FROM approvals AS asked WHERE asked.run = NEW.run AND asked.act = 'request'${of}
    AND NOT EXISTS (SELECT 1 FROM approvals AS no WHERE no.run = asked.run AND no.act = 'reject' AND no.n > asked.n))`;

/** Older plans have no rows in the table. */
const MAKERS = `(SELECT who, subject FROM plan_makers WHERE run = NEW.run
    UNION SELECT made_by, made_by_subject FROM runs WHERE id = NEW.run)`;
const MAKER_NAMES = `(SELECT who FROM ${MAKERS})`;

/**
 * Checks of new rows of `approvals`.
 * @param isOther whether a row of the table `runs` has another hash than the new row
 * @param of condition on the request that an approval or rejection follows
 */
export const approvalsFollow = (isOther: string, of = ''): string => `
CREATE TRIGGER approvals_follow BEFORE INSERT ON approvals BEGIN
  SELECT RAISE(ABORT, 'approval.other_hash') FROM runs WHERE id = NEW.run AND ${isOther};
  SELECT RAISE(ABORT, 'approval.not_requested') WHERE NEW.act <> 'request' AND NOT ${requested(of)};
  SELECT RAISE(ABORT, 'approval.no_maker') FROM runs WHERE id = NEW.run AND NEW.act = 'approve' AND made_by IS NULL;
  SELECT RAISE(ABORT, 'approval.own_plan') FROM ${MAKERS} AS maker WHERE NEW.act = 'approve' AND (
    maker.who = NEW.signer OR maker.subject = NEW.signer_subject
    OR EXISTS (SELECT 1 FROM people WHERE name = NEW.signer AND subject = maker.subject)
    OR EXISTS (SELECT 1 FROM people WHERE name = maker.who AND subject = NEW.signer_subject));
  SELECT RAISE(ABORT, 'approval.granted_by_maker') FROM audit AS given WHERE NEW.act = 'approve'
    AND given.act IN ('people_add', 'people_token', 'people_confirm') AND given.act <> 'people_confirm'
    AND given.at > NEW.at - ${WEEK_MS} AND given.at <= NEW.at
    AND given.detail ->> '$.name' = NEW.signer AND given.who IN ${MAKER_NAMES}
    AND NOT EXISTS (SELECT 1 FROM audit AS confirmed WHERE confirmed.act = 'people_confirm' AND confirmed.n > given.n
      AND confirmed.at <= NEW.at AND confirmed.detail ->> '$.name' = NEW.signer
      AND confirmed.who <> NEW.signer AND confirmed.who NOT IN ${MAKER_NAMES});
END;
`;

/** The users who created a part of a plan. Neither they nor users to whom they gave access within a week may approve it. */
export const SQL = `
CREATE TABLE plan_makers (
  run INTEGER NOT NULL REFERENCES runs (id),
  who TEXT NOT NULL,
  subject TEXT,
  did TEXT NOT NULL,
  user_name TEXT,
  PRIMARY KEY (run, who, did)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER plan_makers_unchanged BEFORE UPDATE ON plan_makers BEGIN SELECT RAISE(ABORT, 'approval.kept'); END;
CREATE TRIGGER plan_makers_kept BEFORE DELETE ON plan_makers BEGIN SELECT RAISE(ABORT, 'approval.kept'); END;

CREATE INDEX audit_of_people ON audit (at) WHERE act IN ('people_add', 'people_token', 'people_confirm');

ALTER TABLE uploads RENAME TO former_uploads;
CREATE TABLE uploads (
  sha256 TEXT NOT NULL,
  name TEXT NOT NULL,
  made_by TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (sha256, name, made_by)
) STRICT, WITHOUT ROWID;
INSERT INTO uploads SELECT sha256, name, made_by, at FROM former_uploads;
DROP TABLE former_uploads;

DROP TRIGGER IF EXISTS approvals_follow;${approvalsFollow('plan_hash IS NOT NEW.plan_hash')}`;
