import { createHash } from 'node:crypto';
import type { MappedItem } from '../../model/item.js';
import type { JsonObject } from '../../model/json.js';
import { exactStringify } from '../../util/exact-json.js';
import type { Database } from './database.js';
import { idRange, packId } from './ids.js';

/** Envelopes whose ids are remembered: items that share one mostly lie near each other. */
const ENVELOPES_KEPT = 1000;
const DIGEST_BYTES = 16;

/** Writes planned items, each pointing to its envelope. */
export class ItemWriter {
  readonly #db: Database;
  #envelopes = new Map<string, number>();

  constructor(db: Database) {
    this.#db = db;
  }

  /** What was remembered may not be in the tables any more. */
  forget(): void {
    this.#envelopes.clear();
  }

  /** Runs inside a transaction. */
  add(run: number, items: readonly MappedItem[]): void {
    let next = this.#last('items', run) + 1;
    for (const item of items) {
      const merged = item.merge === undefined ? undefined : this.#mergedInto(run, item.merge, next);
      if (merged === undefined) {
        this.#insert(run, next, item);
        next += 1;
      } else {
        this.#link(run, merged, item.rows);
      }
    }
  }

  #insert(run: number, id: number, item: MappedItem): void {
    this.#db.run(
      'INSERT INTO items (id, envelope, first_row, item_key, content) VALUES (?, ?, ?, ?, ?)',
      id,
      this.#envelope(run, item.envelope),
      packId(run, item.rows[0] ?? 0),
      item.key ?? null,
      item.content,
    );
    this.#db.run('INSERT INTO bodies (item, json) VALUES (?, ?)', id, exactStringify(item.body));
    this.#link(run, id, item.rows);
  }

  #link(run: number, item: number, rows: readonly number[]): void {
    for (const row of rows) {
      this.#db.run(
        'INSERT INTO item_rows ("row", item) VALUES (?, ?) ON CONFLICT DO NOTHING',
        packId(run, row),
        item,
      );
    }
  }

  /** The item that already stands for the text; undefined when the new one does from now on. */
  #mergedInto(run: number, text: string, item: number): number | undefined {
    const sql = 'INSERT INTO merges (run, text, item) VALUES (?, ?, ?) ON CONFLICT DO NOTHING';
    if (this.#db.run(sql, run, text, item) > 0) return undefined;
    return this.#db.get<{ item: number }>('SELECT item FROM merges WHERE run = ? AND text = ?', run, text)
      ?.item;
  }

  #envelope(run: number, envelope: JsonObject): number {
    const json = exactStringify(envelope);
    const remembered = `${run} ${json}`;
    const known = this.#envelopes.get(remembered);
    if (known !== undefined) return known;
    const id = this.#last('envelopes', run) + 1;
    this.#db.run('INSERT INTO envelopes (id, digest, json) VALUES (?, ?, ?)', id, digestOf(envelope), json);
    if (this.#envelopes.size >= ENVELOPES_KEPT) this.#envelopes.clear();
    this.#envelopes.set(remembered, id);
    return id;
  }

  #last(table: 'items' | 'envelopes', run: number): number {
    const { first, end } = idRange(run);
    const sql = `SELECT max(id) AS id FROM ${table} WHERE id >= ? AND id < ?`;
    return this.#db.get<{ id: number | null }>(sql, first, end)?.id ?? first;
  }
}

/** The same for envelopes whose fields stand in another order. */
function digestOf(envelope: JsonObject): Uint8Array {
  const fields = Object.entries(envelope).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(exactStringify(fields)).digest().subarray(0, DIGEST_BYTES);
}
