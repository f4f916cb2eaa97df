import { type Message, message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { PlannedItems } from '../../model/item.js';
import type { Json, JsonObject } from '../../model/json.js';
import { exactParse } from '../../util/exact-json.js';
import type { HeldItem, InvalidItem, RepeatedKey, RowVerdict } from '../contract/plan.js';
import { FORGET_THINGS_OF } from './asset-index-sql.js';
import { pagesOf } from './chunks.js';
import type { Dialect } from './dialect.js';
import { type FormedBatches, formBatches } from './form-batches.js';
import { heldKeys, whichHeld } from './held-keys.js';
import { idRange, packId, unpackId } from './ids.js';
import { ItemWriter } from './item-writer.js';
import { contradictions, itemsOfInvalidRows, repeatedKeys } from './plan-checks.js';
import { clearPlan } from './prune.js';
import { FINISH_BATCHES } from './resolutions.js';
import { verdictValues } from './row-lines.js';
import { SqlStore } from './runner.js';
import { execute, type InsertTarget, insertAll, query, queryOne, type Store } from './statement.js';

const WARNINGS: InsertTarget = {
  table: 'warnings',
  columns: { run: 'bigint', n: 'bigint', message_json: 'text' },
};

const VERDICTS: InsertTarget = {
  table: 'verdicts',
  columns: {
    '"row"': 'bigint',
    n: 'int',
    status: 'text',
    faults_json: 'text',
    message_json: 'text',
    license_order_id: 'text',
    columns_json: 'text',
    records_json: 'text',
  },
};

const LAST_VERDICTS = (dialect: Dialect) => `
SELECT "row" AS "row", max(n) AS n FROM verdicts WHERE "row" ${dialect.in('$1', 'bigint')} GROUP BY "row"`;

/** An item with an outcome keeps it; `not_sent` is not an outcome. */
const REFUSALS: InsertTarget = {
  table: 'outcomes',
  columns: { item: 'bigint', status: 'text', attempts: 'int', message_json: 'text' },
  end: `ON CONFLICT (item) DO UPDATE SET status = excluded.status, attempts = excluded.attempts,
    license_order_id = NULL, code = NULL, message_json = excluded.message_json, columns_json = NULL
  WHERE outcomes.status = 'not_sent'`,
};

const BATCHES_OF = (dialect: Dialect) =>
  `SELECT DISTINCT batch FROM batch_items WHERE item ${dialect.in('$1', 'bigint')} ORDER BY batch`;

const UNLINK = (dialect: Dialect) =>
  `DELETE FROM item_rows WHERE item = $1 AND "row" ${dialect.in('$2', 'bigint')}`;

const FIRST_LEFT = 'SELECT min("row") AS "row" FROM item_rows WHERE item = $1';

const deleteItems = (table: string, column: string) => (dialect: Dialect) =>
  `DELETE FROM ${table} WHERE ${column} ${dialect.in('$1', 'bigint')}`;

const REMOVE_ITEMS = [
  deleteItems('item_rows', 'item'),
  FORGET_THINGS_OF,
  deleteItems('bodies', 'item'),
  deleteItems('items', 'id'),
];

const FINISH = `
UPDATE runs SET state = $1, "rows" = $2, items = (SELECT count(*) FROM items WHERE id > $3 AND id < $4) WHERE id = $5`;

const CONTENT = `
SELECT envelopes.json AS envelope, bodies.json AS body FROM items
JOIN envelopes ON envelopes.id = items.envelope JOIN bodies ON bodies.item = items.id WHERE items.id = $1`;

const BODIES = 'SELECT item, json FROM bodies WHERE item > $1 AND item < $2 ORDER BY item LIMIT 500';

/**
 * Writes of the plan stage, for one run. Every writing call is one transaction, so callers pass many entries at a time. The
 * run's lock ensures that only one process plans a run; on a server each transaction checks it. In a file only `finish` waits
 * for the disk, because a plan that was not finished is created again.
 */
export class SqlPlanStore extends SqlStore {
  readonly #items = new ItemWriter();

  /**
   * Removes everything planned for the run before (a plan whose process was killed).
   * @param but verdicts of invalid rows stay
   */
  async clear(run: string, but?: 'invalid rows'): Promise<void> {
    const clear = function* ({ number }: { readonly number: number }): Store<void> {
      const { first, end } = idRange(number);
      const sent = 'SELECT 1 FROM attempts WHERE batch > $1 AND batch < $2 LIMIT 1';
      // The attempts are the only evidence of what was sent.
      if (yield* queryOne(sent, first, end))
        throw new ProductError('internal', message('ledger.already_sent', { run }));
      yield* clearPlan(number, but);
    };
    await this.db.writeRun(run, clear, 'outcomes');
    this.#items.forget();
  }

  /** Items get numbers from 1 in the given order. If an item with this `subject` and `content` exists, only the rows are linked. */
  async addItems(run: string, items: PlannedItems): Promise<void> {
    try {
      await this.db.writeRun(run, ({ number }) => this.#items.add(number, items), 'unsynced');
    } catch (error) {
      this.#items.forget();
      throw error;
    }
  }

  addVerdicts(run: string, verdicts: readonly RowVerdict[]): Promise<void> {
    return this.db.writeRun(run, ({ number }) => addVerdicts(number, verdicts), 'unsynced');
  }

  /** Messages for the run's summary that belong to no single row. */
  addWarnings(run: string, warnings: readonly Message[]): Promise<void> {
    return this.db.writeRun(run, function* ({ number }) {
      const sql = 'SELECT coalesce(max(n), 0) AS n FROM warnings WHERE run = $1';
      const { n } = (yield* queryOne<{ n: number }>(sql, number))!;
      yield* insertAll(
        WARNINGS,
        warnings.map((it, at) => [number, n + at + 1, JSON.stringify(it)]),
      );
    });
  }

  async warnings(run: string): Promise<readonly Message[]> {
    const sql = 'SELECT message_json AS json FROM warnings WHERE run = $1 ORDER BY n';
    const found = await this.readRun(run, (number) => query<{ json: string }>(sql, number));
    return found.map((it) => JSON.parse(it.json) as Message);
  }

  /** Keys of more than one item of this run. */
  repeatedKeys(run: string): AsyncIterable<RepeatedKey> {
    return repeatedKeys(this.db, run);
  }

  /** Subjects that items of this run name with different content. */
  contradictions(run: string): AsyncIterable<RepeatedKey> {
    return contradictions(this.db, run);
  }

  /** The content that an item sends. */
  async content(run: string, item: number): Promise<{ readonly envelope: JsonObject; readonly body: Json }> {
    const found = await this.readRun(run, (number) =>
      queryOne<{ envelope: string; body: string }>(CONTENT, packId(number, item)),
    );
    if (!found) throw new Error(`item ${item} of run ${run} is not planned`);
    return { envelope: exactParse(found.envelope) as JsonObject, body: exactParse(found.body) as Json };
  }

  /** Items of rows with a verdict `invalid` or `not_sent`, with all rows of each. They must not be sent for these rows. */
  itemsOfInvalidRows(run: string): AsyncIterable<InvalidItem> {
    return itemsOfInvalidRows(this.db, run);
  }

  /** Removes rows from an item. It stays for its other rows; without any it is removed from the plan. */
  async unlink(run: string, item: number, rows: readonly number[]): Promise<void> {
    const unlink = function* ({ number }: { readonly number: number }): Store<void> {
      const id = packId(number, item);
      const ids = rows.map((row) => packId(number, row));
      yield* execute(UNLINK, id, ids);
      const left = (yield* queryOne<{ row: number | null }>(FIRST_LEFT, id))?.row;
      if (typeof left === 'number') yield* execute('UPDATE items SET first_row = $1 WHERE id = $2', left, id);
      else yield* removeItems([id]);
    };
    await this.db.writeRun(run, unlink, 'unsynced');
  }

  /** Items of this run whose key an earlier run of the scope has. */
  heldKeys(run: string): AsyncIterable<HeldItem> {
    return heldKeys(this.db, run);
  }

  /** Those of the keys that an item has in a scope that applies to the run, including the run's own items. */
  whichHeld(run: string, keys: readonly string[]): Promise<ReadonlySet<string>> {
    return this.db.read(() => whichHeld(this.db.runs, run, keys), 'outcomes');
  }

  /** Removes items from the plan and adds verdicts for their rows. */
  async withdraw(
    run: string,
    items: readonly { readonly item: number; readonly verdicts: readonly RowVerdict[] }[],
  ): Promise<void> {
    const withdraw = function* ({ number }: { readonly number: number }): Store<void> {
      yield* removeItems(items.map(({ item }) => packId(number, item)));
      const verdicts = items.flatMap((it) => it.verdicts);
      yield* addVerdicts(number, verdicts);
    };
    await this.db.writeRun(run, withdraw, 'unsynced');
  }

  /** Gives items that must not be sent any more the outcome `invalid`. The plan, which may be approved, does not change. */
  async refuse(
    run: string,
    items: readonly { readonly item: number; readonly reason: Message }[],
  ): Promise<void> {
    if (items.length === 0) return;
    const refuse = function* ({ number }: { readonly number: number }): Store<void> {
      // If an item occurs twice, the first reason is used.
      const reasons = new Map([...items].reverse().map((it) => [packId(number, it.item), it.reason]));
      yield* insertAll(
        REFUSALS,
        [...reasons].map(([id, reason]) => [id, 'invalid', 0, JSON.stringify(reason)]),
      );
      const batches = yield* query<{ batch: number }>(BATCHES_OF, [...reasons.keys()]);
      const ids = batches.map((it) => it.batch);
      yield* execute(FINISH_BATCHES, ids);
    };
    await this.db.writeRun(run, refuse, 'outcomes');
  }

  /**
   * Forms batches of the remaining items: items with equal envelopes share a batch of at most `size`, in order of first
   * appearance. Memory is bounded for any number of envelopes.
   * @param canaryItems this many first items share no batch with later ones, and come first
   */
  formBatches(run: string, size: number, canaryItems = 0): Promise<FormedBatches> {
    return formBatches(this.db, run, size, canaryItems);
  }

  /**
   * Ends the plan: all of it is durable, the run is in state `planned`, `rows` and `items` are set. A plan with placeholders
   * for results that an earlier step has not returned yet (`given`) is only a check: its run stays in state `planning`, from
   * which nothing is ever sent, and the step is planned again before it is sent.
   */
  async finish(run: string, rows: number, made?: 'given'): Promise<void> {
    const state = made === 'given' ? 'planning' : 'planned';
    const finish = function* ({ number }: { readonly number: number }): Store<void> {
      const { first, end } = idRange(number);
      yield* execute('DELETE FROM merges WHERE run = $1', number);
      yield* execute(FINISH, state, rows, first, end, number);
    };
    await this.db.writeRun(run, finish, 'unsynced');
    await this.db.flushed();
  }

  /** The bodies of the run's items, in order (limits and summaries). */
  async *bodies(run: string): AsyncIterable<{ readonly item: number; readonly body: Json }> {
    const { first, end } = idRange(await this.numberOf(run));
    const read = (after: number) =>
      this.db.read(() => query<{ item: number; json: string }>(BODIES, after, end));
    for await (const page of pagesOf(first, read, (it) => it.item)) {
      for (const { item, json } of page) yield { item: unpackId(item), body: exactParse(json) as Json };
    }
  }
}

function* removeItems(ids: readonly number[]): Store<void> {
  for (const sql of REMOVE_ITEMS) yield* execute(sql, ids);
}

/** Adds verdicts after the existing ones of their rows, in the given order. */
function* addVerdicts(run: number, verdicts: readonly RowVerdict[]): Store<void> {
  if (verdicts.length === 0) return;
  const ids = verdicts.map((it) => packId(run, it.row));
  const found = yield* query<{ row: number; n: number }>(LAST_VERDICTS, [...new Set(ids)]);
  const last = new Map(found.map((it) => [it.row, it.n]));
  const rows = verdicts.map((verdict, at) => {
    const id = ids[at]!;
    const n = (last.get(id) ?? 0) + 1;
    last.set(id, n);
    return [id, n, ...verdictValues(verdict)];
  });
  yield* insertAll(VERDICTS, rows);
}
