import { type ComputedMigration, movesSql, platformsOf } from '../../store/platform-scopes.js';
import { RUNS_SEALED_SETTINGS } from './0014-approvals.js';
import { RUNS_APPROVED_SETTINGS } from './0016-host-policies.js';

const STANDING = `
SELECT asked.item, coalesce(nullif(outcomes.status, 'not_sent'), (
    SELECT line.value ->> 1 FROM batch_items JOIN attempts_ended ON attempts_ended.batch = batch_items.batch
      JOIN json_each(attempts_ended.outcomes_json) AS line
    WHERE batch_items.item = asked.item AND line.value ->> 0 = asked.item),
  asked.kept_json ->> '$.status') AS status,
  asked.kept_json IS NOT NULL OR EXISTS (SELECT 1 FROM batch_items WHERE batch_items.item = asked.item AND (
    EXISTS (SELECT 1 FROM attempts WHERE attempts.batch = batch_items.batch)
    OR EXISTS (SELECT 1 FROM attempts_begun WHERE attempts_begun.batch = batch_items.batch))) AS tried
FROM (SELECT item, max(kept_json) AS kept_json FROM several GROUP BY item) AS asked
LEFT JOIN outcomes ON outcomes.item = asked.item`;

/** The platform replaces the connection's name and host as the scope; see `scopeOf`. */
export const PLATFORMS: ComputedMigration = {
  before: 'CREATE TEMP TABLE run_platforms (run INTEGER PRIMARY KEY, scope TEXT NOT NULL)',
  read: "SELECT id AS run, connection, json_extract(settings_json, '$.connection') AS kept FROM runs",
  parameter: platformsOf,
  fill: "INSERT INTO run_platforms SELECT value ->> '$.run', value ->> '$.scope' FROM json_each(?)",
  after: `
DROP TRIGGER runs_sealed_settings;
DROP TRIGGER runs_approved_settings;
${movesSql({
  standing: STANDING,
  run: (item) => `${item} / 4294967296`,
  // Batches with a key that was only claimed, and may be lost here, must be checked in full before they are sent.
  contest: `INSERT INTO contested_batches (batch) SELECT DISTINCT batch FROM batch_items
    WHERE item IN (SELECT item FROM ranked WHERE strength = 1) ON CONFLICT (batch) DO NOTHING;`,
})}
${RUNS_SEALED_SETTINGS}
${RUNS_APPROVED_SETTINGS}
`,
};
