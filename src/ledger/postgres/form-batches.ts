import { idRange } from '../shared/ids.js';
import type { Database } from './database.js';
import { lastOfPiece, lookUp, PIECE } from './pieces.js';

const OTHER_ENVELOPE = `
SELECT 1 FROM envelopes WHERE id > $1::bigint AND id < $2::bigint AND digest <> (
  SELECT digest FROM envelopes WHERE id > $1::bigint AND id < $2::bigint ORDER BY id LIMIT 1) LIMIT 1`;

/** The last of the next items. */
const PIECE_END = `
SELECT max(id) AS last, count(*) AS items FROM (
  SELECT id FROM items WHERE id > $1::bigint AND id < $2::bigint ORDER BY id LIMIT $3::int) AS piece`;

/** Where any item may share a request with the one before it, or none does: the items as they stand, `size` by `size`. */
const IN_ORDER = `
WITH piece AS MATERIALIZED (
  SELECT id, envelope, row_number() OVER (ORDER BY id) - 1 AS at FROM items WHERE id > $1::bigint AND id <= $2::bigint
), formed AS (
  INSERT INTO batches (id, envelope)
  SELECT $3::bigint + at / $4::int, envelope FROM piece WHERE at % $4::int = 0 ORDER BY at RETURNING id
), filled AS (
  INSERT INTO batch_items (batch, item) SELECT $3::bigint + at / $4::int, id FROM piece ORDER BY at
)
SELECT count(*) AS batches FROM formed`;

const NTH_ITEM =
  'SELECT id FROM items WHERE id > $1::bigint AND id < $2::bigint ORDER BY id LIMIT 1 OFFSET $3::bigint';

/**
 * A part: all items with equal envelopes; those up to a place ($3) make parts of their own, which begin first. It is known
 * by its first item.
 */
const COUNT_PARTS = `
INSERT INTO plan_parts (run, digest, late, part, items, first_batch, placed)
SELECT $4::bigint, envelopes.digest, (items.id > $3::bigint)::int, min(items.id), count(*), 0, 0
FROM items ${lookUp('envelopes', 'envelopes.id = items.envelope')}
WHERE items.id > $1::bigint AND items.id <= $2::bigint
GROUP BY envelopes.digest, items.id > $3::bigint
ON CONFLICT (run, digest, late) DO UPDATE SET items = plan_parts.items + excluded.items`;

const LAST_PART = `
SELECT max(part) AS last FROM (
  SELECT part FROM plan_parts WHERE part > $1::bigint AND part < $2::bigint ORDER BY part LIMIT ${PIECE}) AS piece`;

/** What is known of parts is changed by their place in the index, however many there are. */
const OF_PART = 'ON CONFLICT (run, digest, late) DO UPDATE SET';

/** Batches are numbered from part to part: $4 is the last of the pieces before. */
const NUMBER_PARTS = `
WITH numbered AS MATERIALIZED (
  SELECT digest, late, part, items, (items + $5::int - 1) / $5::int AS batches,
    sum((items + $5::int - 1) / $5::int) OVER (ORDER BY part) AS upto
  FROM plan_parts WHERE part > $2::bigint AND part <= $3::bigint
), done AS (
  INSERT INTO plan_parts (run, digest, late, part, items, first_batch, placed)
  SELECT $1::bigint, digest, late, part, items, $4::bigint + upto - batches + 1, 0 FROM numbered
  ${OF_PART} first_batch = excluded.first_batch
)
SELECT $4::bigint + max(upto) AS batch FROM numbered`;

