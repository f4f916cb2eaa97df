import type { Json } from '../../model/json.js';
import { exactParse } from '../../util/exact-json.js';
import type { BatchContent, RowStory } from '../contract/report.js';
import { unpackId } from '../shared/ids.js';
import { type AttemptLine, attemptStory } from '../shared/row-story.js';
import { Claims } from './claims.js';
import type { Database } from './database.js';
import { envelopeOf } from './pending.js';
import type { RunNumbers } from './run-numbers.js';

type ItemStory = RowStory['items'][number];

const ITEMS = `
SELECT item_rows.item, items.item_key, items.envelope, bodies.json, batch_items.batch
FROM item_rows
JOIN items ON items.id = item_rows.item
JOIN bodies ON bodies.item = item_rows.item
LEFT JOIN batch_items ON batch_items.item = item_rows.item
WHERE item_rows."row" = ? ORDER BY item_rows.item`;

interface ItemLine {
  readonly item: number;
  readonly item_key: string | null;
  readonly envelope: number;
  readonly json: string;
  readonly batch: number | null;
}

/** The items of a row (by its id) with the attempts of their batches. */
export function itemStories(db: Database, numbers: RunNumbers, run: string, row: number): ItemStory[] {
  const { scope } = numbers.of(run);
  const claims = new Claims(db, numbers);
  return db.all<ItemLine>(ITEMS, row).map((it) => ({
    item: unpackId(it.item),
    ...holderOf(claims, scope, it),
    envelope: envelopeOf(db, it.envelope),
    body: exactParse(it.json) as Json,
    ...(it.batch === null ? {} : { batch: unpackId(it.batch) }),
    attempts: it.batch === null ? [] : attemptStories(db, run, it.batch),
  }));
}

function holderOf(claims: Claims, scope: number, { item, item_key }: ItemLine): Pick<ItemStory, 'holder'> {
  const holder = item_key === null ? undefined : claims.otherHolder(scope, item_key, item);
  return holder ? { holder } : {};
}

const BATCH_ITEMS = `
SELECT batch_items.item, batches.envelope, bodies.json FROM batches
JOIN batch_items ON batch_items.batch = batches.id
JOIN bodies ON bodies.item = batch_items.item
LEFT JOIN outcomes ON outcomes.item = batch_items.item
WHERE batches.id = ? AND coalesce(outcomes.status, '') <> 'skipped'
ORDER BY batch_items.item`;

/** What a batch (by its id) carries; undefined when all of it was withheld, or there is none. */
export function batchContent(db: Database, batch: number): BatchContent | undefined {
  const lines = db.all<{ item: number; envelope: number; json: string }>(BATCH_ITEMS, batch);
  if (!lines[0]) return undefined;
  return {
    envelope: envelopeOf(db, lines[0].envelope),
    items: lines.map((it) => ({ item: unpackId(it.item), body: exactParse(it.json) as Json })),
  };
}

function attemptStories(db: Database, run: string, batch: number): ItemStory['attempts'] {
  const sql = 'SELECT * FROM attempts WHERE batch = ? ORDER BY attempt';
  return db.all<AttemptLine>(sql, batch).map((it) => attemptStory(run, batch, it));
}
