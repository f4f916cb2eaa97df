import type { Json, JsonObject } from '../../model/json.js';
import { ASSETS, CUSTOMERS } from '../../model/thing.js';
import { exactParse } from '../../util/exact-json.js';
import type {
  NamedAsset,
  NamedThings,
  NamingItem,
  RevertedItem,
  ThingStore,
  UnindexedRun,
} from '../contract/things.js';
import { EFFECTS } from '../rules/item-standing.js';
import { idRange, packId, type RunNumber, unpackId } from './ids.js';
import { mayHaveHadEffect, sqlList, TO_BE_SENT } from './item-standing.js';
import { pagesOf, pause } from './pages.js';
import type { PlainStatement, PlainStatements } from './plain-statements.js';
import { isUndone } from './undoings.js';

const ITEMS_AT_ONCE = 1000;
const THINGS_AT_ONCE = 500;
/** Of an asset that very many items name. */
const LATEST = 50;
const PER_RUN = packId(1, 0);

/** The numbers of a JSON array as a table with the column `value`, in a dialect. */
type Each = (json: string) => string;

/** Whether the index contains a thing. Customers and orders are only stored with the items. */
export function isIndexed(thing: number): boolean {
  return thing < ASSETS.end;
}

/** As items store it. */
export function thingsJson(things: readonly number[] | undefined): string | null {
  return things === undefined || things.length === 0 ? null : `[${things.join(',')}]`;
}

/** @param items a condition on the ids of `items` */
export function forgetThings(each: Each, items: string, condition = ''): string {
  return `
DELETE FROM things WHERE (thing, item) IN (
  SELECT named.value, items.id FROM items CROSS JOIN ${each('items.things')} AS named
  WHERE ${items} AND named.value < ${ASSETS.end} ${condition})`;
}

export function keepThings(each: Each, items: string): readonly string[] {
  const effect = (
    item: string,
  ) => `EXISTS (SELECT 1 FROM items AS effective LEFT JOIN outcomes ON outcomes.item = effective.id
    WHERE effective.id = ${item} AND ${mayHaveHadEffect('effective.id')})`;
  return [
    `INSERT INTO kept_things (item, things)
SELECT items.id, items.things FROM items WHERE ${items} AND items.things IS NOT NULL AND ${effect('items.id')}`,
    forgetThings(each, items, `AND NOT ${effect('items.id')}`),
  ];
}

const ADD = 'INSERT INTO things (thing, item) VALUES ($1, $2) ON CONFLICT DO NOTHING';

const UNINDEXED =
  'SELECT name AS run, kind, operation FROM runs WHERE things_indexed = 0 AND pruned_at IS NULL';

const CONTENTS = `
SELECT items.id, envelopes.json AS envelope, bodies.json AS body FROM items
JOIN envelopes ON envelopes.id = items.envelope JOIN bodies ON bodies.item = items.id
WHERE items.id > $1 AND items.id < $2 ORDER BY items.id LIMIT ${THINGS_AT_ONCE}`;

const LAST_OF_PAGE = `
SELECT max(id) AS id FROM (SELECT id FROM items WHERE id > $1 AND id < $2 ORDER BY id LIMIT ${ITEMS_AT_ONCE}) AS page`;

/** An item that names the asset of `named`: one lookup in the index, whatever the planner expects. */
const nextTo = (condition: string): string => `
(SELECT other.item FROM things AS other WHERE other.thing = named.value AND ${condition} LIMIT 1)`;

const namedElsewhere = (each: Each): string => `
SELECT own.id AS item, named.value AS thing FROM items AS own LEFT JOIN outcomes ON outcomes.item = own.id
CROSS JOIN ${each('own.things')} AS named
WHERE own.id > $1 AND own.id <= $2 AND named.value < ${ASSETS.end} AND ${TO_BE_SENT}
  AND (${nextTo('other.item < $3 ORDER BY other.item DESC')} IS NOT NULL
    OR ${nextTo('other.item > $4 ORDER BY other.item')} IS NOT NULL)
ORDER BY own.id, named.value`;