/** Puts a piece's items into batches. `placed`: how many items of a part the pieces before had. */
const PLACE_ITEMS = `
WITH placed AS MATERIALIZED (
  SELECT items.id, items.envelope, plan_parts.digest, plan_parts.late, plan_parts.part, plan_parts.first_batch,
    plan_parts.placed + row_number() OVER (PARTITION BY plan_parts.digest, plan_parts.late ORDER BY items.id) - 1 AS at
  FROM items ${lookUp('envelopes', 'envelopes.id = items.envelope')}
  ${lookUp(
    'plan_parts',
    `plan_parts.run = $4::bigint AND plan_parts.digest = envelopes.digest
    AND plan_parts.late = (items.id > $3::bigint)::int`,
  )}
  WHERE items.id > $1::bigint AND items.id <= $2::bigint
), formed AS (
  INSERT INTO batches (id, envelope)
  SELECT first_batch + at / $5::int, envelope FROM placed WHERE at % $5::int = 0 ORDER BY 1
), counted AS (
  INSERT INTO plan_parts (run, digest, late, part, items, first_batch, placed)
  SELECT $4::bigint, digest, late, part, 0, 0, count(*) FROM placed GROUP BY digest, late, part
  ${OF_PART} placed = plan_parts.placed + excluded.placed
)
INSERT INTO batch_items (batch, item) SELECT first_batch + at / $5::int, id FROM placed ORDER BY 1, 2`;

const FORGET = 'DELETE FROM plan_parts WHERE run = $1';

interface Formed {
  readonly batches: number;
  readonly items: number;
}

/** Fills the tables in pieces, each a transaction: no statement takes long, and memory stays flat here and there. */
export async function formBatches(db: Database, run: number, size: number, apart: number): Promise<Formed> {
  const { first, end } = idRange(run);
  const inOrder = size <= 1 || (apart === 0 && (await db.get(OTHER_ENVELOPE, [first, end])) === undefined);
  return inOrder ? formInOrder(db, run, Math.max(size, 1)) : formByEnvelope(db, run, size, apart);
}

async function formInOrder(db: Database, run: number, size: number): Promise<Formed> {
  const { first, end } = idRange(run);
  const limit = Math.max(1, Math.floor(PIECE / size)) * size;
  const formed = { batches: 0, items: 0 };
  for (let after = first; ; ) {
    const piece = await db.get<{ last: number | null; items: number }>(PIECE_END, [after, end, limit]);
    const last = piece?.last ?? undefined;
    if (!piece || last === undefined) return formed;
    // Ids of batches count from 1.
    const batch = first + formed.batches + 1;
    const made = await db.transaction((tx) =>
      tx.get<{ batches: number }>(IN_ORDER, [after, last, batch, size]),
    );
    formed.batches += made?.batches ?? 0;
    formed.items += piece.items;
    after = last;
  }
}

async function formByEnvelope(db: Database, run: number, size: number, apart: number): Promise<Formed> {
  const { first, end } = idRange(run);
  const nth = apart > 0 ? await db.get<{ id: number }>(NTH_ITEM, [first, end, apart - 1]) : undefined;
  // Where fewer items are than stand apart, none needs to.
  const late = nth?.id ?? first;
  const overItems = async (sql: string, ...more: number[]): Promise<number> => {
    let changed = 0;
    for (let after = first; ; ) {
      const last = await lastOfPiece(db, 'items', after, end);
      if (last === undefined) return changed;
      changed += await db.transaction((tx) => tx.run(sql, [after, last, late, run, ...more]));
      after = last;
    }
  };
  await db.transaction((tx) => tx.run(FORGET, [run]));
  await overItems(COUNT_PARTS);
  let batch = first;
  for (let after = first; ; ) {
    const last = (await db.get<{ last: number | null }>(LAST_PART, [after, end]))?.last;
    if (typeof last !== 'number') break;
    const values = [run, after, last, batch, size];
    batch = (await db.transaction((tx) => tx.get<{ batch: number }>(NUMBER_PARTS, values)))?.batch ?? batch;
    after = last;
  }
  const items = await overItems(PLACE_ITEMS, size);
  await db.transaction((tx) => tx.run(FORGET, [run]));
  return { batches: batch - first, items };
}
