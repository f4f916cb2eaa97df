import type { Json, JsonObject } from '../../model/json.js';
import { exactParse } from '../../util/exact-json.js';
import type { BatchContent, RowStory } from '../contract/report.js';
import { type KnownRuns, unpackId } from './ids.js';
import { otherHolder } from './key-holder.js';
import { list, query, queryOne, type Store } from './statement.js';

type ItemStory = RowStory['items'][number];
type AttemptStory = ItemStory['attempts'][number];

const ITEMS = `
SELECT item_rows.item, items.item_key AS key, items.envelope, bodies.json, batch_items.batch
FROM item_rows
JOIN items ON items.id = item_rows.item
JOIN bodies ON bodies.item = item_rows.item
LEFT JOIN batch_items ON batch_items.item = item_rows.item
WHERE item_rows."row" = $1 ORDER BY item_rows.item`;

interface StoryRow {
  readonly item: number;
  readonly key?: string;
  readonly envelope: number;
  readonly json: string;
  readonly batch?: number;
}

/** The items of a row (by its id) with the attempts of their batches. */
export function* itemStories(runs: KnownRuns, run: string, row: number): Store<ItemStory[]> {
  const { scope } = yield* runs.of(run);
  const stories: ItemStory[] = [];
  for (const { item, key, envelope, json, batch } of yield* list<StoryRow>(ITEMS, row)) {
    const holder = key === undefined ? undefined : yield* otherHolder(runs, { scope, key, item });
    stories.push({
      item: unpackId(item),
      ...(holder ? { holder } : {}),
      envelope: yield* envelopeOf(envelope),
      body: exactParse(json) as Json,
      ...(batch === undefined ? {} : { batch: unpackId(batch) }),
      attempts: batch === undefined ? [] : yield* attemptsOf(run, batch),
    });
  }
  return stories;
}

const ATTEMPTS = `
SELECT attempt, nonce, started_at AS "startedAt", ended_at AS "endedAt", http_status AS "httpStatus", event, sent, reply
FROM attempts WHERE batch = $1 ORDER BY attempt`;

function* attemptsOf(run: string, batch: number): Store<AttemptStory[]> {
  type AttemptRow = Omit<AttemptStory, 'run' | 'batch' | 'sent'> & { readonly sent?: number };
  return (yield* list<AttemptRow>(ATTEMPTS, batch)).map(({ sent, ...attempt }) => ({
    ...attempt,
    run,
    batch: unpackId(batch),
    ...(sent === undefined ? {} : { sent: sent === 1 }),
  }));
}

const BATCH_ITEMS = `
SELECT batch_items.item, batches.envelope, bodies.json FROM batches
JOIN batch_items ON batch_items.batch = batches.id
JOIN bodies ON bodies.item = batch_items.item
LEFT JOIN outcomes ON outcomes.item = batch_items.item
WHERE batches.id = $1 AND coalesce(outcomes.status, '') <> 'skipped'
ORDER BY batch_items.item`;

/** The content of a batch (by its id); undefined if all of it was withheld, or there is no such batch. */
export function* batchContent(batch: number): Store<BatchContent | undefined> {
  const lines = yield* query<{ item: number; envelope: number; json: string }>(BATCH_ITEMS, batch);
  if (!lines[0]) return undefined;
  return {
    envelope: yield* envelopeOf(lines[0].envelope),
    items: lines.map((it) => ({ item: unpackId(it.item), body: exactParse(it.json) as Json })),
  };
}

export function* envelopeOf(id: number): Store<JsonObject> {
  const found = yield* queryOne<{ json: string }>('SELECT json FROM envelopes WHERE id = $1', id);
  return found ? (exactParse(found.json) as JsonObject) : {};
}
