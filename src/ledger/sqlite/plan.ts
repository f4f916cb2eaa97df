import { type Message, message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { PlannedItems } from '../../model/item.js';
import type { Json, JsonObject } from '../../model/json.js';
import { exactParse } from '../../util/exact-json.js';
import type { HeldItem } from '../contract/key-holder.js';
import type { PlanStore, RepeatedKey, RowVerdict } from '../contract/plan.js';
import { idRange, packId, unpackId } from '../shared/ids.js';
import type { InvalidItem } from '../shared/plan-checks.js';
import { verdictValues } from '../shared/row-lines.js';
import type { Database } from './database.js';
import { formBatches } from './form-batches.js';
import type { GroupCommit } from './group-commit.js';
import { heldKeys, whichHeld } from './held-keys.js';
import { ItemWriter } from './item-writer.js';
import { finishBatch, writeOutcome } from './outcomes.js';
import { contradictions, itemsOfInvalidRows, repeatedKeys } from './plan-checks.js';
import { clearRun } from './prune.js';
import type { RunNumbers } from './run-numbers.js';
import { FORGET_THINGS } from './things.js';

const BODIES_AT_ONCE = 500;

/**
 * Every writing call is one transaction: callers hand over many at a time. Only `finish` waits for the disk, for all of them:
 * a plan that was not finished is made again.
 */
export class SqlitePlanStore implements PlanStore {
  readonly #db: Database;
  readonly #numbers: RunNumbers;
  readonly #group: GroupCommit;
  readonly #items: ItemWriter;

  constructor(db: Database, numbers: RunNumbers, group: GroupCommit) {
    this.#db = db;
    this.#numbers = numbers;
    this.#group = group;
    this.#items = new ItemWriter(db);
  }

  async clear(run: string, but?: 'invalid rows'): Promise<void> {
    this.#group.write(() => {
      const { number } = this.#numbers.of(run);
      const { first, end } = idRange(number);
      const sent = this.#db.get('SELECT 1 FROM attempts WHERE batch > ? AND batch < ? LIMIT 1', first, end);
      // The attempts are the only evidence of what was sent.
      if (sent) throw new ProductError('internal', message('ledger.already_sent', { run }));
      this.#db.run(FORGET_THINGS, first, end);
      clearRun(this.#db, number, but);
      this.#db.run('DELETE FROM undoings WHERE "row" > ? AND "row" < ?', first, end);
      this.#db.run('UPDATE runs SET "rows" = 0, items = 0 WHERE id = ?', number);
    });
    this.#items.forget();
  }

  async addItems(run: string, items: PlannedItems): Promise<void> {
    try {
      this.#db.unsyncedWrite(() => this.#items.add(this.#numbers.of(run).number, items));
    } catch (error) {
      this.#items.forget();
      throw error;
    }
  }

  async addVerdicts(run: string, verdicts: readonly RowVerdict[]): Promise<void> {
    this.#db.unsyncedWrite(() => this.#addVerdicts(this.#numbers.of(run).number, verdicts));
  }

  async addWarnings(run: string, warnings: readonly Message[]): Promise<void> {
    this.#db.write(() => {
      const { number } = this.#numbers.of(run);
      for (const warning of warnings) {
        this.#db.run(
          `INSERT INTO warnings (run, n, message_json)
           SELECT ?1, coalesce(max(n), 0) + 1, ?2 FROM warnings WHERE run = ?1`,
          number,
          JSON.stringify(warning),
        );
      }
    });
  }

  async warnings(run: string): Promise<readonly Message[]> {
    const sql = 'SELECT message_json FROM warnings WHERE run = ? ORDER BY n';
    return this.#db
      .read(() => this.#db.all<{ message_json: string }>(sql, this.#numbers.of(run).number))
      .map((it) => JSON.parse(it.message_json) as Message);
  }

  repeatedKeys(run: string): AsyncIterable<RepeatedKey> {
    return repeatedKeys(this.#db, this.#numbers.of(run).number);
  }

  contradictions(run: string): AsyncIterable<RepeatedKey> {
    return contradictions(this.#db, this.#numbers.of(run).number);
  }

  async content(run: string, item: number): Promise<{ readonly envelope: JsonObject; readonly body: Json }> {
    const sql = `SELECT envelopes.json AS envelope, bodies.json AS body FROM items
      JOIN envelopes ON envelopes.id = items.envelope JOIN bodies ON bodies.item = items.id WHERE items.id = ?`;
    const id = packId(this.#numbers.of(run).number, item);
    const found = this.#db.read(() => this.#db.get<{ envelope: string; body: string }>(sql, id));
    if (!found) throw new Error(`item ${item} of run ${run} is not planned`);
    return { envelope: exactParse(found.envelope) as JsonObject, body: exactParse(found.body) as Json };
  }

  itemsOfInvalidRows(run: string): AsyncIterable<InvalidItem> {
    return itemsOfInvalidRows(this.#db, this.#numbers.of(run).number);
  }

  async unlink(run: string, item: number, rows: readonly number[]): Promise<void> {
    this.#db.unsyncedWrite(() => {
      const { number } = this.#numbers.of(run);
      const id = packId(number, item);
      for (const row of rows)
        this.#db.run('DELETE FROM item_rows WHERE "row" = ? AND item = ?', packId(number, row), id);
      const left = this.#db.get<{ row: number | null }>(
        'SELECT min("row") AS "row" FROM item_rows WHERE item = ?',
        id,
      )?.row;
      if (typeof left === 'number') this.#db.run('UPDATE items SET first_row = ? WHERE id = ?', left, id);
      else this.#remove(id);
    });
  }

  #remove(id: number): void {
    this.#db.run('DELETE FROM item_rows WHERE item = ?', id);
    this.#db.run(FORGET_THINGS, id - 1, id + 1);
    this.#db.run('DELETE FROM bodies WHERE item = ?', id);
    this.#db.run('DELETE FROM items WHERE id = ?', id);
  }

  heldKeys(run: string): AsyncIterable<HeldItem> {
    this.#group.catchUp();
    const catchUp = (): void => this.#group.catchUp();
    return heldKeys(this.#db, this.#numbers, this.#numbers.of(run), catchUp);
  }

  async whichHeld(run: string, keys: readonly string[]): Promise<ReadonlySet<string>> {
    this.#group.catchUp();
    return this.#db.read(() => whichHeld(this.#db, this.#numbers.scopes(run), keys));
  }

  async withdraw(
    run: string,
    items: readonly { readonly item: number; readonly verdicts: readonly RowVerdict[] }[],
  ): Promise<void> {
    this.#db.unsyncedWrite(() => {
      const { number } = this.#numbers.of(run);
      for (const { item, verdicts } of items) {
        this.#remove(packId(number, item));
        this.#addVerdicts(number, verdicts);
      }
    });
  }

  async refuse(
    run: string,
    items: readonly { readonly item: number; readonly reason: Message }[],
  ): Promise<void> {
    this.#group.write(() => {
      const { number } = this.#numbers.of(run);
      for (const { item, reason } of items) {
        const id = packId(number, item);
        if (!writeOutcome(this.#db, id, { status: 'invalid', message: reason }, 0)) continue;
        const found = this.#db.get<{ batch: number }>('SELECT batch FROM batch_items WHERE item = ?', id);
        if (found) finishBatch(this.#db, found.batch);
      }
    });
  }

  async formBatches(
    run: string,
    size: number,
    apart = 0,
  ): Promise<{ readonly batches: number; readonly items: number }> {
    return formBatches(this.#db, this.#numbers.of(run).number, size, apart);
  }

  async finish(run: string, rows: number, made?: 'given'): Promise<void> {
    this.#db.unsyncedWrite(() => {
      const { number } = this.#numbers.of(run);
      const { first, end } = idRange(number);
      this.#db.run('DELETE FROM merges WHERE run = ?', number);
      this.#db.run(
        `UPDATE runs SET state = ?, "rows" = ?,
           items = (SELECT count(*) FROM items WHERE id > ? AND id < ?) WHERE id = ?`,
        made === 'given' ? 'planning' : 'planned',
        rows,
        first,
        end,
        number,
      );
    });
    await this.#db.flushed();
  }

  async *bodies(run: string): AsyncIterable<{ readonly item: number; readonly body: Json }> {
    const range = idRange(this.#numbers.of(run).number);
    const sql = 'SELECT item, json FROM bodies WHERE item > ? AND item < ? ORDER BY item LIMIT ?';
    let after = range.first;
    for (;;) {
      const page = this.#db.read(() =>
        this.#db.all<{ item: number; json: string }>(sql, after, range.end, BODIES_AT_ONCE),
      );
      for (const { item, json } of page) yield { item: unpackId(item), body: exactParse(json) as Json };
      const last = page.at(-1);
      if (!last) return;
      after = last.item;
    }
  }

  #addVerdicts(run: number, verdicts: readonly RowVerdict[]): void {
    for (const it of verdicts) {
      this.#db.run(
        `INSERT INTO verdicts ("row", n, status, faults_json, message_json, license_order_id, columns_json,
           records_json)
         SELECT ?1, coalesce(max(n), 0) + 1, ?2, ?3, ?4, ?5, ?6, ?7 FROM verdicts WHERE "row" = ?1`,
        packId(run, it.row),
        ...verdictValues(it),
      );
    }
  }
}
