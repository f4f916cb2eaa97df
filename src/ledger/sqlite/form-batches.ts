import type { Database } from './database.js';
import { idRange } from './ids.js';
import { pause } from './pages.js';

const BATCHES_AT_ONCE = 10_000;

const TABLE = `
CREATE TEMP TABLE IF NOT EXISTS formed (
  run INTEGER NOT NULL,
  batch INTEGER NOT NULL,
  item INTEGER NOT NULL,
  envelope INTEGER NOT NULL,
  PRIMARY KEY (run, batch, item)
) WITHOUT ROWID`;

/** Where any item may share a request with the one before it, or none does: no need to sort them by their envelopes. */
const FORM_IN_ORDER = `
INSERT INTO temp.formed (run, batch, item, envelope)
SELECT :run, (row_number() OVER (ORDER BY id) - 1) / :size + 1, id, envelope FROM items
WHERE id > :first AND id < :end`;

const OTHER_ENVELOPE = `
SELECT 1 FROM envelopes WHERE id > :first AND id < :end AND digest <> (
  SELECT digest FROM envelopes WHERE id > :first AND id < :end ORDER BY id LIMIT 1) LIMIT 1`;

/**
 * `part`: the first item with an equal envelope. Batches are numbered by counting where each begins: at every
 * `size`-th item of a part. Items up to `:apart` make parts of their own; as theirs begin first, they come first.
 */
const FORM = `
INSERT INTO temp.formed (run, batch, item, envelope)
SELECT :run, sum(begins) OVER (ORDER BY part, id ROWS UNBOUNDED PRECEDING), id, envelope FROM (
  SELECT id, envelope, part, (row_number() OVER (PARTITION BY part ORDER BY id) - 1) % :size = 0 AS begins FROM (
    SELECT items.id, items.envelope, min(items.id) OVER (PARTITION BY envelopes.digest, items.id > :apart) AS part
    FROM items JOIN envelopes ON envelopes.id = items.envelope WHERE items.id > :first AND items.id < :end))`;

const KEEP_BATCHES = `
INSERT INTO batches (id, envelope)
SELECT :first + batch, min(envelope) FROM temp.formed WHERE run = :run AND batch > :after AND batch <= :upto
GROUP BY batch ORDER BY batch`;

const KEEP_ITEMS = `
INSERT INTO batch_items (batch, item)
SELECT :first + batch, item FROM temp.formed WHERE run = :run AND batch > :after AND batch <= :upto
ORDER BY batch, item`;

const NTH_ITEM = 'SELECT id FROM items WHERE id > ? AND id < ? ORDER BY id LIMIT 1 OFFSET ?';

/** Sorting is done by SQLite in its temporary files; the tables are filled in pieces, each a transaction. */
export async function formBatches(
  db: Database,
  run: number,
  size: number,
  apart: number,
): Promise<{ readonly batches: number; readonly items: number }> {
  const { first, end } = idRange(run);
  try {
    const items = db.read(() => {
      db.exec(TABLE);
      const inOrder = size <= 1 || (apart === 0 && db.allNamed(OTHER_ENVELOPE, { first, end }).length === 0);
      if (inOrder) return db.runNamed(FORM_IN_ORDER, { run, size: Math.max(size, 1), first, end });
      const last = apart > 0 ? db.get<{ id: number }>(NTH_ITEM, first, end, apart - 1)?.id : undefined;
      return db.runNamed(FORM, { run, size, first, end, apart: last ?? first });
    });
    const sql = 'SELECT max(batch) AS n FROM temp.formed WHERE run = ?';
    const batches = db.read(() => db.get<{ n: number | null }>(sql, run)?.n ?? 0);
    for (let after = 0; after < batches; after += BATCHES_AT_ONCE) {
      const piece = { run, first, after, upto: after + BATCHES_AT_ONCE };
      db.write(() => {
        db.runNamed(KEEP_BATCHES, piece);
        db.runNamed(KEEP_ITEMS, piece);
      });
      await pause();
    }
    return { batches, items };
  } finally {
    db.read(() => db.run('DELETE FROM temp.formed WHERE run = ?', run));
  }
}