const namedAgain = (each: Each): string => `
SELECT DISTINCT named.value AS thing FROM items AS own CROSS JOIN ${each('own.things')} AS named
WHERE own.id > $1 AND own.id <= $2 AND named.value < ${ASSETS.end}
  AND ${nextTo('other.item > $3 ORDER BY other.item')} < own.id`;

const KIND = `customers.value / ${CUSTOMERS.from}`;

const forSeveral = (each: Each): string => `
SELECT DISTINCT thing FROM (
  SELECT things.thing FROM things JOIN items ON items.id = things.item CROSS JOIN ${each('items.things')} AS customers
  WHERE things.thing IN ${list(each, '$1')} AND things.item > $2 AND things.item < $3
    AND customers.value >= ${CUSTOMERS.from} AND customers.value < ${CUSTOMERS.end}
  GROUP BY things.thing, ${KIND} HAVING min(customers.value) <> max(customers.value)) AS found`;

const SHARING = `
SELECT things.item AS id, items.things FROM things JOIN items ON items.id = things.item
WHERE things.thing = $1 AND things.item > $2 AND things.item < $3 ORDER BY things.item`;

const rowsOf = (each: Each): string =>
  `SELECT item, "row" AS "row" FROM item_rows WHERE item IN ${list(each, '$1')} ORDER BY item, "row"`;

const list = (each: Each, json: string): string => `(SELECT listed.value FROM ${each(json)} AS listed)`;

const lastSent = (item: string): string => `
coalesce((SELECT max(attempts.started_at) FROM batch_items JOIN attempts ON attempts.batch = batch_items.batch
  WHERE batch_items.item = ${item}), runs.started_at)`;

const REVERTS = `
(SELECT min(undoings.undone) FROM item_rows AS reverting JOIN undoings ON undoings."row" = reverting."row"
  WHERE reverting.item = other.item)`;

/** $2, $3: ids before and after the run's own, which are excluded; $4: its scopes; $5: the run that it is a step of. */
const naming = (each: Each, operations: string): string => `
SELECT thing, id, run, "row", operation, status, at, undoes, things FROM (
  SELECT other.thing, other.item AS id, runs.name AS run, items.first_row AS "row", runs.operation,
    CASE WHEN runs.pruned_at IS NOT NULL THEN 'succeeded' WHEN outcomes.status IN (${sqlList(EFFECTS)}) THEN outcomes.status
      WHEN ${mayHaveHadEffect('other.item')} THEN 'unknown' ELSE 'pending' END AS status,
    ${lastSent('other.item')} AS at, ${REVERTS} AS undoes,
    coalesce(items.things, kept_things.things) AS things,
    row_number() OVER (PARTITION BY other.thing ORDER BY other.item DESC) AS n
  FROM things AS other JOIN runs ON runs.id = other.item / ${PER_RUN}
  LEFT JOIN items ON items.id = other.item LEFT JOIN kept_things ON kept_things.item = other.item
  LEFT JOIN outcomes ON outcomes.item = other.item
  WHERE other.thing IN ${list(each, '$1')} AND NOT (other.item > $2 AND other.item < $3) AND runs.scope IN ${list(each, '$4')}
    ${operations} AND NOT ${isUndone('other.item')}
    AND (runs.pruned_at IS NOT NULL OR ${mayHaveHadEffect('other.item')}
      OR (${TO_BE_SENT} AND (runs.parent = $5
        OR (runs.kind = 'run' AND runs.state IN ('planned', 'queued', 'executing')))))
) AS named WHERE n <= ${LATEST} ORDER BY thing, at DESC, id DESC`;

const OF_ORDERS = "AND runs.operation IN ('order.new_buy', 'order.delete_asset')";

const thingsOf = (each: Each): string => `SELECT id, things FROM items WHERE id IN ${list(each, '$1')}`;

