/**
 * Which assets, customers and orders an item names: all of them with the item, as a JSON array of numbers (`thingNumber`), and
 * the assets in an index. kept_things: of pruned items that took effect. Runs of earlier versions have things_indexed = 0: their
 * items are added when the index is first used.
 */
export const SQL = `
ALTER TABLE items ADD COLUMN things text COLLATE "C";
CREATE TABLE things (
  thing bigint NOT NULL,
  item bigint NOT NULL,
  PRIMARY KEY (thing, item)
);
CREATE TABLE kept_things (
  item bigint PRIMARY KEY,
  things text COLLATE "C" NOT NULL
);
ALTER TABLE runs ADD COLUMN things_indexed smallint NOT NULL DEFAULT 0;
CREATE INDEX runs_without_things ON runs (id) WHERE things_indexed = 0;
`;
