import { ASSETS, CUSTOMERS } from '../../model/thing.js';
import type {
  NamedAsset,
  NamedThings,
  NamingItem,
  RevertedItem,
  SentAlike,
} from '../contract/asset-index.js';
import { EFFECTS } from '../rules/item-state.js';
import { IS_INDEXED, THINGS_AT_ONCE, ThingIndex } from './asset-index-sql.js';
import { chunksOf } from './chunks.js';
import type { Dialect } from './dialect.js';
import { idRange, packId, unpackId } from './ids.js';
import { mayHaveHadEffect, sqlList, TO_BE_SENT } from './item-state.js';
import { isReverted } from './reversals.js';
import type { Sql } from './statement.js';

const ITEMS_AT_ONCE = 1000;
/** Maximum number of items returned for an asset. */
const LATEST = 50;
const PER_RUN = packId(1, 0);

/** An item that names the asset of `named`, as a subquery with one lookup in the index. */
const nextTo = (condition: string): string => `
(SELECT other.item FROM things AS other WHERE other.thing = named.value AND ${condition} LIMIT 1)`;

const namedElsewhere = (dialect: Dialect): string => `
SELECT own.id AS item, named.value AS thing FROM items AS own LEFT JOIN outcomes ON outcomes.item = own.id
CROSS JOIN ${dialect.each('own.things')} AS named
WHERE own.id > $1 AND own.id <= $2 AND named.value < ${ASSETS.end} AND ${TO_BE_SENT}
  AND (${nextTo('other.item < $3 ORDER BY other.item DESC')} IS NOT NULL
    OR ${nextTo('other.item > $4 ORDER BY other.item')} IS NOT NULL)
ORDER BY own.id, named.value`;

/** The last item of other runs of the job, $5, that was sent successfully with the same content. $6: scopes. */
const lastAlike = (dialect: Dialect): string => `
(SELECT other.item FROM things AS other JOIN items AS sent ON sent.id = other.item
  JOIN outcomes AS done ON done.item = other.item JOIN runs ON runs.id = other.item / ${PER_RUN}
  WHERE other.thing = named.value AND NOT (other.item > $3 AND other.item < $4) AND sent.content = own.content
    AND done.status IN ('succeeded', 'accepted') AND runs.job = $5 AND runs.scope IN ${list(dialect, '$6')}
  ORDER BY other.item DESC LIMIT 1)`;

const sentAlike = (dialect: Dialect): string => `
SELECT own.id AS item, own.content, named.value AS thing, ${lastAlike(dialect)} AS last
FROM items AS own LEFT JOIN outcomes ON outcomes.item = own.id CROSS JOIN ${dialect.each('own.things')} AS named
WHERE own.id > $1 AND own.id <= $2 AND ${IS_INDEXED} AND ${TO_BE_SENT} ORDER BY own.id`;

const itemsSent = (dialect: Dialect): string => `
SELECT items.id, runs.name AS run, items.first_row AS "row", ${lastSent('items.id')} AS at
FROM items JOIN runs ON runs.id = items.id / ${PER_RUN} WHERE items.id IN ${list(dialect, '$1')}`;

const namedAgain = (dialect: Dialect): string => `
SELECT DISTINCT named.value AS thing FROM items AS own CROSS JOIN ${dialect.each('own.things')} AS named
WHERE own.id > $1 AND own.id <= $2 AND named.value < ${ASSETS.end}
  AND ${nextTo('other.item > $3 ORDER BY other.item')} < own.id`;

const KIND = `customers.value / ${CUSTOMERS.from}`;

const forSeveral = (dialect: Dialect): string => `
SELECT DISTINCT thing FROM (
  SELECT things.thing FROM things JOIN items ON items.id = things.item CROSS JOIN ${dialect.each('items.things')} AS customers
  WHERE things.thing IN ${list(dialect, '$1')} AND things.item > $2 AND things.item < $3
    AND customers.value >= ${CUSTOMERS.from} AND customers.value < ${CUSTOMERS.end}
  GROUP BY things.thing, ${KIND} HAVING min(customers.value) <> max(customers.value)) AS found`;

const SHARING = `
SELECT things.item AS id, items.things FROM things JOIN items ON items.id = things.item
WHERE things.thing = $1 AND things.item > $2 AND things.item < $3 ORDER BY things.item`;

const rowsOf = (dialect: Dialect): string =>
  `SELECT item, "row" AS "row" FROM item_rows WHERE item IN ${list(dialect, '$1')} ORDER BY item, "row"`;

const list = (dialect: Dialect, json: string): string =>
  `(SELECT listed.value FROM ${dialect.each(json)} AS listed)`;

const lastSent = (item: string): string => `
coalesce((SELECT max(attempts.started_at) FROM batch_items JOIN attempts ON attempts.batch = batch_items.batch
  WHERE batch_items.item = ${item}), runs.started_at)`;