const revertedBy = (each: Each): string => `
SELECT own.item, undoings.undone AS id, runs.name AS run, ${lastSent('undoings.undone')} AS at
FROM item_rows AS own JOIN undoings ON undoings."row" = own."row" JOIN runs ON runs.id = undoings.undone / ${PER_RUN}
WHERE own.item IN ${list(each, '$1')}`;

const PARENT = 'SELECT parent FROM runs WHERE id = $1 AND step IS NOT NULL';

interface ThingParts {
  readonly statements: PlainStatements;
  readonly numbers: {
    of(run: string): RunNumber | Promise<RunNumber>;
    scopes(run: string): readonly number[] | Promise<readonly number[]>;
  };
  readonly each: Each;
  /** Outcomes may wait in memory. */
  readonly catchUp?: () => void;
}

type NamingLine = Omit<NamingItem, 'row' | 'undoes' | 'things'> & {
  readonly row: number | null;
  readonly things: string | null;
  readonly undoes: number | null;
};

export class PlainThingStore implements ThingStore {
  readonly #parts: ThingParts;

  constructor(parts: ThingParts) {
    this.#parts = parts;
  }

  unindexed(): Promise<readonly UnindexedRun[]> {
    return this.#parts.statements.all<UnindexedRun>(UNINDEXED, []);
  }

  async add(run: string, items: readonly NamedThings[]): Promise<void> {
    const { number } = await this.#parts.numbers.of(run);
    const statements = items.flatMap(({ item, things }): readonly PlainStatement[] => {
      const id = packId(number, item);
      return [
        ['UPDATE items SET things = $1 WHERE id = $2', [thingsJson(things), id]],
        ...things.filter(isIndexed).map((it): PlainStatement => [ADD, [it, id]]),
      ];
    });
    await this.#parts.statements.together(['SELECT 1', []], statements);
  }

  async indexed(run: string): Promise<void> {
    const { number } = await this.#parts.numbers.of(run);
    await this.#parts.statements.run('UPDATE runs SET things_indexed = 1 WHERE id = $1', [number]);
  }

  async *contents(
    run: string,
  ): AsyncGenerator<
    readonly { readonly item: number; readonly envelope: JsonObject; readonly body: Json }[]
  > {
    const { first, end } = await this.#range(run);
    const read = (after: number) =>
      this.#parts.statements.all<{ id: number; envelope: string; body: string }>(CONTENTS, [after, end]);
    for await (const page of pagesOf(first, read, (it) => it.id)) {
      yield page.map(({ id, envelope, body }) => ({
        item: unpackId(id),
        envelope: exactParse(envelope) as JsonObject,
        body: exactParse(body) as Json,
      }));
    }
  }

