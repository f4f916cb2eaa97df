import type { Connection } from '../../model/connection.js';
import { scopeOf } from '../rules/scopes.js';

/** A migration that needs a value which SQL cannot compute: `fill` gets it as its parameter, JSON text. */
export interface ComputedMigration {
  readonly before: string;
  readonly read: string;
  readonly parameter: (lines: readonly never[]) => string;
  /** With the parameter; one statement. */
  readonly fill: string;
  readonly after: string;
}

export type Migration = string | ComputedMigration;

interface RunLine {
  readonly run: number;
  readonly connection: string;
  /** JSON of the connection in its settings; null once the run is pruned. */
  readonly kept: string | null;
}

/** The platform of each run whose connection is stored. Pruned runs have none stored and keep their scopes. */
export function platformsOf(lines: readonly RunLine[]): string {
  const found = lines.flatMap(({ run, connection, kept }) => {
    if (kept === null) return [];
    const stored = JSON.parse(kept) as Partial<Connection>;
    try {
      return [{ run, scope: scopeOf({ ...stored, name: connection, sandbox: stored.sandbox === true }) }];
    } catch {
      // Not a valid URL; no version of the program has stored such a value.
      return [];
    }
  });
  return JSON.stringify(found);
}

/** Precedence of an item for a key: items that certainly took effect first, then those that may have. */
const STRENGTH = `CASE status WHEN 'succeeded' THEN 5 WHEN 'accepted' THEN 4 WHEN 'unknown' THEN 3
  ELSE CASE WHEN status IS NOT NULL AND status <> 'not_sent' THEN 0 WHEN tried = 1 THEN 3 ELSE 1 END END`;

/**
 * Moves runs, keys and ids to the scopes of their platforms. `run_platforms(run, scope)` has the runs whose platform is known.
 * If a key was in several scopes of one platform, the item with the strongest outcome gets it. An item that may have taken
 * effect becomes its `prior_item` and gets the key when the first one releases it.
 */
export function movesSql(dialect: {
  /** The statuses and attempts of the items of `several`, as columns `item`, `status`, `tried`. */
  readonly standing: string;
  readonly run: (item: string) => string;
  readonly contest: string;
}): string {
  const { standing, run, contest } = dialect;
  const target = (item: string, scope: string): string =>
    `coalesce((SELECT runs_moved.scope FROM runs_moved WHERE runs_moved.run = ${run(item)}), ${scope})`;
  return `
INSERT INTO scopes (name) SELECT DISTINCT scope FROM run_platforms WHERE true ON CONFLICT (name) DO NOTHING;
CREATE TEMP TABLE runs_moved AS SELECT run_platforms.run, scopes.id AS scope
  FROM run_platforms JOIN scopes ON scopes.name = run_platforms.scope
  JOIN runs ON runs.id = run_platforms.run AND runs.scope <> scopes.id;
CREATE UNIQUE INDEX runs_moved_run ON runs_moved (run);

CREATE TEMP TABLE held AS
  SELECT scope AS former, ${target('item', 'scope')} AS scope, item_key, item, kept_json FROM item_keys
  UNION ALL
  SELECT scope, ${target('prior_item', 'scope')}, item_key, prior_item, prior_kept_json FROM item_keys
  WHERE prior_item IS NOT NULL;
CREATE INDEX held_key ON held (scope, item_key);
CREATE INDEX held_former ON held (former, item_key);

-- Keys that come together, and keys whose holders part.
CREATE TEMP TABLE several AS SELECT scope, item_key, former, item, kept_json FROM held
WHERE EXISTS (SELECT 1 FROM held AS other WHERE other.scope = held.scope AND other.item_key = held.item_key
    AND other.former <> held.former)
  OR EXISTS (SELECT 1 FROM held AS other WHERE other.former = held.former AND other.item_key = held.item_key
    AND other.scope <> held.scope);
INSERT INTO several SELECT DISTINCT held.scope, held.item_key, held.former, held.item, held.kept_json FROM held
  JOIN several ON several.former = held.former AND several.item_key = held.item_key
  WHERE NOT EXISTS (SELECT 1 FROM several AS there WHERE there.former = held.former AND there.item_key = held.item_key
    AND there.item = held.item);
CREATE TEMP TABLE ranked AS SELECT several.scope, several.item_key, several.item, several.kept_json,
  ${STRENGTH} AS strength
FROM (SELECT scope, item_key, item, max(kept_json) AS kept_json FROM several GROUP BY scope, item_key, item) AS several
  JOIN (${standing}) AS standing ON standing.item = several.item;
DELETE FROM item_keys WHERE EXISTS (SELECT 1 FROM several
  WHERE several.former = item_keys.scope AND several.item_key = item_keys.item_key);
${contest}
UPDATE item_keys SET scope = ${target('item', 'scope')} WHERE ${run('item')} IN (SELECT run FROM runs_moved);
INSERT INTO item_keys (scope, item_key, item, kept_json, prior_item, prior_kept_json)
SELECT best.scope, best.item_key, best.item, best.kept_json, runner.item, runner.kept_json
FROM (SELECT *, row_number() OVER (PARTITION BY scope, item_key ORDER BY strength DESC, item) AS n FROM ranked) AS best
LEFT JOIN (
  SELECT behind.*, row_number() OVER (PARTITION BY behind.scope, behind.item_key
    ORDER BY CASE behind.strength WHEN 3 THEN 0 ELSE 1 END, behind.strength DESC, behind.item) AS n
  FROM (SELECT *, row_number() OVER (PARTITION BY scope, item_key ORDER BY strength DESC, item) AS place FROM ranked) AS behind
  WHERE behind.place > 1 AND behind.strength >= 3
) AS runner ON runner.scope = best.scope AND runner.item_key = best.item_key AND runner.n = 1
WHERE best.n = 1;

CREATE TEMP TABLE ids_moved AS SELECT -(${target('item', '-owner')}) AS owner, id, min(item) AS item
  FROM given_ids WHERE owner < 0 GROUP BY 1, 2;
DELETE FROM given_ids WHERE owner < 0;
INSERT INTO given_ids (owner, id, item) SELECT owner, id, item FROM ids_moved;

UPDATE runs SET scope = (SELECT runs_moved.scope FROM runs_moved WHERE runs_moved.run = runs.id)
WHERE id IN (SELECT run FROM runs_moved);
DELETE FROM scopes WHERE NOT EXISTS (SELECT 1 FROM runs WHERE runs.scope = scopes.id)
  AND NOT EXISTS (SELECT 1 FROM item_keys WHERE item_keys.scope = scopes.id);
${['run_platforms', 'runs_moved', 'held', 'several', 'ranked', 'ids_moved'].map((it) => `DROP TABLE ${it};`).join('\n')}
`;
}
