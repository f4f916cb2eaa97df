import { idRange } from '../shared/ids.js';
import { pause } from '../shared/pages.js';
import type { Database } from './database.js';

const BATCHES_AT_ONCE = 10_000;

const TABLE = `
CREATE TEMP TABLE IF NOT EXISTS formed (
  run INTEGER NOT NULL,
  batch INTEGER NOT NULL,
  item INTEGER NOT NULL,
  envelope INTEGER NOT NULL,
  PRIMARY KEY (run, batch, item)
) WITHOUT ROWID`;

/** The last of the next items. */
const PIECE_END = `
SELECT max(id) AS last, count(*) AS items FROM (
  SELECT id FROM items WHERE id > :after AND id < :end ORDER BY id LIMIT :limit)`;

/** Where any item may share a request with the one before it, or none does: the items as they stand, `size` by `size`. */
const BATCHES_IN_ORDER = `
INSERT INTO batches (id, envelope)
SELECT :batch + at / :size, envelope FROM (
  SELECT row_number() OVER (ORDER BY id) - 1 AS at, envelope FROM items WHERE id > :after AND id <= :last)
WHERE at % :size = 0`;

const ITEMS_IN_ORDER = `
INSERT INTO batch_items (batch, item)
SELECT :batch + (row_number() OVER (ORDER BY id) - 1) / :size, id FROM items WHERE id > :after AND id <= :last`;

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

interface Formed {
  readonly batches: number;
  readonly items: number;
}

/** Fills the tables in pieces, each a transaction that doesn't wait for the disk: the plan is finished afterwards. */
export async function formBatches(db: Database, run: number, size: number, apart: number): Promise<Formed> {
  const { first, end } = idRange(run);
  const inOrder =
    size <= 1 || db.read(() => apart === 0 && db.allNamed(OTHER_ENVELOPE, { first, end }).length === 0);
  return inOrder ? formInOrder(db, run, Math.max(size, 1)) : formByEnvelope(db, run, size, apart);
}

async function formInOrder(db: Database, run: number, size: number): Promise<Formed> {
  const { first, end } = idRange(run);
  const limit = Math.max(1, Math.floor(BATCHES_AT_ONCE / size)) * size;
  const formed = { batches: 0, items: 0 };
  for (let after = first; ; ) {
    const piece = db.unsyncedWrite(() => {
      const found = db.allNamed<{ last: number | null; items: number }>(PIECE_END, { after, end, limit })[0]!;
      const { last } = found;
      if (last === null) return undefined;
      // Ids of batches count from 1.
      const batch = first + formed.batches + 1;
      const batches = db.runNamed(BATCHES_IN_ORDER, { batch, size, after, last });
      db.runNamed(ITEMS_IN_ORDER, { batch, size, after, last });
      return { last, items: found.items, batches };
    });
    if (piece === undefined) return formed;
    after = piece.last;
    formed.batches += piece.batches;
    formed.items += piece.items;
    await pause();
  }
}

/** Sorting is done by SQLite in its temporary files. */
async function formByEnvelope(db: Database, run: number, size: number, apart: number): Promise<Formed> {
  const { first, end } = idRange(run);
  try {
    const items = db.read(() => {
      db.exec(TABLE);
      const last = apart > 0 ? db.get<{ id: number }>(NTH_ITEM, first, end, apart - 1)?.id : undefined;
      return db.runNamed(FORM, { run, size, first, end, apart: last ?? first });
    });
    const sql = 'SELECT max(batch) AS n FROM temp.formed WHERE run = ?';
    const batches = db.read(() => db.get<{ n: number | null }>(sql, run)?.n ?? 0);
    for (let after = 0; after < batches; after += BATCHES_AT_ONCE) {
      const piece = { run, first, after, upto: after + BATCHES_AT_ONCE };
      db.unsyncedWrite(() => {
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