  async *namedElsewhere(run: string): AsyncGenerator<readonly NamedAsset[]> {
    this.#parts.catchUp?.();
    const sql = namedElsewhere(this.#parts.each);
    const { first, end } = await this.#range(run);
    for await (const { after, last } of this.#pages(run)) {
      const lines = await this.#parts.statements.all<NamedAsset>(sql, [after, last, first, end]);
      if (lines.length > 0) yield lines.map(({ item, thing }) => ({ item: unpackId(item), thing }));
    }
  }

  async namedForSeveral(run: string): Promise<readonly number[]> {
    const { first, end } = await this.#range(run);
    const again = new Set<number>();
    const sql = namedAgain(this.#parts.each);
    for await (const { after, last } of this.#pages(run)) {
      const lines = await this.#parts.statements.all<{ thing: number }>(sql, [after, last, first]);
      for (const { thing } of lines) again.add(thing);
    }
    const several = forSeveral(this.#parts.each);
    return this.#inParts([...again], async (assets) => {
      const found = await this.#parts.statements.all<{ thing: number }>(several, [assets, first, end]);
      return found.map((it) => it.thing);
    });
  }

  async sharing(run: string, asset: number): Promise<readonly NamedThings[]> {
    const { first, end } = await this.#range(run);
    return toThings(await this.#parts.statements.all<ThingsLine>(SHARING, [asset, first, end]));
  }

  async rows(run: string, items: readonly number[]): Promise<ReadonlyMap<number, readonly number[]>> {
    const sql = rowsOf(this.#parts.each);
    const lines = await this.#ofItems<{ item: number; row: number }>(run, items, sql);
    return gathered(lines.map(({ item, row }) => [unpackId(item), unpackId(row)]));
  }

  async naming(
    run: string,
    assets: readonly number[],
    { operations, own = false }: Parameters<ThingStore['naming']>[2],
  ): Promise<readonly NamingItem[]> {
    const { statements, numbers, each, catchUp } = this.#parts;
    catchUp?.();
    const { number } = await numbers.of(run);
    const { first, end } = idRange(number);
    const scopes = JSON.stringify(await numbers.scopes(run));
    const parent = (await statements.get<{ parent: string }>(PARENT, [number]))?.parent ?? '';
    const sql = naming(each, operations === 'orders' ? OF_ORDERS : '');
    const without = own ? [end, first] : [first, end];
    return this.#inParts(assets, async (some) => {
      const lines = await statements.all<NamingLine>(sql, [some, ...without, scopes, parent]);
      return lines.map(({ row, undoes, things, ...it }) => ({
        ...it,
        things: parsed(things),
        ...(row === null ? {} : { row: unpackId(row) }),
        ...(undoes === null ? {} : { undoes }),
      }));
    });
  }

  async things(run: string, items: readonly number[]): Promise<readonly NamedThings[]> {
    return toThings(await this.#ofItems<ThingsLine>(run, items, thingsOf(this.#parts.each)));
  }

  async reverted(run: string, items: readonly number[]): Promise<ReadonlyMap<number, RevertedItem>> {
    const sql = revertedBy(this.#parts.each);
    const lines = await this.#ofItems<RevertedItem & { item: number }>(run, items, sql);
    return new Map(lines.map(({ item, ...it }) => [unpackId(item), it]));
  }

  async idOf(run: string, item: number): Promise<number> {
    return packId((await this.#parts.numbers.of(run)).number, item);
  }

  async #range(run: string): Promise<{ readonly first: number; readonly end: number }> {
    return idRange((await this.#parts.numbers.of(run)).number);
  }

  /** The ids of the run's items, some at a time. */
  async *#pages(run: string): AsyncGenerator<{ readonly after: number; readonly last: number }> {
    const { first, end } = await this.#range(run);
    for (let after = first; ; ) {
      const last = (await this.#parts.statements.get<{ id: number | null }>(LAST_OF_PAGE, [after, end]))?.id;
      if (typeof last !== 'number') return;
      yield { after, last };
      after = last;
      await pause();
    }
  }

  async #ofItems<Line>(run: string, items: readonly number[], sql: string): Promise<readonly Line[]> {
    const { number } = await this.#parts.numbers.of(run);
    const ids = items.map((it) => packId(number, it));
    return this.#inParts(ids, (some) => this.#parts.statements.all<Line>(sql, [some]));
  }

  async #inParts<Line>(
    numbers: readonly number[],
    read: (json: string) => Promise<readonly Line[]>,
  ): Promise<readonly Line[]> {
    const found: Line[] = [];
    for (let at = 0; at < numbers.length; at += THINGS_AT_ONCE) {
      found.push(...(await read(JSON.stringify(numbers.slice(at, at + THINGS_AT_ONCE)))));
    }
    return found;
  }
}

interface ThingsLine {
  readonly id: number;
  readonly things: string | null;
}

function toThings(lines: readonly ThingsLine[]): readonly NamedThings[] {
  return lines.map(({ id, things }) => ({ item: unpackId(id), things: parsed(things) }));
}

function parsed(things: string | null): readonly number[] {
  return things === null ? [] : (JSON.parse(things) as number[]);
}

/** Values by key, in order. */
function gathered(pairs: readonly (readonly [number, number])[]): ReadonlyMap<number, readonly number[]> {
  const found = new Map<number, number[]>();
  for (const [key, value] of pairs) {
    const values = found.get(key);
    if (values) values.push(value);
    else found.set(key, [value]);
  }
  return found;
}
