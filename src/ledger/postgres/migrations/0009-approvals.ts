/**
 * Approvals and applications of plans. Each refusal raises the code of a message (store/approvals.ts). A plan is sealed when its
 * hash is written: nothing of it may change until it is applied or pruned.
 */
const SEALED = "runs.kind = 'plan' AND runs.plan_hash IS NOT NULL AND runs.pruned_at IS NULL";

/** What an approved plan sends must not change after it was applied either, because a stopped run is resumed. */
const APPROVED = 'runs.needs_approval <> 0 AND runs.plan_hash IS NOT NULL AND runs.pruned_at IS NULL';

/** Tables of a plan with their column of packed ids, and the columns that determine what is sent. */
const PLANNED = [
  ['items', 'id', 'id, envelope, first_row, item_key, content'],
  ['bodies', 'item', 'item, json'],
  ['envelopes', 'id', 'id, json'],
  ['item_rows', 'item', '"row", item'],
  ['batches', 'id', 'id, envelope'],
  ['batch_items', 'item', 'batch, item'],
] as const;

/**
 * Additions are refused only in the tables of requests, without which nothing is sent. Checking the run for every row of the
 * other tables would slow down planning by a tenth.
 */
const ADDED = 'batch_items';

const SEALS = PLANNED.map(([table, id, columns]) =>
  [
    `CREATE TRIGGER ${table}_sealed BEFORE UPDATE OF ${columns} ON ${table} FOR EACH ROW EXECUTE FUNCTION plan_sealed_row('${id}');`,
    `CREATE TRIGGER ${table}_stay AFTER DELETE ON ${table} REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION plan_sealed('${id}');`,
    table === ADDED
      ? `CREATE TRIGGER ${table}_full AFTER INSERT ON ${table} REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION plan_sealed('${id}');`
      : '',
  ].join('\n'),
).join('\n');

const refuse = (code: string): string => `RAISE EXCEPTION 'approval.${code}' USING ERRCODE = '23000'`;

/** The functions keep the search path of their creation, because statements may be executed with another one. */
const trigger = (name: string, declare: string, body: string): string => `
CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
${declare}
BEGIN
${body}
END $$;`;

