import type { Json, JsonObject } from '../../model/json.js';
import { ASSETS, CUSTOMER_DATA } from '../../model/thing.js';
import { exactParse } from '../../util/exact-json.js';
import type { NamedThings, UnindexedRun } from '../contract/asset-index.js';
import { pagesOf } from './chunks.js';
import type { Dialect } from './dialect.js';
import { idRange, packId, unpackId } from './ids.js';
import { mayHaveHadEffect } from './item-state.js';
import { SqlStore } from './runner.js';
import { execute, query, type Sql, type SqlParameter } from './statement.js';

export const THINGS_AT_ONCE = 500;

/** Whether the index contains a thing. Orders and other ids of customers are only stored with the items. */
export function isIndexed(thing: number): boolean {
  return thing < ASSETS.end || thing >= CUSTOMER_DATA.from;
}

/** `isIndexed` of `named` in SQL. */
export const IS_INDEXED = `(named.value < ${ASSETS.end} OR named.value >= ${CUSTOMER_DATA.from})`;

/** The form stored with items. */
export function thingsJson(things: readonly number[] | undefined): string | null {
  return things === undefined || things.length === 0 ? null : `[${things.join(',')}]`;
}

const forgetSql = (items: (dialect: Dialect) => string) => (dialect: Dialect) =>
  `
DELETE FROM things WHERE (thing, item) IN (
  SELECT named.value, items.id FROM items CROSS JOIN ${dialect.each('items.things')} AS named
  WHERE ${items(dialect)} AND ${IS_INDEXED})`;

const OF_CHUNK = 'items.id > $1 AND items.id <= $2';

/** Removes what items with ids after $1 and up to $2 name from the index. */
export const FORGET_THINGS = forgetSql(() => OF_CHUNK);

/** `FORGET_THINGS` for a list of items. */
export const FORGET_THINGS_OF = forgetSql((dialect) => `items.id ${dialect.in('$1', 'bigint')}`);

const HAD_EFFECT = `EXISTS (SELECT 1 FROM items AS effective LEFT JOIN outcomes ON outcomes.item = effective.id
    WHERE effective.id = items.id AND ${mayHaveHadEffect('effective.id')})`;

/** `FORGET_THINGS` for a run that is pruned: the entries of items that took effect, or may have, are kept. */
export const KEEP_THINGS: readonly Sql[] = [
  `INSERT INTO kept_things (item, things)
SELECT items.id, items.things FROM items WHERE ${OF_CHUNK} AND items.things IS NOT NULL AND ${HAD_EFFECT}`,
  forgetSql(() => `${OF_CHUNK} AND NOT ${HAD_EFFECT}`),
];

const ADD = 'INSERT INTO things (thing, item) VALUES ($1, $2) ON CONFLICT DO NOTHING';

const UNINDEXED =
  'SELECT name AS run, kind, operation FROM runs WHERE things_indexed = 0 AND pruned_at IS NULL';

const CONTENTS = `
SELECT items.id, items.item_key AS key, envelopes.json AS envelope, bodies.json AS body FROM items
JOIN envelopes ON envelopes.id = items.envelope JOIN bodies ON bodies.item = items.id
WHERE items.id > $1 AND items.id < $2 ORDER BY items.id LIMIT ${THINGS_AT_ONCE}`;

interface ItemContent {
  readonly item: number;
  /** Null if the operation has no keys. */
  readonly key: string | null;
  readonly envelope: JsonObject;
  readonly body: Json;
}

/** The index of what items name, and the indexing of runs that were planned without it. */
export class ThingIndex extends SqlStore {
  unindexed(): Promise<readonly UnindexedRun[]> {
    return this.readAll<UnindexedRun>(UNINDEXED);
  }

  /** Adds what items of an unindexed run name. May be repeated. */
  add(run: string, items: readonly NamedThings[]): Promise<void> {
    return this.db.writeRun(run, function* ({ number }) {
      for (const { item, things } of items) {
        const id = packId(number, item);
        yield* execute('UPDATE items SET things = $1 WHERE id = $2', thingsJson(things), id);
        for (const thing of things.filter(isIndexed)) yield* execute(ADD, thing, id);
      }
    });
  }

  /** Marks a run as indexed, after all its items were added. */
  async indexed(run: string): Promise<void> {
    const sql = 'UPDATE runs SET things_indexed = 1 WHERE id = $1';
    await this.db.writeRun(run, ({ number }) => execute(sql, number));
  }

  /** The content of the run's items, in order and in pages. */
  async *contents(run: string): AsyncGenerator<readonly ItemContent[]> {
    const { first, end } = idRange(await this.numberOf(run));
    const read = (after: number) =>
      this.readAll<{ id: number; key: string | null; envelope: string; body: string }>(CONTENTS, after, end);
    for await (const page of pagesOf(first, read, (it) => it.id)) {
      yield page.map(({ id, key, envelope, body }) => ({
        item: unpackId(id),
        key,
        envelope: exactParse(envelope) as JsonObject,
        body: exactParse(body) as Json,
      }));
    }
  }
  protected readAll<Line>(sql: Sql, ...values: readonly SqlParameter[]): Promise<readonly Line[]> {
    return this.db.read(() => query<Line>(sql, ...values), 'outcomes');
  }
}
