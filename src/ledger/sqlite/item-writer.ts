import { hash } from 'node:crypto';
import type { PlannedItems } from '../../model/item.js';
import { idRange, packId } from '../shared/ids.js';
import { isIndexed, thingsJson } from '../shared/things.js';
import { BulkInsert } from './bulk-insert.js';
import type { Database } from './database.js';

/** Envelopes whose ids are remembered: items that share one mostly lie near each other. */
const ENVELOPES_KEPT = 1000;
const DIGEST_BYTES = 16;

/** Writes planned items, each pointing to its envelope. */
export class ItemWriter {
  readonly #db: Database;
  readonly #envelopeRows: BulkInsert;
  readonly #itemRows: BulkInsert;
  readonly #bodies: BulkInsert;
  readonly #links: BulkInsert;
  readonly #things: BulkInsert;
  /** Ids by text; of one run only. */
  #envelopes = new Map<string, number>();
  #lastEnvelope = 0;

  constructor(db: Database) {
    this.#db = db;
    this.#envelopeRows = new BulkInsert(db, 'envelopes', ['id', 'digest', 'json']);
    const columns = ['id', 'envelope', 'first_row', 'item_key', 'content', 'things'];
    this.#itemRows = new BulkInsert(db, 'items', columns);
    this.#bodies = new BulkInsert(db, 'bodies', ['item', 'json']);
    this.#links = new BulkInsert(db, 'item_rows', ['"row"', 'item'], 'ON CONFLICT DO NOTHING');
    this.#things = new BulkInsert(db, 'things', ['thing', 'item']);
  }

  /** What was remembered may not be in the tables any more. */
  forget(): void {
    this.#envelopes.clear();
    for (const rows of this.#all()) rows.forget();
  }

  /** Runs inside a transaction. */
  add(run: number, items: PlannedItems): void {
    let next = this.#last('items', run) + 1;
    const lastEnvelope = this.#last('envelopes', run);
    // Another run's, or ids that another process has given since.
    if (lastEnvelope !== this.#lastEnvelope) this.#envelopes.clear();
    this.#lastEnvelope = lastEnvelope;
    for (const [at, rows] of items.rows.entries()) {
      const subject = items.subject[at];
      const merged =
        subject === undefined ? undefined : this.#mergedInto(run, `${subject}\n${items.content[at]!}`, next);
      if (merged === undefined) {
        this.#insert(run, next, items, at);
        next += 1;
      } else {
        this.#link(run, merged, rows);
      }
    }
    for (const rows of this.#all()) rows.finish();
  }

  #all(): readonly BulkInsert[] {
    return [this.#envelopeRows, this.#itemRows, this.#bodies, this.#links, this.#things];
  }

  #insert(run: number, id: number, items: PlannedItems, at: number): void {
    const rows = items.rows[at]!;
    const envelope = this.#envelope(items.envelopeJson[at]!);
    const things = items.things[at];
    const first = packId(run, rows[0] ?? 0);
    this.#itemRows.add(id, envelope, first, items.key[at] ?? null, items.content[at]!, thingsJson(things));
    this.#bodies.add(id, items.bodyJson[at]!);
    for (const thing of things ?? []) if (isIndexed(thing)) this.#things.add(thing, id);
    this.#link(run, id, rows);
  }

  #link(run: number, item: number, rows: readonly number[]): void {
    for (const row of rows) this.#links.add(packId(run, row), item);
  }

  /** The item that already stands for the subject and content; undefined when the new one does from now on. */
  #mergedInto(run: number, text: string, item: number): number | undefined {
    const sql = 'INSERT INTO merges (run, text, item) VALUES (?, ?, ?) ON CONFLICT DO NOTHING';
    if (this.#db.run(sql, run, text, item) > 0) return undefined;
    return this.#db.get<{ item: number }>('SELECT item FROM merges WHERE run = ? AND text = ?', run, text)
      ?.item;
  }

  #envelope(json: string): number {
    const known = this.#envelopes.get(json);
    if (known !== undefined) return known;
    this.#lastEnvelope += 1;
    const digest = hash('sha256', json, 'buffer').subarray(0, DIGEST_BYTES);
    this.#envelopeRows.add(this.#lastEnvelope, digest, json);
    if (this.#envelopes.size >= ENVELOPES_KEPT) this.#envelopes.clear();
    this.#envelopes.set(json, this.#lastEnvelope);
    return this.#lastEnvelope;
  }

  #last(table: 'items' | 'envelopes', run: number): number {
    const { first, end } = idRange(run);
    const sql = `SELECT max(id) AS id FROM ${table} WHERE id >= ? AND id < ?`;
    return this.#db.get<{ id: number | null }>(sql, first, end)?.id ?? first;
  }
}
