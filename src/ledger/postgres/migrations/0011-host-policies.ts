const ADMIN = "removed_at IS NULL AND 'admin' = ANY (string_to_array(roles, ','))";

/** True for an approved run, except its later steps, which are planned when they are reached. */
const APPROVED =
  "runs.needs_approval <> 0 AND runs.plan_hash IS NOT NULL AND runs.kind = 'run' AND runs.step IS NULL AND runs.pruned_at IS NULL";

/** Columns that determine what is sent, with the column of the packed id. */
const SENT = [
  ['items', 'id', 'id, envelope, item_key, content'],
  ['item_rows', 'item', '"row", item'],
  ['batches', 'id', 'id, envelope'],
  ['batch_items', 'item', 'batch, item'],
] as const;

const SEALS = SENT.map(
  ([table, id, columns]) =>
    `CREATE TRIGGER ${table}_approved BEFORE UPDATE OF ${columns} ON ${table} FOR EACH ROW EXECUTE FUNCTION approved_row('${id}');`,
).join('\n');

const REFUSED = "RAISE EXCEPTION 'approval.plan_sealed' USING ERRCODE = '23000'";

/**
 * Approval policies of hosts, from settings under which something was planned for them; a row without a policy lifts them. Also
 * protects what an approved run sends from changes after it was applied.
 */
export const SQL = `
CREATE TABLE host_policies (
  n integer PRIMARY KEY,
  host text COLLATE "C" NOT NULL,
  policy_json text,
  said_by text COLLATE "C" NOT NULL,
  at bigint NOT NULL
);
CREATE FUNCTION host_policies_lifted() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM people WHERE ${ADMIN})
    AND NOT EXISTS (SELECT 1 FROM people WHERE ${ADMIN} AND name = NEW.said_by)
  THEN RAISE EXCEPTION 'approval.policy_admin' USING ERRCODE = '23000'; END IF;
  RETURN NEW;
END $$;
CREATE FUNCTION host_policies_kept() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  RAISE EXCEPTION 'approval.policy_kept' USING ERRCODE = '23000';
END $$;
CREATE TRIGGER host_policies_lifted BEFORE INSERT ON host_policies FOR EACH ROW WHEN (NEW.policy_json IS NULL)
  EXECUTE FUNCTION host_policies_lifted();
CREATE TRIGGER host_policies_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON host_policies FOR EACH STATEMENT
  EXECUTE FUNCTION host_policies_kept();

CREATE FUNCTION approved_row() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  sealed boolean;
BEGIN
  EXECUTE format('SELECT EXISTS (SELECT 1 FROM runs WHERE id IN (($1).%1$I >> 32, ($2).%1$I >> 32) AND ${APPROVED.replaceAll("'", "''")})', TG_ARGV[0])
    INTO sealed USING OLD, NEW;
  IF sealed THEN ${REFUSED}; END IF;
  RETURN NEW;
END $$;
CREATE FUNCTION approved_added() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM runs WHERE id IN (SELECT DISTINCT item >> 32 FROM changed) AND ${APPROVED}) THEN ${REFUSED}; END IF;
  RETURN NULL;
END $$;
-- What may be said of a run when it is applied: how much of it is sent first.
CREATE FUNCTION approved_settings() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF NEW.input_sha256 <> OLD.input_sha256 OR NEW.connection <> OLD.connection OR NEW.scope <> OLD.scope
    OR NEW.operation <> OLD.operation
    OR NEW.settings_json::jsonb - 'canary' - 'plannedCanary' <> OLD.settings_json::jsonb - 'canary' - 'plannedCanary'
  THEN ${REFUSED}; END IF;
  RETURN NEW;
END $$;
${SEALS}
CREATE TRIGGER batch_items_added AFTER INSERT ON batch_items REFERENCING NEW TABLE AS changed FOR EACH STATEMENT
  EXECUTE FUNCTION approved_added();
CREATE TRIGGER runs_approved_settings BEFORE UPDATE OF settings_json, input_sha256, connection, scope, operation ON runs
  FOR EACH ROW WHEN (OLD.kind = 'run' AND OLD.needs_approval <> 0 AND OLD.plan_hash IS NOT NULL AND OLD.step IS NULL
    AND NEW.pruned_at IS NULL) EXECUTE FUNCTION approved_settings();
`;
