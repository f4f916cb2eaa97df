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
import { Claims } from './claims.js';
import type { Database } from './database.js';
import type { GroupCommit } from './group-commit.js';
import { envelopeOf } from './pending.js';
import { lastOfPage } from './row-lines.js';
import type { RunNumbers } from './run-numbers.js';
import { rowsOf } from './unknown-items.js';

const ROWS_AT_ONCE = 500;

const IDS = 'IN (SELECT value FROM json_each(?))';

/** Each item at the first of its rows. ?3: ids of rows that it must have one of, as a JSON array; null: any. */
const EFFECTS_OF_PAGE = `
SELECT ${EFFECT_COLUMNS}, ${rowsOf('items.id')} AS rows_json
FROM item_rows
CROSS JOIN items ON items.id = item_rows.item AND items.first_row = item_rows."row"
CROSS JOIN bodies ON bodies.item = items.id
LEFT JOIN outcomes ON outcomes.item = items.id
WHERE item_rows."row" > ?1 AND item_rows."row" <= ?2 AND ${mayHaveHadEffect('items.id')}
  AND (?3 IS NULL OR EXISTS (SELECT 1 FROM item_rows AS own
    WHERE own.item = items.id AND own."row" IN (SELECT value FROM json_each(?3))))
ORDER BY item_rows."row", items.id`;

const LINK = `
INSERT INTO undoings ("row", undone) VALUES (?, ?) ON CONFLICT ("row") DO UPDATE SET undone = excluded.undone`;

/** What rows of a run undid for certain, or what somebody has settled since. */
const TO_SETTLE = `
SELECT undoings."row" AS "row", undoings.undone FROM undoings
JOIN item_rows ON item_rows."row" = undoings."row"
LEFT JOIN outcomes ON outcomes.item = item_rows.item
WHERE undoings."row" > ? AND undoings."row" < ? AND (outcomes.status = 'succeeded'
  OR EXISTS (SELECT 1 FROM resolutions WHERE resolutions.item = item_rows.item))
ORDER BY undoings."row" LIMIT ${ROWS_AT_ONCE}`;

const TAKEN_BACK = `
SELECT undoings.undone FROM item_rows JOIN undoings ON undoings."row" = item_rows."row" WHERE item_rows.item ${IDS}`;

export class SqliteUndoingStore implements UndoingStore {
  readonly #db: Database;
  readonly #numbers: RunNumbers;
  readonly #group: GroupCommit;
  readonly #claims: Claims;

  constructor(db: Database, numbers: RunNumbers, group: GroupCommit) {
    this.#db = db;
    this.#numbers = numbers;
    this.#group = group;
    this.#claims = new Claims(db, numbers);
  }

  async *effects(run: string, rows?: readonly number[]): AsyncIterable<readonly ItemEffect[]> {
    const { number } = this.#numbers.of(run);
    const { first, end } = idRange(number);
    const only = rows ? JSON.stringify(rows.map((it) => packId(number, it))) : null;
    for (let after = first; ; ) {
      this.#group.catchUp();
      const last = this.#db.read(() => lastOfPage(this.#db, after, end, ROWS_AT_ONCE));
      if (last === undefined) return;
      const from = after;
      const lines = this.#db.read(() => this.#db.all<EffectLine>(EFFECTS_OF_PAGE, from, last, only));
      const undone = await this.#undone(lines.map((it) => it.id));
      const effects = lines.map((it) => toEffect(it, this.#envelope(it.envelope), undone.get(it.id)));
      if (effects.length > 0) yield effects;
      after = last;
    }
  }

  async link(run: string, links: Parameters<UndoingStore['link']>[1]): Promise<void> {
    this.#db.write(() => {
      const { number } = this.#numbers.of(run);
      for (const { row, undone } of links) {
        this.#db.run(LINK, packId(number, row), packId(this.#numbers.of(undone.run).number, undone.item));
      }
    });
  }

  async settle(run: string): Promise<void> {
    const { number, scope } = this.#numbers.of(run);
    const kindred = this.#db.read(() => this.#numbers.kindredScopes({ number, scope }));
    const { first, end } = idRange(number);
    this.#group.catchUp();
    const pages = pagesOf(
      first,
      (after) => this.#db.read(() => this.#db.all<{ row: number; undone: number }>(TO_SETTLE, after, end)),
      (it) => it.row,
    );
    for await (const page of pages) {
      const items = page.map((it) => it.undone);
      const { released, kept } = await keysToSettle(this.#reads, items);
      this.#group.write(() => {
        for (const it of this.#keys(released)) this.#claims.giveUp(it.scope, it.key, it.item);
        for (const it of this.#keys(kept)) {
          if (it.effect === 1) this.#claims.keep(it.scope, it.key, it.item, kindred);
        }
      });
    }
  }

  async orders(run: string): Promise<ReadonlyMap<string, Undoing>> {
    this.#group.catchUp();
    const scopes = this.#db.read(() => JSON.stringify(this.#numbers.scopes(run)));
    const sql = `${UNDONE_ORDERS} AND runs.scope ${IDS} AND undoings."row" > ? ORDER BY undoings."row" LIMIT 1000`;
    const orders = new Map<string, Undoing>();
    const pages = pagesOf(
      0,
      (after) => this.#db.read(() => this.#db.all<UndoneOrderLine>(sql, scopes, after)),
      (it) => it.row,
    );
    for await (const page of pages) {
      for (const { row, id } of page) {
        orders.set(id, { run: this.#numbers.name(runOf(row)), row: unpackId(row), status: 'succeeded' });
      }
    }
    return orders;
  }

  async by(run: string): Promise<readonly UndoingRun[]> {
    this.#group.catchUp();
    const { first, end } = idRange(this.#numbers.of(run).number);
    const sql = `${BY_RUN} WHERE undoings.undone > ? AND undoings.undone < ? GROUP BY 1 ORDER BY 1`;
    return this.#db.read(() =>
      this.#db
        .all<{ run: number; rows: number; succeeded: number }>(sql, first, end)
        .map((it) => ({ ...it, run: this.#numbers.name(it.run) })),
    );
  }

  async ofRow(run: string, row: number): Promise<readonly Undoing[]> {
    this.#group.catchUp();
    const id = packId(this.#numbers.of(run).number, row);
    const items = this.#db.read(() =>
      this.#db.all<{ item: number }>('SELECT item FROM item_rows WHERE "row" = ? ORDER BY item', id),
    );
    return [...(await this.#undone(items.map((it) => it.item))).values()];
  }

  async #undone(items: readonly number[]): Promise<ReadonlyMap<number, Undoing>> {
    const found = await undoneBy(this.#reads, items);
    return new Map([...found].map(([item, it]) => [item, toUndoing(it, this.#numbers.name(runOf(it.row)))]));
  }

  readonly #reads = {
    of: (items: readonly number[]) =>
      this.#db.read(() =>
        this.#db.all<UndoingLine>(`${UNDOING_LINES} WHERE undoings.undone ${IDS}`, JSON.stringify(items)),
      ),
    takenBackBy: (items: readonly number[]) =>
      this.#db.read(() => this.#db.all<{ undone: number }>(TAKEN_BACK, JSON.stringify(items))),
  };

  #keys(items: readonly number[]): readonly KeyLine[] {
    const sql = `${KEY_COLUMNS} WHERE items.item_key IS NOT NULL AND items.id ${IDS}`;
    return this.#db.all<KeyLine>(sql, JSON.stringify(items));
  }

  #envelope(id: number) {
    return this.#db.read(() => envelopeOf(this.#db, id));
  }
}
