import { approvalsFollow } from './0015-plan-makers.js';

/** Hashes that requests and approvals of a run may have: that of its plan, and those of its later steps. */
const IS_OTHER =
  'it.plan_hash IS DISTINCT FROM NEW.plan_hash AND NOT EXISTS (SELECT 1 FROM step_seals WHERE run = NEW.run AND plan_hash = NEW.plan_hash)';

const refuse = (code: string): string => `RAISE EXCEPTION 'approval.${code}' USING ERRCODE = '23000'`;

const redefined = (name: string, declare: string, body: string): string => `
CREATE OR REPLACE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
${declare}
BEGIN
${body}
END $$;`;

/**
 * Hashes of later steps of a run that require a separate approval, as planned with the results of earlier steps. The last one
 * applies. A run is applied once for each of them. step_shapes: a later step's items as shown by an approved plan.
 */
export const SQL = `
CREATE TABLE step_seals (
  run bigint NOT NULL REFERENCES runs (id),
  n integer NOT NULL,
  plan_hash text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  PRIMARY KEY (run, n)
);
CREATE TABLE step_shapes (
  run bigint NOT NULL,
  first_row bigint NOT NULL,
  n bigint NOT NULL,
  shape text COLLATE "C" NOT NULL,
  PRIMARY KEY (run, first_row, n)
);
ALTER TABLE plan_applications DROP CONSTRAINT plan_applications_pkey, ADD PRIMARY KEY (run, plan_hash);
${redefined(
  'step_seals_new',
  '',
  `  IF EXISTS (SELECT 1 FROM step_seals WHERE run = NEW.run AND (plan_hash = NEW.plan_hash OR n >= NEW.n))
    OR EXISTS (SELECT 1 FROM runs WHERE id = NEW.run AND plan_hash = NEW.plan_hash) THEN ${refuse('kept')}; END IF;
  RETURN NEW;`,
)}
${redefined(
  'step_shapes_kept',
  '',
  `  IF EXISTS (SELECT 1 FROM runs WHERE id = OLD.run AND pruned_at IS NULL) THEN ${refuse('kept')}; END IF;
  RETURN OLD;`,
)}
CREATE TRIGGER step_seals_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON step_seals FOR EACH STATEMENT EXECUTE FUNCTION approvals_kept();
CREATE TRIGGER step_seals_new BEFORE INSERT ON step_seals FOR EACH ROW EXECUTE FUNCTION step_seals_new();
CREATE TRIGGER step_shapes_unchanged BEFORE UPDATE OR TRUNCATE ON step_shapes FOR EACH STATEMENT EXECUTE FUNCTION approvals_kept();
CREATE TRIGGER step_shapes_kept BEFORE DELETE ON step_shapes FOR EACH ROW EXECUTE FUNCTION step_shapes_kept();
${approvalsFollow(IS_OTHER, ' AND asked.plan_hash = NEW.plan_hash')}
${redefined(
  'plan_applications_follow',
  'DECLARE\n  it runs;\n  holds_at bigint;',
  `  SELECT * INTO it FROM runs WHERE id = NEW.run;
  IF EXISTS (SELECT 1 FROM plan_applications WHERE run = NEW.run AND plan_hash = NEW.plan_hash)
  THEN ${refuse('applied')}; END IF;
  IF ${IS_OTHER} THEN ${refuse('other_hash')}; END IF;
  IF it.needs_approval = 0 AND it.plan_hash = NEW.plan_hash THEN RETURN NEW; END IF;
  -- While it is still a plan, an approval holds by the clock of now; of one that was applied long ago (a copy), by that of then.
  holds_at := CASE it.kind WHEN 'plan' THEN extract(epoch FROM clock_timestamp()) * 1000 ELSE NEW.at END;
  IF NOT EXISTS (SELECT 1 FROM approvals AS yes WHERE yes.run = NEW.run AND yes.act = 'approve'
    AND yes.plan_hash = NEW.plan_hash AND yes.expires_at > holds_at
    AND NOT EXISTS (SELECT 1 FROM approvals AS no WHERE no.run = yes.run AND no.act = 'reject' AND no.n > yes.n
      AND no.plan_hash = yes.plan_hash))
  THEN ${refuse('wanted')}; END IF;
  RETURN NEW;`,
)}
${redefined(
  'runs_applied',
  'DECLARE\n  whole runs;\n  sealed text;',
  `  -- A step is sent with the run that it belongs to.
  whole := NEW;
  IF NEW.step IS NOT NULL THEN SELECT * INTO whole FROM runs WHERE name = NEW.parent; END IF;
  sealed := (SELECT plan_hash FROM step_seals WHERE run = whole.id ORDER BY n DESC LIMIT 1);
  IF (NEW.needs_approval <> 0 OR sealed IS NOT NULL) AND NOT EXISTS (
    SELECT 1 FROM plan_applications WHERE run = whole.id AND plan_hash = coalesce(sealed, whole.plan_hash))
  THEN ${refuse('wanted')}; END IF;
  RETURN NEW;`,
)}
DROP TRIGGER runs_applied ON runs;
CREATE TRIGGER runs_applied BEFORE UPDATE OF kind, state ON runs FOR EACH ROW
  WHEN ((OLD.kind = 'plan' AND NEW.kind = 'run') OR NEW.state IN ('queued', 'executing'))
  EXECUTE FUNCTION runs_applied();
`;