const REVERTS = `
(SELECT min(undoings.undone) FROM item_rows AS reverting JOIN undoings ON undoings."row" = reverting."row"
  WHERE reverting.item = other.item)`;

/** $2, $3: bounds of the run's ids, which are excluded; $4: its scopes; $5: the whole run of a step. */
const naming = (dialect: Dialect, operations: string): string => `
SELECT thing, id, run, "row", job, operation, content, status, at, undoes, things FROM (
  SELECT other.thing, other.item AS id, runs.name AS run, items.first_row AS "row", runs.job, runs.operation, items.content,
    CASE WHEN runs.pruned_at IS NOT NULL THEN 'succeeded' WHEN outcomes.status IN (${sqlList(EFFECTS)}) THEN outcomes.status
      WHEN ${mayHaveHadEffect('other.item')} THEN 'unknown' ELSE 'pending' END AS status,
    ${lastSent('other.item')} AS at, ${REVERTS} AS undoes,
    coalesce(items.things, kept_things.things) AS things,
    row_number() OVER (PARTITION BY other.thing ORDER BY other.item DESC) AS n
  FROM things AS other JOIN runs ON runs.id = other.item / ${PER_RUN}
  LEFT JOIN items ON items.id = other.item LEFT JOIN kept_things ON kept_things.item = other.item
  LEFT JOIN outcomes ON outcomes.item = other.item
  WHERE other.thing IN ${list(dialect, '$1')} AND NOT (other.item > $2 AND other.item < $3) AND runs.scope IN ${list(dialect, '$4')}
    ${operations} AND NOT ${isReverted('other.item')}
    AND (runs.pruned_at IS NOT NULL OR ${mayHaveHadEffect('other.item')}
      OR (${TO_BE_SENT} AND (runs.parent = $5
        OR (runs.kind = 'run' AND runs.state IN ('planned', 'queued', 'executing')))))
) AS named WHERE n <= ${LATEST} ORDER BY thing, at DESC, id DESC`;

const OF_ORDERS = "AND runs.operation IN ('order.new_buy', 'order.delete_asset')";

const runsNaming = (dialect: Dialect): string => `
SELECT DISTINCT runs.name AS run FROM things JOIN runs ON runs.id = things.item / ${PER_RUN}
WHERE things.thing IN ${list(dialect, '$1')}`;

const thingsOf = (dialect: Dialect): string =>
  `SELECT id, things FROM items WHERE id IN ${list(dialect, '$1')}`;

const revertedBy = (dialect: Dialect): string => `
SELECT own.item, undoings.undone AS id, runs.name AS run, ${lastSent('undoings.undone')} AS at
FROM item_rows AS own JOIN undoings ON undoings."row" = own."row" JOIN runs ON runs.id = undoings.undone / ${PER_RUN}
WHERE own.item IN ${list(dialect, '$1')}`;

const PARENT = 'SELECT parent FROM runs WHERE id = $1 AND step IS NOT NULL';

type NamingLine = Omit<NamingItem, 'row' | 'undoes' | 'things' | 'content'> & {
  readonly row: number | null;
  readonly content: string | null;
  readonly things: string | null;
  readonly undoes: number | null;
};

/**
 * The index of things: the assets, customers and orders that items name. It is written with the items of a plan. Things are
 * numbered by `thingNumber`.
 */
export class AssetIndex extends ThingIndex {
  /** Items of the run that are still to be sent, with each asset that an item of another run names too; by item, in pages. */
  async *namedElsewhere(run: string): AsyncGenerator<readonly NamedAsset[]> {
    const { first, end } = idRange(await this.numberOf(run));
    for await (const { after, last } of this.#pages(run)) {
      const lines = await this.readAll<NamedAsset>(namedElsewhere, after, last, first, end);
      if (lines.length > 0) yield lines.map(({ item, thing }) => ({ item: unpackId(item), thing }));
    }
  }

  /** Items still to be sent that other runs of the job sent before; one entry for each indexed thing that they name. */
  async *sentAlike(run: string, job: string): AsyncGenerator<readonly SentAlike[]> {
    const { first, end } = idRange(await this.numberOf(run));
    const scopes = JSON.stringify(await this.db.read(() => this.db.runs.scopes(run)));
    for await (const { after, last } of this.#pages(run)) {
      const all = await this.readAll<SentAlikeLine>(sentAlike, after, last, first, end, job, scopes);
      const lines = all.filter((it) => it.last !== null);
      if (lines.length === 0) continue;
      const ids = [...new Set(lines.map((it) => it.last!))];
      const sent = await this.#inParts(ids, (some) => this.readAll<SentLine>(itemsSent, some));
      const byId = new Map(sent.map((it) => [it.id, { ...it, row: unpackId(it.row) }]));
      yield lines.map(({ item, thing, content, last: id }) => ({
        ...{ item: unpackId(item), thing, content },
        last: byId.get(id!)!,
      }));
    }
  }

