import { type ComputedMigration, movesSql, platformsOf } from '../../store/platform-scopes.js';

/** On a server a key is claimed with its attempt, so all items with a key were tried. */
const STANDING = `
SELECT asked.item, 1 AS tried,
  coalesce(nullif(outcomes.status, 'not_sent'), asked.kept_json::json ->> 'status') AS status
FROM (SELECT item, max(kept_json) AS kept_json FROM several GROUP BY item) AS asked
LEFT JOIN outcomes ON outcomes.item = asked.item`;

const TRIGGERS = ['runs_sealed', 'runs_approved_settings'];
const switched = (to: 'DISABLE' | 'ENABLE'): string =>
  TRIGGERS.map((it) => `ALTER TABLE runs ${to} TRIGGER ${it};`).join(' ');

/** The platform replaces the connection's name and host as the scope; see `scopeOf`. */
export const PLATFORMS: ComputedMigration = {
  before: 'CREATE TEMP TABLE run_platforms (run bigint PRIMARY KEY, scope text COLLATE "C" NOT NULL)',
  read: "SELECT id AS run, connection, settings_json::json ->> 'connection' AS kept FROM runs",
  parameter: platformsOf,
  fill: `INSERT INTO run_platforms
    SELECT run, scope FROM json_to_recordset($1::json) AS it (run bigint, scope text)`,
  after: `
${switched('DISABLE')}
${movesSql({ standing: STANDING, run: (item) => `(${item} / 4294967296)`, contest: '' })}
${switched('ENABLE')}
`,
};