export const SQL = `
ALTER TABLE runs ADD COLUMN plan_hash text COLLATE "C", ADD COLUMN needs_approval smallint NOT NULL DEFAULT 0;

CREATE TABLE approvals (
  run bigint NOT NULL REFERENCES runs (id),
  n integer NOT NULL,
  act text COLLATE "C" NOT NULL CHECK (act IN ('request', 'approve', 'reject')),
  plan_hash text COLLATE "C" NOT NULL,
  signer text COLLATE "C" NOT NULL,
  signer_subject text COLLATE "C",
  comment text,
  at bigint NOT NULL,
  expires_at bigint CHECK ((expires_at IS NOT NULL) = (act = 'approve')),
  PRIMARY KEY (run, n)
);

CREATE TABLE plan_applications (
  run bigint PRIMARY KEY REFERENCES runs (id),
  plan_hash text COLLATE "C" NOT NULL,
  signer text COLLATE "C" NOT NULL,
  signer_subject text COLLATE "C",
  at bigint NOT NULL
);
${trigger(
  'approvals_follow',
  'DECLARE\n  it runs;',
  `  SELECT * INTO it FROM runs WHERE id = NEW.run;
  IF it.plan_hash IS DISTINCT FROM NEW.plan_hash THEN ${refuse('other_hash')}; END IF;
  IF NEW.act = 'request' THEN RETURN NEW; END IF;
  -- A request that wasn't rejected since.
  IF NOT EXISTS (SELECT 1 FROM approvals AS asked WHERE asked.run = NEW.run AND asked.act = 'request'
    AND NOT EXISTS (SELECT 1 FROM approvals AS no WHERE no.run = asked.run AND no.act = 'reject' AND no.n > asked.n))
  THEN ${refuse('not_requested')}; END IF;
  IF NEW.act <> 'approve' THEN RETURN NEW; END IF;
  IF it.made_by IS NULL THEN ${refuse('no_maker')}; END IF;
  IF it.made_by = NEW.signer OR it.made_by_subject = NEW.signer_subject
    OR EXISTS (SELECT 1 FROM people WHERE name = NEW.signer AND subject = it.made_by_subject)
    OR EXISTS (SELECT 1 FROM people WHERE name = it.made_by AND subject = NEW.signer_subject)
  THEN ${refuse('own_plan')}; END IF;
  RETURN NEW;`,
)}
${trigger(
  'plan_applications_follow',
  'DECLARE\n  it runs;\n  holds_at bigint;',
  `  SELECT * INTO it FROM runs WHERE id = NEW.run;
  IF EXISTS (SELECT 1 FROM plan_applications WHERE run = NEW.run) THEN ${refuse('applied')}; END IF;
  IF it.plan_hash IS DISTINCT FROM NEW.plan_hash THEN ${refuse('other_hash')}; END IF;
  IF it.needs_approval = 0 THEN RETURN NEW; END IF;
  -- While it is still a plan, an approval holds by the clock of now; of one that was applied long ago (a copy), by that of then.
  holds_at := CASE it.kind WHEN 'plan' THEN extract(epoch FROM clock_timestamp()) * 1000 ELSE NEW.at END;
  IF NOT EXISTS (SELECT 1 FROM approvals AS yes WHERE yes.run = NEW.run AND yes.act = 'approve'
    AND yes.plan_hash = NEW.plan_hash AND yes.expires_at > holds_at
    AND NOT EXISTS (SELECT 1 FROM approvals AS no WHERE no.run = yes.run AND no.act = 'reject' AND no.n > yes.n))
  THEN ${refuse('wanted')}; END IF;
  RETURN NEW;`,
)}
${trigger('approvals_kept', '', `  ${refuse('kept')};`)}
${trigger(
  'runs_applied',
  '',
  `  -- A step is sent with the run that it belongs to.
  IF NOT EXISTS (SELECT 1 FROM plan_applications WHERE run =
    CASE WHEN NEW.step IS NULL THEN NEW.id ELSE (SELECT whole.id FROM runs AS whole WHERE whole.name = NEW.parent) END)
  THEN ${refuse('wanted')}; END IF;
  RETURN NEW;`,
)}
${trigger('runs_sealed', '', `  ${refuse('plan_sealed')};`)}
${trigger(
  'plan_sealed_row',
  'DECLARE\n  sealed boolean;',
  `  EXECUTE format('SELECT EXISTS (SELECT 1 FROM runs WHERE id IN (($1).%1$I >> 32, ($2).%1$I >> 32) AND ${SEALED.replaceAll("'", "''")})', TG_ARGV[0])
    INTO sealed USING OLD, NEW;
  IF NOT sealed AND TG_TABLE_NAME IN ('bodies', 'envelopes') THEN
    EXECUTE format('SELECT EXISTS (SELECT 1 FROM runs WHERE id = ($1).%I >> 32 AND ${APPROVED})', TG_ARGV[0]) INTO sealed USING OLD;
  END IF;
  IF sealed THEN ${refuse('plan_sealed')}; END IF;
  RETURN NEW;`,
)}
${trigger(
  'plan_sealed',
  'DECLARE\n  sealed boolean;',
  `  EXECUTE format('SELECT EXISTS (SELECT 1 FROM runs WHERE id IN (SELECT DISTINCT %I >> 32 FROM changed) AND ${SEALED.replaceAll("'", "''")})', TG_ARGV[0])
    INTO sealed;
  IF sealed THEN ${refuse('plan_sealed')}; END IF;
  RETURN NULL;`,
)}
CREATE TRIGGER approvals_follow BEFORE INSERT ON approvals FOR EACH ROW EXECUTE FUNCTION approvals_follow();
CREATE TRIGGER approvals_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON approvals FOR EACH STATEMENT EXECUTE FUNCTION approvals_kept();
CREATE TRIGGER plan_applications_follow BEFORE INSERT ON plan_applications FOR EACH ROW EXECUTE FUNCTION plan_applications_follow();
CREATE TRIGGER plan_applications_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON plan_applications FOR EACH STATEMENT EXECUTE FUNCTION approvals_kept();
CREATE TRIGGER runs_applied BEFORE UPDATE OF kind, state ON runs FOR EACH ROW
  WHEN (NEW.needs_approval <> 0 AND ((OLD.kind = 'plan' AND NEW.kind = 'run') OR NEW.state IN ('queued', 'executing')))
  EXECUTE FUNCTION runs_applied();
CREATE TRIGGER runs_sealed BEFORE UPDATE ON runs FOR EACH ROW
  WHEN (OLD.plan_hash IS NOT NULL AND (
    NEW.plan_hash IS DISTINCT FROM OLD.plan_hash OR NEW.needs_approval <> OLD.needs_approval
    OR NEW.made_by IS DISTINCT FROM OLD.made_by OR NEW.made_by_subject IS DISTINCT FROM OLD.made_by_subject
    OR (OLD.kind = 'plan' AND NEW.pruned_at IS NULL AND (NEW.settings_json <> OLD.settings_json
      OR NEW.input_sha256 <> OLD.input_sha256 OR NEW.connection <> OLD.connection OR NEW.scope <> OLD.scope
      OR NEW.operation <> OLD.operation))))
  EXECUTE FUNCTION runs_sealed();
${SEALS}
`;
