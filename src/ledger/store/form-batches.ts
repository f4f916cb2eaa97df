import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import { CHUNK, chunksOf, pause } from './chunks.js';
import type { Dialect } from './dialect.js';
import { idRange } from './ids.js';
import type { StoreRunner } from './runner.js';
import { execute, fileOnly, query, queryOne, type Store } from './statement.js';

/** The number of batches of a plan, and of items in them. */
export interface FormedBatches {
  readonly batches: number;
  readonly items: number;
}

const OTHER_ENVELOPE = `
SELECT 1 FROM envelopes WHERE id > $1 AND id < $2 AND digest <> (
  SELECT digest FROM envelopes WHERE id > $1 AND id < $2 ORDER BY id LIMIT 1) LIMIT 1`;

/** The last item of the next chunk. */
const CHUNK_END = `
SELECT max(id) AS last FROM (
  SELECT id FROM items WHERE id > $1 AND id < $2 ORDER BY id LIMIT $3) AS chunk`;

const COUNT_ITEMS = 'SELECT count(*) AS items FROM items WHERE id > $1 AND id < $2';

const SIZE = 'CAST($4 AS int)';
const BATCH = `CAST($3 AS bigint) + at / ${SIZE}`;
const IN_ORDER = `
SELECT id, envelope, row_number() OVER (ORDER BY id) - 1 AS at FROM items WHERE id > $1 AND id <= $2`;

/** Batches of `size` consecutive items, if all items are in one part or each is in a separate one. */
const BATCHES_IN_ORDER = `
INSERT INTO batches (id, envelope) SELECT ${BATCH}, envelope FROM (${IN_ORDER}) AS numbered WHERE at % ${SIZE} = 0`;

const ITEMS_IN_ORDER = `
INSERT INTO batch_items (batch, item) SELECT ${BATCH}, id FROM (${IN_ORDER}) AS numbered`;

const NTH_ITEM = 'SELECT id FROM items WHERE id > $1 AND id < $2 ORDER BY id LIMIT 1 OFFSET $3';

/**
 * Parts of a plan: items with equal envelopes, with canary items separate from later ones. `part`: the first item; `items`:
 * their number; `first_batch`: the id of the first batch; `placed`: number of items with a batch. Permanent table on a server.
 */
const CREATE_PARTS = [
  `CREATE TEMP TABLE IF NOT EXISTS plan_parts (
  run INTEGER NOT NULL,
  digest BLOB NOT NULL,
  late INTEGER NOT NULL,
  part INTEGER NOT NULL,
  items INTEGER NOT NULL,
  first_batch INTEGER NOT NULL,
  placed INTEGER NOT NULL,
  PRIMARY KEY (run, digest, late)
) WITHOUT ROWID`,
  'CREATE INDEX IF NOT EXISTS temp.plan_parts_by_part ON plan_parts (part)',
];

const FORGET_PARTS = 'DELETE FROM plan_parts WHERE run = $1';

/** $1, $2: items of a chunk; $3: the last canary item; $4: the run. */
const IS_LATE = 'CASE WHEN items.id > $3 THEN 1 ELSE 0 END';

/** Updates parts through an upsert, which uses the index for any number of parts. */
const upsertParts = (values: string, set: string): string => `
INSERT INTO plan_parts (run, digest, late, part, items, first_batch, placed)
${values}
ON CONFLICT (run, digest, late) DO UPDATE SET ${set}`;

const countItems = (dialect: Dialect, column: 'items' | 'placed'): string => {
  const count = (of: string): string => (of === column ? 'count(*)' : '0');
  return upsertParts(
    `SELECT CAST($4 AS bigint), envelopes.digest, ${IS_LATE}, min(items.id), ${count('items')}, 0, ${count('placed')}
FROM items ${dialect.join('envelopes', 'envelopes.id = items.envelope')}
WHERE items.id > $1 AND items.id <= $2 GROUP BY envelopes.digest, 3`,
    `${column} = plan_parts.${column} + excluded.${column}`,
  );
};

const COUNT_PARTS = (dialect: Dialect) => countItems(dialect, 'items');
const COUNT_PLACED = (dialect: Dialect) => countItems(dialect, 'placed');

const LAST_PART = `
SELECT max(part) AS last FROM (
  SELECT part FROM plan_parts WHERE part > $1 AND part < $2 ORDER BY part LIMIT ${CHUNK}) AS chunk`;

const BATCHES_OF_PART = '(items + CAST($3 AS int) - 1) / CAST($3 AS int)';

const COUNT_BATCHES = `
SELECT sum(${BATCHES_OF_PART}) AS batches FROM plan_parts WHERE part > $1 AND part <= $2`;

/** Batches are numbered across parts: $4 is the last batch of the previous chunks. */
const NUMBER_PARTS = upsertParts(
  `SELECT run, digest, late, part, items, CAST($4 AS bigint) + upto - batches + 1, 0 FROM (
  SELECT run, digest, late, part, items, ${BATCHES_OF_PART} AS batches, sum(${BATCHES_OF_PART}) OVER (ORDER BY part) AS upto
  FROM plan_parts WHERE part > $1 AND part <= $2) AS numbered WHERE true`,
  'first_batch = excluded.first_batch',
);

