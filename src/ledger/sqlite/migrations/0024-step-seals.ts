import { approvalsFollow } from './0020-plan-makers.js';

/** Hashes that requests and approvals of a run may have: that of its plan, and those of its later steps. */
const isOther = (run: string): string =>
  `${run}.plan_hash IS NOT NEW.plan_hash AND NOT EXISTS (SELECT 1 FROM step_seals WHERE run = NEW.run AND plan_hash = NEW.plan_hash)`;

/** The hash that must be approved now. */
const hashOf = (run: string): string =>
  `coalesce((SELECT plan_hash FROM step_seals WHERE run = ${run}.id ORDER BY n DESC LIMIT 1), ${run}.plan_hash)`;

const NOW = "CAST(unixepoch('subsec') * 1000 AS INTEGER)";
const KEPT = "BEGIN SELECT RAISE(ABORT, 'approval.kept'); END;";

/**
 * Hashes of later steps of a run that require a separate approval, as planned with the results of earlier steps. The last one
 * applies. A run is applied once for each of them. step_shapes: a later step's items as shown by an approved plan.
 */
export const SQL = `
CREATE TABLE step_seals (
  run INTEGER NOT NULL REFERENCES runs (id),
  n INTEGER NOT NULL,
  plan_hash TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (run, n)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER step_seals_unchanged BEFORE UPDATE ON step_seals ${KEPT}
CREATE TRIGGER step_seals_kept BEFORE DELETE ON step_seals ${KEPT}
CREATE TRIGGER step_seals_new BEFORE INSERT ON step_seals
WHEN EXISTS (SELECT 1 FROM step_seals WHERE run = NEW.run AND (plan_hash = NEW.plan_hash OR n >= NEW.n))
  OR EXISTS (SELECT 1 FROM runs WHERE id = NEW.run AND plan_hash IS NEW.plan_hash) ${KEPT}

CREATE TABLE step_shapes (
  run INTEGER NOT NULL,
  first_row INTEGER NOT NULL,
  n INTEGER NOT NULL,
  shape TEXT NOT NULL,
  PRIMARY KEY (run, first_row, n)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER step_shapes_unchanged BEFORE UPDATE ON step_shapes ${KEPT}
CREATE TRIGGER step_shapes_kept BEFORE DELETE ON step_shapes
WHEN EXISTS (SELECT 1 FROM runs WHERE id = OLD.run AND pruned_at IS NULL) ${KEPT}

DROP TRIGGER IF EXISTS approvals_follow;${approvalsFollow(isOther('runs'), ' AND asked.plan_hash = NEW.plan_hash')}
DROP TRIGGER IF EXISTS runs_applied;
ALTER TABLE plan_applications RENAME TO former_applications;
CREATE TABLE plan_applications (
  run INTEGER NOT NULL REFERENCES runs (id),
  plan_hash TEXT NOT NULL,
  signer TEXT NOT NULL,
  signer_subject TEXT,
  at INTEGER NOT NULL,
  PRIMARY KEY (run, plan_hash)
) STRICT, WITHOUT ROWID;
INSERT INTO plan_applications SELECT run, plan_hash, signer, signer_subject, at FROM former_applications;
DROP TABLE former_applications;

-- While it is still a plan, an approval holds by the clock of now; of one that was applied long ago (a copy), by that of then.
CREATE TRIGGER plan_applications_follow BEFORE INSERT ON plan_applications BEGIN
  SELECT RAISE(ABORT, 'approval.applied') WHERE EXISTS (
    SELECT 1 FROM plan_applications WHERE run = NEW.run AND plan_hash = NEW.plan_hash);
  SELECT RAISE(ABORT, 'approval.other_hash') FROM runs WHERE id = NEW.run AND ${isOther('runs')};
  SELECT RAISE(ABORT, 'approval.wanted') FROM runs
  WHERE id = NEW.run AND (needs_approval <> 0 OR plan_hash IS NOT NEW.plan_hash) AND NOT EXISTS (
    SELECT 1 FROM approvals AS yes WHERE yes.run = NEW.run AND yes.act = 'approve' AND yes.plan_hash = NEW.plan_hash
    AND yes.expires_at > CASE runs.kind WHEN 'plan' THEN ${NOW} ELSE NEW.at END
    AND NOT EXISTS (SELECT 1 FROM approvals AS no WHERE no.run = yes.run AND no.act = 'reject' AND no.n > yes.n
      AND no.plan_hash = yes.plan_hash));
END;
CREATE TRIGGER plan_applications_unchanged BEFORE UPDATE ON plan_applications ${KEPT}
CREATE TRIGGER plan_applications_kept BEFORE DELETE ON plan_applications ${KEPT}

-- A step is sent with the run that it belongs to.
CREATE TRIGGER runs_applied BEFORE UPDATE OF kind, state ON runs
WHEN (OLD.kind = 'plan' AND NEW.kind = 'run') OR NEW.state IN ('queued', 'executing')
BEGIN
  SELECT RAISE(ABORT, 'approval.wanted') FROM runs AS whole
  WHERE whole.id = CASE WHEN NEW.step IS NULL THEN NEW.id ELSE (SELECT id FROM runs WHERE name = NEW.parent) END
    AND (NEW.needs_approval <> 0 OR EXISTS (SELECT 1 FROM step_seals WHERE run = whole.id))
    AND NOT EXISTS (SELECT 1 FROM plan_applications AS done WHERE done.run = whole.id AND done.plan_hash = ${hashOf('whole')});
END;
`;
