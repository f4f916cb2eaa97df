import { hash } from 'node:crypto';
import type { PlannedItems } from '../../model/item.js';
import { idRange, packId } from '../shared/ids.js';
import { isIndexed, thingsJson } from '../shared/things.js';
import { bulkInsert, columnsOf } from './bulk-insert.js';
import type { Queryable } from './transaction.js';

/** Envelopes whose ids are remembered: items that share one mostly lie near each other. */
const ENVELOPES_KEPT = 1000;
const DIGEST_BYTES = 16;

const LAST = `
SELECT (SELECT max(id) FROM items WHERE id > $1::bigint AND id < $2::bigint) AS item,
  (SELECT max(id) FROM envelopes WHERE id > $1::bigint AND id < $2::bigint) AS envelope`;

const MERGED = 'SELECT text, item FROM merges WHERE run = $1 AND text = ANY($2::text[])';

const MERGES = bulkInsert('merges', { run: 'bigint', text: 'text', item: 'bigint' });
const ENVELOPES = bulkInsert('envelopes', { id: 'bigint', digest: 'bytea', json: 'text' });

/** Items with bodies and rows. A row stands once with an item, however often it is named. */
const ITEMS = `
WITH made AS (${bulkInsert('items', { id: 'bigint', envelope: 'bigint', first_row: 'bigint', item_key: 'text', content: 'text', subject: 'text', things: 'text' })}
), told AS (${bulkInsert('bodies', { item: 'bigint', json: 'text' }, '', 8)}
), named AS (${bulkInsert('things', { thing: 'bigint', item: 'bigint' }, '', 12)}
)
${bulkInsert('item_rows', { '"row"': 'bigint', item: 'bigint' }, 'ON CONFLICT DO NOTHING', 10)}`;

/** What one call adds, before it is written. */
interface Page {
  readonly items: unknown[][];
  readonly bodies: unknown[][];
  readonly links: unknown[][];
  readonly things: unknown[][];
  readonly envelopes: unknown[][];
  readonly merges: unknown[][];
}

/** Writes planned items, each pointing to its envelope: a few statements for however many. */
export class ItemWriter {
  /** Ids by text; of one run only. */
  readonly #envelopes = new Map<string, number>();
  #lastEnvelope = 0;

  /** What was remembered may not be in the tables any more. */
  forget(): void {
    this.#envelopes.clear();
  }

  /** Runs inside a transaction, which may be begun again. */
  async add(tx: Queryable, run: number, items: PlannedItems): Promise<void> {
    const { first, end } = idRange(run);
    const last = await tx.get<{ item: number | null; envelope: number | null }>(LAST, [first, end]);
    const lastEnvelope = last?.envelope ?? first;
    // Another run's, or ids of a transaction that came to nothing.
    if (lastEnvelope !== this.#lastEnvelope) this.#envelopes.clear();
    this.#lastEnvelope = lastEnvelope;
    const merged = await mergedItems(tx, run, items);
    const page = this.#page(run, items, merged, (last?.item ?? first) + 1);
    if (page.envelopes.length > 0) await tx.run(ENVELOPES, columnsOf(page.envelopes, 3));
    if (page.merges.length > 0) await tx.run(MERGES, columnsOf(page.merges, 3));
    await tx.run(ITEMS, [
      ...columnsOf(page.items, 7),
      ...columnsOf(page.bodies, 2),
      ...columnsOf(page.links, 2),
      ...columnsOf(page.things, 2),
    ]);
  }

  /** @param merged items by merge text; those that are new are added */
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
      const key = items.key[at] ?? null;
      const things = items.things[at];
      page.items.push([
        item,
        envelope,
        packId(run, rows[0] ?? 0),
        key,
        items.content[at],
        items.touches[at] ?? null,
        thingsJson(things),
      ]);
      page.bodies.push([item, items.bodyJson[at]]);
      for (const thing of things ?? []) if (isIndexed(thing)) page.things.push([thing, item]);
    }
    return page;
  }

  #envelope(json: string, added: unknown[][]): number {
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

/** Items that already stand for a subject and content, by merge text. */
async function mergedItems(tx: Queryable, run: number, items: PlannedItems): Promise<Map<string, number>> {
  const texts = items.rows.flatMap((_, at) => mergeText(items, at) ?? []);
  if (texts.length === 0) return new Map();
  const found = await tx.all<{ text: string; item: number }>(MERGED, [run, texts]);
  return new Map(found.map(({ text, item }) => [text, item]));
}
