/**
 * Ids that a platform assigned to items, so that no id is accepted twice. owner: the number of a run, or minus the number of a
 * scope, for ids of new purchases and allocations of all its runs. item: the first item with the id.
 */
export const SQL = `
CREATE TABLE given_ids (
  owner INTEGER NOT NULL,
  id TEXT NOT NULL,
  item INTEGER NOT NULL,
  PRIMARY KEY (owner, id)
) STRICT, WITHOUT ROWID;

CREATE TEMP TABLE given_before AS
SELECT runs.id AS run, runs.scope, runs.operation, given.id, given.item FROM (
  SELECT item, 'order ' || license_order_id AS id FROM outcomes
    WHERE license_order_id IS NOT NULL AND status IN ('succeeded', 'accepted')
  UNION ALL
  SELECT line.value ->> 0, 'order ' || (line.value ->> 2) FROM attempts_ended, json_each(outcomes_json) AS line
    WHERE line.value ->> 2 IS NOT NULL AND line.value ->> 1 IN ('succeeded', 'accepted')
  UNION ALL
  SELECT item, 'order ' || (kept_json ->> '$.licenseOrderId') FROM item_keys
    WHERE kept_json ->> '$.licenseOrderId' IS NOT NULL AND kept_json ->> '$.status' IN ('succeeded', 'accepted')
  UNION ALL
  SELECT records.item, 'asset ' || (records.json ->> '$.assetNumber') FROM records
    JOIN runs ON runs.id = records.item / 4294967296 AND runs.operation = 'asset.numbers'
    WHERE records.json ->> '$.assetNumber' IS NOT NULL
  UNION ALL
  SELECT line.value ->> 0, 'asset ' || (line.value ->> 2 ->> '$.assetNumber')
    FROM attempts_ended, json_each(records_json) AS line WHERE line.value ->> 2 ->> '$.assetNumber' IS NOT NULL
) AS given JOIN runs ON runs.id = given.item / 4294967296
WHERE runs.operation LIKE 'order.%' OR runs.operation = 'asset.numbers'
ORDER BY given.item;

INSERT OR IGNORE INTO given_ids SELECT -scope, id, item FROM given_before
WHERE operation IN ('order.new_buy', 'asset.numbers');

-- Runs that may go on.
INSERT OR IGNORE INTO given_ids SELECT run, id, item FROM given_before
WHERE run IN (SELECT id FROM runs WHERE state <> 'completed');

DROP TABLE given_before;
`;
