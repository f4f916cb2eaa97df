import { type Message, message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { PlannedItems } from '../../model/item.js';
import type { Json, JsonObject } from '../../model/json.js';
import { exactParse } from '../../util/exact-json.js';
import type { HeldItem } from '../contract/key-holder.js';
import type { PlanStore, RepeatedKey, RowVerdict } from '../contract/plan.js';
import { idRange, packId, unpackId } from '../shared/ids.js';
import { pagesOf } from '../shared/pages.js';
import type { InvalidItem } from '../shared/plan-checks.js';
import { verdictValues } from '../shared/row-lines.js';
import { columnsOf } from './bulk-insert.js';
import type { Database } from './database.js';
import { formBatches } from './form-batches.js';
import { heldKeys } from './held-keys.js';
import { ItemWriter } from './item-writer.js';
import { finishBatches, writeOutcomes } from './outcomes.js';
import { contradictions, itemsOfInvalidRows, repeatedKeys } from './plan-checks.js';
import { clearRun, clearThings, clearUndoings } from './prune.js';
import type { RunNumbers } from './run-numbers.js';
import { FORGET_THINGS_OF } from './things.js';
import type { Queryable } from './transaction.js';

const SENT = 'SELECT 1 FROM attempts WHERE batch > $1::bigint AND batch < $2::bigint LIMIT 1';

/** Numbered after those that are there, in the order given. */
const ADD_WARNINGS = `
INSERT INTO warnings (run, n, message_json)
SELECT $1::bigint, (SELECT coalesce(max(n), 0) FROM warnings WHERE run = $1::bigint) + added.n, added.json
FROM unnest($2::text[]) WITH ORDINALITY AS added (json, n)`;

/** The same for the verdicts of each row. */
const ADD_VERDICTS = `
INSERT INTO verdicts ("row", n, status, faults_json, message_json, license_order_id, columns_json, records_json)
SELECT added."row",
  (SELECT coalesce(max(verdicts.n), 0) FROM verdicts WHERE verdicts."row" = added."row")
    + row_number() OVER (PARTITION BY added."row" ORDER BY added.n),
  added.status, added.faults, added.message, added.license_order_id, added.columns, added.records
FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[]) WITH ORDINALITY
  AS added ("row", status, faults, message, license_order_id, columns, records, n)`;

const CONTENT = `
SELECT envelopes.json AS envelope, bodies.json AS body FROM items
JOIN envelopes ON envelopes.id = items.envelope JOIN bodies ON bodies.item = items.id WHERE items.id = $1`;

const WHICH_HELD =
  'SELECT item_key FROM item_keys WHERE scope = ANY($1::bigint[]) AND item_key = ANY($2::text[])';

const BATCHES_OF = 'SELECT DISTINCT batch FROM batch_items WHERE item = ANY($1::bigint[]) ORDER BY batch';

const UNLINK = 'DELETE FROM item_rows WHERE item = $1 AND "row" = ANY($2::bigint[])';
const FIRST_LEFT = 'SELECT min("row") AS "row" FROM item_rows WHERE item = $1';

const FINISH = `
UPDATE runs SET state = $5, "rows" = $1,
  items = (SELECT count(*) FROM items WHERE id > $2::bigint AND id < $3::bigint) WHERE id = $4`;

const BODIES = `
SELECT item, json FROM bodies WHERE item > $1::bigint AND item < $2::bigint ORDER BY item LIMIT 500`;

/**
 * Every writing call is one transaction: callers hand over many at a time. Only one process plans a run, by the run's
 * lock: what a statement has found of the run is so when the next one goes by it.
 */
export class PostgresPlanStore implements PlanStore {
  readonly #db: Database;
  readonly #numbers: RunNumbers;
  readonly #items = new ItemWriter();

  constructor(db: Database, numbers: RunNumbers) {
    this.#db = db;
    this.#numbers = numbers;
  }

  async clear(run: string, but?: 'invalid rows'): Promise<void> {
    const { number } = await this.#numbers.of(run);
    const { first, end } = idRange(number);
    await this.#db.transaction(async (tx) => {
      // The attempts are the only evidence of what was sent.
      if (await tx.get(SENT, [first, end]))
        throw new ProductError('internal', message('ledger.already_sent', { run }));
      await clearThings(tx, number);
      await clearRun(tx, number, but);
      await clearUndoings(tx, number);
      await tx.run('UPDATE runs SET "rows" = 0, items = 0 WHERE id = $1', [number]);
    });
    this.#items.forget();
  }

  async addItems(run: string, items: PlannedItems): Promise<void> {
    const { number } = await this.#numbers.of(run);
    await this.#db.transaction((tx) => this.#items.add(tx, number, items));
  }

  async addVerdicts(run: string, verdicts: readonly RowVerdict[]): Promise<void> {
    const { number } = await this.#numbers.of(run);
    await this.#db.transaction((tx) => addVerdicts(tx, number, verdicts));
  }

  async addWarnings(run: string, warnings: readonly Message[]): Promise<void> {
    const { number } = await this.#numbers.of(run);
    const texts = warnings.map((it) => JSON.stringify(it));
    await this.#db.transaction((tx) => tx.run(ADD_WARNINGS, [number, texts]));
  }

  async warnings(run: string): Promise<readonly Message[]> {
    const { number } = await this.#numbers.of(run);
    const sql = 'SELECT message_json FROM warnings WHERE run = $1 ORDER BY n';
    const lines = await this.#db.all<{ message_json: string }>(sql, [number]);
    return lines.map((it) => JSON.parse(it.message_json) as Message);
  }

  async *repeatedKeys(run: string): AsyncIterable<RepeatedKey> {
    yield* repeatedKeys(this.#db, (await this.#numbers.of(run)).number);
  }

  async *contradictions(run: string): AsyncIterable<RepeatedKey> {
    yield* contradictions(this.#db, (await this.#numbers.of(run)).number);
  }

  async content(run: string, item: number): Promise<{ readonly envelope: JsonObject; readonly body: Json }> {
    const { number } = await this.#numbers.of(run);
    const found = await this.#db.get<{ envelope: string; body: string }>(CONTENT, [packId(number, item)]);
    if (!found) throw new Error(`item ${item} of run ${run} is not planned`);
    return { envelope: exactParse(found.envelope) as JsonObject, body: exactParse(found.body) as Json };
  }

  async *itemsOfInvalidRows(run: string): AsyncIterable<InvalidItem> {
    yield* itemsOfInvalidRows(this.#db, (await this.#numbers.of(run)).number);
  }

  async unlink(run: string, item: number, rows: readonly number[]): Promise<void> {
    const { number } = await this.#numbers.of(run);
    const id = packId(number, item);
    await this.#db.transaction(async (tx) => {
      await tx.run(UNLINK, [id, rows.map((row) => packId(number, row))]);
      const left = (await tx.get<{ row: number | null }>(FIRST_LEFT, [id]))?.row;
      if (typeof left === 'number') await tx.run('UPDATE items SET first_row = $1 WHERE id = $2', [left, id]);
      else await removeItems(tx, [id]);
    });
  }

  heldKeys(run: string): AsyncIterable<HeldItem> {
    return heldKeys(this.#db, this.#numbers, run);
  }

  async whichHeld(run: string, keys: readonly string[]): Promise<ReadonlySet<string>> {
    const held = await this.#db.all<{ item_key: string }>(WHICH_HELD, [
      await this.#numbers.scopes(run),
      keys,
    ]);
    return new Set(held.map((it) => it.item_key));
  }

  async withdraw(
    run: string,
    items: readonly { readonly item: number; readonly verdicts: readonly RowVerdict[] }[],
  ): Promise<void> {
    const { number } = await this.#numbers.of(run);
    await this.#db.transaction(async (tx) => {
      await removeItems(
        tx,
        items.map(({ item }) => packId(number, item)),
      );
      await addVerdicts(
        tx,
        number,
        items.flatMap((it) => it.verdicts),
      );
    });
  }

  async refuse(
    run: string,
    items: readonly { readonly item: number; readonly reason: Message }[],
  ): Promise<void> {
    const { number } = await this.#numbers.of(run);
    await this.#db.transaction(async (tx) => {
      const written = await writeOutcomes(
        tx,
        items.map(({ item, reason }) => ({
          item: packId(number, item),
          attempts: 0,
          outcome: { status: 'invalid', message: reason } as const,
        })),
      );
      const batches = await tx.all<{ batch: number }>(BATCHES_OF, [[...written]]);
      await finishBatches(
        tx,
        batches.map((it) => it.batch),
      );
    });
  }

  async formBatches(
    run: string,
    size: number,
    apart = 0,
  ): Promise<{ readonly batches: number; readonly items: number }> {
    return formBatches(this.#db, (await this.#numbers.of(run)).number, size, apart);
  }

  async finish(run: string, rows: number, made?: 'given'): Promise<void> {
    const { number } = await this.#numbers.of(run);
    const { first, end } = idRange(number);
    await this.#db.transaction(async (tx) => {
      await tx.run('DELETE FROM merges WHERE run = $1', [number]);
      await tx.run(FINISH, [rows, first, end, number, made === 'given' ? 'planning' : 'planned']);
    });
  }

  async *bodies(run: string): AsyncIterable<{ readonly item: number; readonly body: Json }> {
    const { first, end } = idRange((await this.#numbers.of(run)).number);
    const read = (after: number) => this.#db.all<{ item: number; json: string }>(BODIES, [after, end]);
    for await (const page of pagesOf(first, read, (it) => it.item)) {
      for (const { item, json } of page) yield { item: unpackId(item), body: exactParse(json) as Json };
    }
  }
}

async function removeItems(tx: Queryable, ids: readonly number[]): Promise<void> {
  await tx.run('DELETE FROM item_rows WHERE item = ANY($1::bigint[])', [ids]);
  await tx.run(FORGET_THINGS_OF, [ids]);
  await tx.run('DELETE FROM bodies WHERE item = ANY($1::bigint[])', [ids]);
  await tx.run('DELETE FROM items WHERE id = ANY($1::bigint[])', [ids]);
}

async function addVerdicts(tx: Queryable, run: number, verdicts: readonly RowVerdict[]): Promise<void> {
  if (verdicts.length === 0) return;
  const rows = verdicts.map((it) => [packId(run, it.row), ...verdictValues(it)]);
  await tx.run(ADD_VERDICTS, columnsOf(rows, 7));
}