/** The items of a chunk, each with the first batch of its part and its position in the part. $5: the size. */
const placedSql = (dialect: Dialect): string => `
SELECT items.id, items.envelope, plan_parts.first_batch,
  plan_parts.placed + row_number() OVER (PARTITION BY plan_parts.digest, plan_parts.late ORDER BY items.id) - 1 AS at
FROM items ${dialect.join('envelopes', 'envelopes.id = items.envelope')}
${dialect.join(
  'plan_parts',
  `plan_parts.run = $4 AND plan_parts.digest = envelopes.digest AND plan_parts.late = ${IS_LATE}`,
)}
WHERE items.id > $1 AND items.id <= $2`;

const PLACE_BATCHES = (dialect: Dialect) => `
INSERT INTO batches (id, envelope)
SELECT first_batch + at / CAST($5 AS int), envelope FROM (${placedSql(dialect)}) AS placed WHERE at % CAST($5 AS int) = 0
ORDER BY 1`;

const PLACE_ITEMS = (dialect: Dialect) => `
INSERT INTO batch_items (batch, item)
SELECT first_batch + at / CAST($5 AS int), id FROM (${placedSql(dialect)}) AS placed ORDER BY 1, 2`;

/**
 * Fills the tables in chunks, each a transaction that doesn't wait for the disk, because the plan is finished afterwards. No
 * statement takes long, and memory is bounded.
 * @throws ProductError internal if not every item is in a batch
 */
export async function formBatches(
  db: StoreRunner,
  run: string,
  size: number,
  canaryItems: number,
): Promise<FormedBatches> {
  const { number } = await db.read(() => db.runs.of(run));
  const { first, end } = idRange(number);
  const differs = () => db.read(() => query(OTHER_ENVELOPE, first, end));
  const isInOrder = size <= 1 || (canaryItems === 0 && (await differs()).length === 0);
  const formed = isInOrder
    ? await formInOrder(db, run, { first, end, size: Math.max(size, 1) })
    : await formByEnvelope(db, run, { number, size, canaryItems });
  const { items } = (await db.read(() => queryOne<{ items: number }>(COUNT_ITEMS, first, end)))!;
  if (formed.items === items) return formed;
  throw new ProductError(
    'internal',
    message('ledger.items_without_batch', { run, items, placed: formed.items }),
  );
}

async function formInOrder(
  db: StoreRunner,
  run: string,
  { first, end, size }: Readonly<Record<'first' | 'end' | 'size', number>>,
): Promise<FormedBatches> {
  const limit = Math.max(1, Math.floor(CHUNK / size)) * size;
  const formed = { batches: 0, items: 0 };
  for (let after = first; ; ) {
    const chunk = await db.read(() => queryOne<{ last: number | null }>(CHUNK_END, after, end, limit));
    const last = chunk?.last ?? undefined;
    if (last === undefined) return formed;
    // Batches are numbered from 1.
    const values = [after, last, first + formed.batches + 1, size];
    const fill = function* (): Store<FormedBatches> {
      const batches = yield* execute(BATCHES_IN_ORDER, ...values);
      return { batches, items: yield* execute(ITEMS_IN_ORDER, ...values) };
    };
    const { batches, items } = await db.writeRun(run, fill, 'unsynced');
    formed.batches += batches;
    formed.items += items;
    after = last;
    await pause();
  }
}

async function formByEnvelope(
  db: StoreRunner,
  run: string,
  { number, size, canaryItems }: Readonly<Record<'number' | 'size' | 'canaryItems', number>>,
): Promise<FormedBatches> {
  const { first, end } = idRange(number);
  const nth = () => db.read(() => queryOne<{ id: number }>(NTH_ITEM, first, end, canaryItems - 1));
  // With fewer items than the canary has, no item is late.
  const late = (canaryItems > 0 ? (await nth())?.id : undefined) ?? first;
  const ofChunks = async (work: (after: number, last: number) => Store<number>): Promise<number> => {
    let changed = 0;
    for await (const { after, last } of chunksOf(db, 'items', { first, end }))
      changed += await db.writeRun(run, () => work(after, last), 'unsynced');
    return changed;
  };
  await db.writeRun(run, () => beginParts(number), 'scratch');
  await ofChunks((after, last) => execute(COUNT_PARTS, after, last, late, number));
  const batches = await numberParts(db, run, { first, end, size });
  const items = await ofChunks(function* (after, last) {
    yield* execute(PLACE_BATCHES, after, last, late, number, size);
    const placed = yield* execute(PLACE_ITEMS, after, last, late, number, size);
    yield* execute(COUNT_PLACED, after, last, late, number);
    return placed;
  });
  await db.writeRun(run, () => execute(FORGET_PARTS, number), 'scratch');
  return { batches, items };
}

function* beginParts(run: number): Store<void> {
  for (const sql of CREATE_PARTS) yield* fileOnly(sql);
  yield* execute(FORGET_PARTS, run);
}

/** Returns the number of batches. */
async function numberParts(
  db: StoreRunner,
  run: string,
  { first, end, size }: Readonly<Record<'first' | 'end' | 'size', number>>,
): Promise<number> {
  let batches = 0;
  for (let after = first; ; ) {
    const from = after;
    const last = (await db.read(() => queryOne<{ last: number | null }>(LAST_PART, from, end)))?.last;
    if (typeof last !== 'number') return batches;
    const before = first + batches;
    const numberChunk = function* (): Store<number> {
      yield* execute(NUMBER_PARTS, from, last, size, before);
      return (yield* queryOne<{ batches: number }>(COUNT_BATCHES, from, last, size))!.batches;
    };
    batches += await db.writeRun(run, numberChunk, 'scratch');
    after = last;
  }
}
