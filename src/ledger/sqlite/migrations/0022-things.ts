/**
 * Which assets, customers and orders an item names: all of them with the item, as a JSON array of numbers (`thingNumber`), and
 * the assets in an index. kept_things: of pruned items that took effect. Runs of earlier versions have things_indexed = 0: their
 * items are added when the index is first used.
 */
export const SQL = `
ALTER TABLE items ADD COLUMN things TEXT;
CREATE TABLE things (
  thing INTEGER NOT NULL,
  item INTEGER NOT NULL,
  PRIMARY KEY (thing, item)
) STRICT, WITHOUT ROWID;
CREATE TABLE kept_things (
  item INTEGER PRIMARY KEY,
  things TEXT NOT NULL
) STRICT;
ALTER TABLE runs ADD COLUMN things_indexed INTEGER NOT NULL DEFAULT 0;
CREATE INDEX runs_without_things ON runs (id) WHERE things_indexed = 0;
`;
