/**
 * Ids that a platform assigned to items, so that no id is accepted twice. owner: the number of a run, or minus the number of a
 * scope, for ids of new purchases and allocations of all its runs. item: the first item with the id.
 */
export const SQL = `
CREATE TABLE given_ids (
  owner bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  item bigint NOT NULL,
  PRIMARY KEY (owner, id)
);

CREATE TEMP TABLE given_before ON COMMIT DROP AS
SELECT runs.id AS run, runs.scope, runs.operation, given.id, given.item FROM (
  SELECT item, 'order ' || license_order_id AS id FROM outcomes
    WHERE license_order_id IS NOT NULL AND status IN ('succeeded', 'accepted')
  UNION ALL
  SELECT item, 'order ' || (kept_json::json ->> 'licenseOrderId') FROM item_keys
    WHERE kept_json::json ->> 'licenseOrderId' IS NOT NULL
      AND kept_json::json ->> 'status' IN ('succeeded', 'accepted')
  UNION ALL
  SELECT records.item, 'asset ' || (records.json::json ->> 'assetNumber') FROM records
    JOIN runs ON runs.id = records.item / 4294967296 AND runs.operation = 'asset.numbers'
    WHERE records.json::json ->> 'assetNumber' IS NOT NULL
) AS given JOIN runs ON runs.id = given.item / 4294967296
WHERE runs.operation LIKE 'order.%' OR runs.operation = 'asset.numbers'
ORDER BY given.item;

INSERT INTO given_ids SELECT DISTINCT ON (scope, id) -scope, id, item FROM given_before
WHERE operation IN ('order.new_buy', 'asset.numbers') ORDER BY scope, id, item;

-- Runs that may go on.
INSERT INTO given_ids SELECT DISTINCT ON (run, id) run, id, item FROM given_before
WHERE run IN (SELECT id FROM runs WHERE state <> 'completed') ORDER BY run, id, item;
`;