  /** Assets that items of the run name for more than one customer (any customer id differs). */
  async namedForSeveral(run: string): Promise<readonly number[]> {
    const { first, end } = idRange(await this.numberOf(run));
    const again = new Set<number>();
    for await (const { after, last } of this.#pages(run)) {
      const lines = await this.readAll<{ thing: number }>(namedAgain, after, last, first);
      for (const { thing } of lines) again.add(thing);
    }
    return this.#inParts([...again], async (assets) => {
      const found = await this.readAll<{ thing: number }>(forSeveral, assets, first, end);
      return found.map((it) => it.thing);
    });
  }

  /** The items of the run that name an asset, in order. */
  async sharing(run: string, asset: number): Promise<readonly NamedThings[]> {
    const { first, end } = idRange(await this.numberOf(run));
    return toThings(await this.readAll<ThingsLine>(SHARING, asset, first, end));
  }

  async rows(run: string, items: readonly number[]): Promise<ReadonlyMap<number, readonly number[]>> {
    const lines = await this.#ofItems<{ item: number; row: number }>(run, items, rowsOf);
    return gathered(lines.map(({ item, row }) => [unpackId(item), unpackId(row)]));
  }

  /**
   * Items of other runs on the same platform that name the assets and may have taken effect or may be sent; for each asset
   * the latest ones. Items that were certainly reverted are excluded.
   */
  async naming(
    run: string,
    assets: readonly number[],
    {
      operations,
      own = false,
    }: {
      /** `orders`: new purchases and revocations of assets. */
      readonly operations: 'orders' | 'all';
      /** Include items of the run itself. */
      readonly own?: boolean;
    },
  ): Promise<readonly NamingItem[]> {
    const number = await this.numberOf(run);
    const { first, end } = idRange(number);
    const scopes = JSON.stringify(await this.db.read(() => this.db.runs.scopes(run)));
    const parent = (await this.readAll<{ parent: string }>(PARENT, number))[0]?.parent ?? '';
    const sql = (dialect: Dialect) => naming(dialect, operations === 'orders' ? OF_ORDERS : '');
    const without = own ? [end, first] : [first, end];
    return this.#inParts(assets, async (some) => {
      const lines = await this.readAll<NamingLine>(sql, some, ...without, scopes, parent);
      return lines.map(({ row, undoes, things, content, ...line }) => ({
        ...line,
        things: parsed(things),
        content: content ?? undefined,
        row: row === null ? undefined : unpackId(row),
        undoes: undoes ?? undefined,
      }));
    });
  }

  /** Runs of any platform with items that name any of the assets. */
  async runsNaming(assets: readonly number[]): Promise<ReadonlySet<string>> {
    const lines = await this.#inParts(assets, (some) => this.readAll<{ run: string }>(runsNaming, some));
    return new Set(lines.map((it) => it.run));
  }

  async things(run: string, items: readonly number[]): Promise<readonly NamedThings[]> {
    return toThings(await this.#ofItems<ThingsLine>(run, items, thingsOf));
  }

  async reverted(run: string, items: readonly number[]): Promise<ReadonlyMap<number, RevertedItem>> {
    const lines = await this.#ofItems<RevertedItem & { item: number }>(run, items, revertedBy);
    return new Map(lines.map(({ item, ...reverted }) => [unpackId(item), reverted]));
  }

  /** `NamingItem.id` of an item. */
  async idOf(run: string, item: number): Promise<number> {
    return packId(await this.numberOf(run), item);
  }

  /** The ids of the run's items, some at a time. */
  async *#pages(run: string): AsyncGenerator<{ readonly after: number; readonly last: number }> {
    yield* chunksOf(this.db, 'items', idRange(await this.numberOf(run)), ITEMS_AT_ONCE);
  }

  async #ofItems<Line>(run: string, items: readonly number[], sql: Sql): Promise<readonly Line[]> {
    const number = await this.numberOf(run);
    const ids = items.map((it) => packId(number, it));
    return this.#inParts(ids, (some) => this.readAll<Line>(sql, some));
  }

  async #inParts<Line>(
    numbers: readonly number[],
    read: (json: string) => Promise<readonly Line[]>,
  ): Promise<readonly Line[]> {
    const found: Line[] = [];
    for (let at = 0; at < numbers.length; at += THINGS_AT_ONCE)
      found.push(...(await read(JSON.stringify(numbers.slice(at, at + THINGS_AT_ONCE)))));
    return found;
  }
}

type SentAlikeLine = Omit<SentAlike, 'last'> & { readonly last: number | null };

type SentLine = SentAlike['last'];

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
