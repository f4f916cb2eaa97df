import type { ItemEffect, Undoing, UndoingRun, UndoingStore } from '../contract/undoings.js';
import { idRange, packId, runOf, unpackId } from '../shared/ids.js';
import { mayHaveHadEffect } from '../shared/item-standing.js';
import { pagesOf } from '../shared/pages.js';
import {
  BY_RUN,
  EFFECT_COLUMNS,
  type EffectLine,
  KEY_COLUMNS,
  type KeyLine,
  keysToSettle,
  toEffect,
  toUndoing,
  UNDOING_LINES,
  UNDONE_ORDERS,
  type UndoingLine,
  type UndoneOrderLine,
  undoneBy,
} from '../shared/undoings.js';
import { Claims, lockKindred } from './claims.js';
import type { Database } from './database.js';
import { envelopeOf } from './pending.js';
import { lookUp } from './pieces.js';
import { lastOfPage } from './row-lines.js';
import type { RunNumbers } from './run-numbers.js';
import type { Queryable } from './transaction.js';
import { rowsOf } from './unknown-items.js';

/** Each item at the first of its rows. $3: ids of rows that it must have one of; null: any. */
const EFFECTS_OF_PAGE = `
SELECT ${EFFECT_COLUMNS}, ${rowsOf('items.id')} AS rows_json
FROM item_rows
${lookUp('items', 'items.id = item_rows.item AND items.first_row = item_rows."row"')}
${lookUp('bodies', 'bodies.item = items.id')}
LEFT ${lookUp('outcomes', 'outcomes.item = items.id')}
WHERE item_rows."row" > $1::bigint AND item_rows."row" <= $2::bigint AND ${mayHaveHadEffect('items.id')}
  AND ($3::bigint[] IS NULL OR EXISTS (SELECT 1 FROM item_rows AS own
    WHERE own.item = items.id AND own."row" = ANY ($3::bigint[])))
ORDER BY item_rows."row", items.id`;

const LINK = `
INSERT INTO undoings ("row", undone) SELECT * FROM unnest($1::bigint[], $2::bigint[])
ON CONFLICT ("row") DO UPDATE SET undone = excluded.undone`;

/** What rows of a run undid for certain, or what somebody has settled since. */
const TO_SETTLE = `
SELECT undoings."row", undoings.undone FROM undoings
${lookUp('item_rows', 'item_rows."row" = undoings."row"')}
LEFT ${lookUp('outcomes', 'outcomes.item = item_rows.item')}
WHERE undoings."row" > $1::bigint AND undoings."row" < $2::bigint AND (outcomes.status = 'succeeded'
  OR EXISTS (SELECT 1 FROM resolutions WHERE resolutions.item = item_rows.item))
ORDER BY undoings."row" LIMIT 500`;

const TAKEN_BACK = `
SELECT undoings.undone FROM item_rows JOIN undoings ON undoings."row" = item_rows."row"
WHERE item_rows.item = ANY ($1::bigint[])`;

export class PostgresUndoingStore implements UndoingStore {
  readonly #db: Database;
  readonly #numbers: RunNumbers;
  readonly #claims = new Claims();

  constructor(db: Database, numbers: RunNumbers) {
    this.#db = db;
    this.#numbers = numbers;
  }

