import { hash } from 'node:crypto';
import type { PlannedItems } from '../../model/item.js';
import { isIndexed, thingsJson } from './asset-index-sql.js';
import type { Dialect } from './dialect.js';
import { idRange, packId } from './ids.js';
import { type InsertTarget, insertAll, query, queryOne, type Store } from './statement.js';

/** Size of the cache of envelope ids. Items that share an envelope are mostly near each other. */
const ENVELOPES_KEPT = 1000;
const DIGEST_BYTES = 16;

const LAST = `
SELECT (SELECT max(id) FROM items WHERE id > $1 AND id < $2) AS item,
  (SELECT max(id) FROM envelopes WHERE id > $1 AND id < $2) AS envelope`;

const MERGED = (dialect: Dialect) =>
  `SELECT text, item FROM merges WHERE run = $1 AND text ${dialect.in('$2', 'text')}`;

const MERGES: InsertTarget = { table: 'merges', columns: { run: 'bigint', text: 'text', item: 'bigint' } };

const ENVELOPES: InsertTarget = {
  table: 'envelopes',
  columns: { id: 'bigint', digest: 'bytea', json: 'text' },
};

/** `subject` determines which batches of workers wait for each other; files have no workers. */
const ITEMS: InsertTarget = {
  table: 'items',
  columns: {
    id: 'bigint',
    envelope: 'bigint',
    first_row: 'bigint',
    item_key: 'text',
    content: 'text',
    things: 'text',
  },
  serverColumns: { subject: 'text' },
};

const BODIES: InsertTarget = { table: 'bodies', columns: { item: 'bigint', json: 'text' } };
const THINGS: InsertTarget = { table: 'things', columns: { thing: 'bigint', item: 'bigint' } };

/** A row is linked with an item only once. */
const LINKS: InsertTarget = {
  table: 'item_rows',
  columns: { '"row"': 'bigint', item: 'bigint' },
  end: 'ON CONFLICT DO NOTHING',
};

type InsertedRow = Parameters<typeof insertAll>[1][number];

/** The rows that one call adds. */
type Page = Record<'items' | 'bodies' | 'links' | 'things' | 'envelopes' | 'merges', InsertedRow[]>;

/** Writes planned items, each with the id of its envelope: a few statements for any number of items. */
export class ItemWriter {
  /** Ids by text; of one run only. */
  readonly #envelopes = new Map<string, number>();
  #lastEnvelope = 0;

  /** Clears the cache, because the tables may have changed. */
  forget(): void {
    this.#envelopes.clear();
  }

  /** May be repeated, when its transaction is restarted. */
  *add(run: number, items: PlannedItems): Store<void> {
    const { first, end } = idRange(run);
    const last = (yield* queryOne<{ item: number | null; envelope: number | null }>(LAST, first, end))!;
    const lastEnvelope = last.envelope ?? first;
    // The cache is of another run, of a failed transaction, or outdated by another process.
    if (lastEnvelope !== this.#lastEnvelope) this.#envelopes.clear();
    this.#lastEnvelope = lastEnvelope;
    const merged = yield* mergedItems(run, items);
    const page = this.#page(run, items, merged, (last.item ?? first) + 1);
    yield* insertAll(ENVELOPES, page.envelopes);
    yield* insertAll(MERGES, page.merges);
    yield* insertAll(ITEMS, page.items);
    yield* insertAll(BODIES, page.bodies);
    yield* insertAll(LINKS, page.links);
    yield* insertAll(THINGS, page.things);
  }

  /** @param merged items by merge text; new ones are added */
  #page(run: number, items: PlannedItems, merged: Map<string, number>, from: number): Page {
    const page: Page = { items: [], bodies: [], links: [], things: [], envelopes: [], merges: [] };
    let next = from;
    for (const [at, rows] of items.rows.entries()) {
      const text = mergeText(items, at);
      const known = text === undefined ? undefined : merged.get(text);
      const item = known ?? next;
      for (const row of rows) page.links.push([packId(run, row), item]);
      if (known !== undefined) continue;
      next += 1;
      if (text !== undefined) {
        merged.set(text, item);
        page.merges.push([run, text, item]);
      }
      const envelope = this.#envelope(items.envelopeJson[at]!, page.envelopes);
      const things = items.things[at];
      const firstRow = packId(run, rows[0] ?? 0);
      const { key, content, touches } = items;
      page.items.push([item, envelope, firstRow, key[at], content[at], thingsJson(things), touches[at]]);
      page.bodies.push([item, items.bodyJson[at]]);
      for (const thing of things ?? []) if (isIndexed(thing)) page.things.push([thing, item]);
    }
    return page;
  }

  #envelope(json: string, added: InsertedRow[]): number {
    const known = this.#envelopes.get(json);
    if (known !== undefined) return known;
    this.#lastEnvelope += 1;
    added.push([this.#lastEnvelope, hash('sha256', json, 'buffer').subarray(0, DIGEST_BYTES), json]);
    if (this.#envelopes.size >= ENVELOPES_KEPT) this.#envelopes.clear();
    this.#envelopes.set(json, this.#lastEnvelope);
    return this.#lastEnvelope;
  }
}

function mergeText(items: PlannedItems, at: number): string | undefined {
  const subject = items.subject[at];
  return subject === undefined ? undefined : `${subject}\n${items.content[at]!}`;
}

/** Items that already represent a subject and content, by merge text. */
function* mergedItems(run: number, items: PlannedItems): Store<Map<string, number>> {
  const texts = items.rows.flatMap((_, at) => mergeText(items, at) ?? []);
  if (texts.length === 0) return new Map();
  const found = yield* query<{ text: string; item: number }>(MERGED, run, texts);
  return new Map(found.map(({ text, item }) => [text, item]));
}
