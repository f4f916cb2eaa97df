const ADMIN = "removed_at IS NULL AND ',' || roles || ',' LIKE '%,admin,%'";

/** True for an approved run, except its later steps, which are planned when they are reached. */
const APPROVED = (id: string): string =>
  `EXISTS (SELECT 1 FROM runs WHERE runs.id = (${id} >> 32) AND needs_approval <> 0 AND plan_hash IS NOT NULL AND kind = 'run' AND step IS NULL AND pruned_at IS NULL)`;
const REFUSED = "BEGIN SELECT RAISE(ABORT, 'approval.plan_sealed'); END;";

/** Columns that determine what is sent, with the column of the packed id. */
const SENT = [
  ['items', 'id', 'id, envelope, item_key, content'],
  ['item_rows', 'item', '"row", item'],
  ['batches', 'id', 'id, envelope'],
  ['batch_items', 'item', 'batch, item'],
] as const;

const SEALS = SENT.map(
  ([table, id, columns]) =>
    `CREATE TRIGGER ${table}_approved BEFORE UPDATE OF ${columns} ON ${table} WHEN ${APPROVED(`OLD.${id}`)} OR ${APPROVED(`NEW.${id}`)} ${REFUSED}`,
).join('\n');

/** The only settings of a run that may change when it is applied: how much of it is sent first. */
const SAID_LATER = "'$.canary', '$.plannedCanary'";

export const RUNS_APPROVED_SETTINGS = `CREATE TRIGGER runs_approved_settings BEFORE UPDATE OF settings_json, input_sha256, connection, scope, operation ON runs
WHEN OLD.kind = 'run' AND OLD.needs_approval <> 0 AND OLD.plan_hash IS NOT NULL AND OLD.step IS NULL AND NEW.pruned_at IS NULL
  AND (NEW.input_sha256 <> OLD.input_sha256 OR NEW.connection <> OLD.connection OR NEW.scope <> OLD.scope
    OR NEW.operation <> OLD.operation
    OR json_remove(NEW.settings_json, ${SAID_LATER}) <> json_remove(OLD.settings_json, ${SAID_LATER}))
${REFUSED}`;

/**
 * Approval policies of hosts, from settings under which something was planned for them; a row without a policy lifts them. Also
 * protects what an approved run sends from changes after it was applied.
 */
export const SQL = `
CREATE TABLE host_policies (
  n INTEGER PRIMARY KEY,
  host TEXT NOT NULL,
  policy_json TEXT,
  said_by TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE TRIGGER host_policies_lifted BEFORE INSERT ON host_policies
WHEN NEW.policy_json IS NULL AND NEW.said_by NOT LIKE 'os:%'
  AND EXISTS (SELECT 1 FROM people WHERE ${ADMIN}) AND NOT EXISTS (SELECT 1 FROM people WHERE ${ADMIN} AND name = NEW.said_by)
BEGIN SELECT RAISE(ABORT, 'approval.policy_admin'); END;
CREATE TRIGGER host_policies_unchanged BEFORE UPDATE ON host_policies
BEGIN SELECT RAISE(ABORT, 'approval.policy_kept'); END;
CREATE TRIGGER host_policies_kept BEFORE DELETE ON host_policies
BEGIN SELECT RAISE(ABORT, 'approval.policy_kept'); END;

${SEALS}
CREATE TRIGGER batch_items_added BEFORE INSERT ON batch_items WHEN ${APPROVED('NEW.item')} ${REFUSED}
${RUNS_APPROVED_SETTINGS}
`;
