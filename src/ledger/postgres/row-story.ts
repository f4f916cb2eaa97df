import type { Json } from '../../model/json.js';
import { exactParse } from '../../util/exact-json.js';
import type { BatchContent, RowStory } from '../contract/report.js';
import { type RunNumber, unpackId } from '../shared/ids.js';
import { type AttemptLine, attemptStory } from '../shared/row-story.js';
import { Claims } from './claims.js';
import { envelopeOf } from './pending.js';
import type { Queryable } from './transaction.js';

type ItemStory = RowStory['items'][number];

const ITEMS = `
SELECT item_rows.item, items.item_key, items.envelope, bodies.json, batch_items.batch
FROM item_rows
JOIN items ON items.id = item_rows.item
JOIN bodies ON bodies.item = item_rows.item
LEFT JOIN batch_items ON batch_items.item = item_rows.item
WHERE item_rows."row" = $1 ORDER BY item_rows.item`;

interface StoryLine {
  readonly item: number;
  readonly item_key: string | null;
  readonly envelope: number;
  readonly json: string;
  readonly batch: number | null;
}

const ATTEMPTS = 'SELECT * FROM attempts WHERE batch = $1 ORDER BY attempt';

/** The items of a row (by its id) with the attempts of their batches. */
export async function itemStories(
  db: Queryable,
  { scope }: RunNumber,
  run: string,
  row: number,
): Promise<ItemStory[]> {
  const claims = new Claims();
  const stories: ItemStory[] = [];
  for (const it of await db.all<StoryLine>(ITEMS, [row])) {
    const { batch, item, item_key: key } = it;
    const holder = key === null ? undefined : await claims.otherHolder(db, { scope, key, item });
    const attempts = batch === null ? [] : await db.all<AttemptLine>(ATTEMPTS, [batch]);
    stories.push({
      item: unpackId(item),
      ...(holder ? { holder } : {}),
      envelope: await envelopeOf(db, it.envelope),
      body: exactParse(it.json) as Json,
      ...(batch === null ? {} : { batch: unpackId(batch) }),
      attempts: batch === null ? [] : attempts.map((attempt) => attemptStory(run, batch, attempt)),
    });
  }
  return stories;
}

const BATCH_ITEMS = `
SELECT batch_items.item, batches.envelope, bodies.json FROM batches
JOIN batch_items ON batch_items.batch = batches.id
JOIN bodies ON bodies.item = batch_items.item
LEFT JOIN outcomes ON outcomes.item = batch_items.item
WHERE batches.id = $1 AND coalesce(outcomes.status, '') <> 'skipped'
ORDER BY batch_items.item`;

/** What a batch (by its id) carries; undefined when all of it was withheld, or there is none. */
export async function batchContent(db: Queryable, batch: number): Promise<BatchContent | undefined> {
  const lines = await db.all<{ item: number; envelope: number; json: string }>(BATCH_ITEMS, [batch]);
  if (!lines[0]) return undefined;
  return {
    envelope: await envelopeOf(db, lines[0].envelope),
    items: lines.map((it) => ({ item: unpackId(it.item), body: exactParse(it.json) as Json })),
  };
}