  async *effects(run: string, rows?: readonly number[]): AsyncIterable<readonly ItemEffect[]> {
    const { number } = await this.#numbers.of(run);
    const { first, end } = idRange(number);
    const only = rows ? rows.map((it) => packId(number, it)) : null;
    for (let after = first; ; ) {
      const last = await lastOfPage(this.#db, after, end);
      if (last === undefined) return;
      const lines = await this.#db.all<EffectLine>(EFFECTS_OF_PAGE, [after, last, only]);
      const undone = await this.#undone(lines.map((it) => it.id));
      const envelopes = new Map<number, ItemEffect['envelope']>();
      for (const { envelope } of lines) {
        if (!envelopes.has(envelope)) envelopes.set(envelope, await envelopeOf(this.#db, envelope));
      }
      const effects = lines.map((it) => toEffect(it, envelopes.get(it.envelope)!, undone.get(it.id)));
      if (effects.length > 0) yield effects;
      after = last;
    }
  }

  async link(run: string, links: Parameters<UndoingStore['link']>[1]): Promise<void> {
    const { number } = await this.#numbers.of(run);
    const undone: number[] = [];
    for (const it of links) {
      undone.push(packId((await this.#numbers.of(it.undone.run)).number, it.undone.item));
    }
    const rows = links.map((it) => packId(number, it.row));
    await this.#db.transaction((tx) => tx.run(LINK, [rows, undone]));
  }

  async settle(run: string): Promise<void> {
    const own = await this.#numbers.of(run);
    const { first, end } = idRange(own.number);
    const pages = pagesOf(
      first,
      (after) => this.#db.all<{ row: number; undone: number }>(TO_SETTLE, [after, end]),
      (it) => it.row,
    );
    for await (const page of pages) {
      const items = page.map((it) => it.undone);
      await this.#db.transaction(async (tx) => {
        await lockKindred(tx, own);
        const { released, kept } = await keysToSettle(readsOf(tx), items);
        await this.#claims.giveUpAll(tx, await keysOf(tx, released));
        for (const it of await keysOf(tx, kept)) if (it.effect === 1) await this.#claims.keep(tx, it);
      });
    }
  }

  async orders(run: string): Promise<ReadonlyMap<string, Undoing>> {
    const scopes = await this.#numbers.scopes(run);
    const sql = `${UNDONE_ORDERS} AND runs.scope = ANY ($1::bigint[]) AND undoings."row" > $2::bigint
ORDER BY undoings."row" LIMIT 1000`;
    const orders = new Map<string, Undoing>();
    const pages = pagesOf(
      0,
      (after) => this.#db.all<UndoneOrderLine>(sql, [scopes, after]),
      (it) => it.row,
    );
    for await (const page of pages) {
      for (const { row, id } of page) {
        const by = await this.#numbers.name(runOf(row));
        orders.set(id, { run: by, row: unpackId(row), status: 'succeeded' });
      }
    }
    return orders;
  }

  async by(run: string): Promise<readonly UndoingRun[]> {
    const { first, end } = idRange((await this.#numbers.of(run)).number);
    const sql = `${BY_RUN} WHERE undoings.undone > $1::bigint AND undoings.undone < $2::bigint GROUP BY 1 ORDER BY 1`;
    const found: UndoingRun[] = [];
    for (const it of await this.#db.all<{ run: number; rows: number; succeeded: number }>(sql, [
      first,
      end,
    ])) {
      found.push({ ...it, run: await this.#numbers.name(it.run) });
    }
    return found;
  }

  async ofRow(run: string, row: number): Promise<readonly Undoing[]> {
    const id = packId((await this.#numbers.of(run)).number, row);
    const sql = 'SELECT item FROM item_rows WHERE "row" = $1 ORDER BY item';
    const items = await this.#db.all<{ item: number }>(sql, [id]);
    return [...(await this.#undone(items.map((it) => it.item))).values()];
  }

  async #undone(items: readonly number[]): Promise<ReadonlyMap<number, Undoing>> {
    const undone = new Map<number, Undoing>();
    for (const [item, it] of await undoneBy(readsOf(this.#db), items)) {
      undone.set(item, toUndoing(it, await this.#numbers.name(runOf(it.row))));
    }
    return undone;
  }
}

function readsOf(db: Queryable) {
  return {
    of: (items: readonly number[]) =>
      db.all<UndoingLine>(`${UNDOING_LINES} WHERE undoings.undone = ANY ($1::bigint[])`, [items]),
    takenBackBy: (items: readonly number[]) => db.all<{ undone: number }>(TAKEN_BACK, [items]),
  };
}

function keysOf(tx: Queryable, items: readonly number[]): Promise<KeyLine[]> {
  const sql = `${KEY_COLUMNS} WHERE items.item_key IS NOT NULL AND items.id = ANY ($1::bigint[])`;
  return tx.all<KeyLine>(`${sql} ORDER BY runs.scope, items.item_key`, [items]);
}
