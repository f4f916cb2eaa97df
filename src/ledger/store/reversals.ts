import type { ItemOutcome } from '../../model/item.js';
import type { Json } from '../../model/json.js';
import { exactParse } from '../../util/exact-json.js';
import type { ItemEffect, ReversalRun, RevertedBy } from '../contract/reversals.js';
import { EFFECTS, effectOf } from '../rules/item-state.js';
import { pagesOf, pause } from './chunks.js';
import { type Claim, giveUpKeys, keepKey, lockRelatedScopes } from './claims.js';
import type { Dialect } from './dialect.js';
import { idRange, packId, type RunNumber, runOf, unpackId, unpackRows } from './ids.js';
import { countsAsUnknown, mayHaveHadEffect } from './item-state.js';
import { envelopeOf } from './row-history.js';
import { lastOfPage } from './row-lines.js';
import { SqlStore, type StoreRunner } from './runner.js';
import { type InsertTarget, insertAll, list, query, type Store } from './statement.js';
import { rowsOf } from './unknown-items.js';

const PER_RUN = packId(1, 0);

/** SQL: another run has certainly reverted the item, so the item no longer has its key. */
export function isReverted(item: string): string {
  return `EXISTS (SELECT 1 FROM undoings LEFT JOIN item_rows AS taking ON taking."row" = undoings."row"
  LEFT JOIN outcomes AS taken ON taken.item = taking.item
  WHERE undoings.undone = ${item} AND coalesce(taken.status, undoings.kept_status) = 'succeeded')`;
}

/** Each item at its first row. $3: ids of rows, of which the item must have one (if `named`). */
const effectsSql = (named: boolean) => (dialect: Dialect) =>
  `
SELECT items.id, items.envelope, bodies.json, outcomes.status, outcomes.license_order_id AS "licenseOrderId",
  outcomes.code, outcomes.columns_json AS columns, ${rowsOf(dialect, 'items.id')} AS "rows"
FROM item_rows
${dialect.join('items', 'items.id = item_rows.item AND items.first_row = item_rows."row"')}
${dialect.join('bodies', 'bodies.item = items.id')}
${dialect.leftJoin('outcomes', 'outcomes.item = items.id')}
WHERE item_rows."row" > $1 AND item_rows."row" <= $2 AND ${mayHaveHadEffect('items.id')}
  ${
    named
      ? `AND EXISTS (SELECT 1 FROM item_rows AS own
    WHERE own.item = items.id AND own."row" ${dialect.in('$3', 'bigint')})`
      : ''
  }
ORDER BY item_rows."row", items.id`;

const EFFECTS_OF_PAGE = effectsSql(false);
const NAMED_EFFECTS_OF_PAGE = effectsSql(true);

interface EffectRow {
  readonly id: number;
  readonly envelope: number;
  readonly json: string;
  readonly rows: string;
  readonly status?: string;
  readonly licenseOrderId?: string;
  readonly code?: string;
  readonly columns?: string;
}

const LINKS: InsertTarget = {
  table: 'undoings',
  columns: { '"row"': 'bigint', undone: 'bigint' },
  end: 'ON CONFLICT ("row") DO UPDATE SET undone = excluded.undone',
};

/** Certainly reverted licence orders. */
const ORDERS = (dialect: Dialect) => `
SELECT undoings."row" AS "row", outcomes.license_order_id AS id FROM undoings
JOIN outcomes ON outcomes.item = undoings.undone AND outcomes.license_order_id IS NOT NULL
JOIN runs ON runs.id = undoings.undone / ${PER_RUN}
LEFT JOIN item_rows AS taking ON taking."row" = undoings."row"
LEFT JOIN outcomes AS taken ON taken.item = taking.item
WHERE coalesce(taken.status, undoings.kept_status) = 'succeeded' AND runs.scope ${dialect.in('$1', 'bigint')}
  AND undoings."row" > $2 ORDER BY undoings."row" LIMIT 1000`;

/** Reversals by run. */
const BY_RUN = `
SELECT undoings."row" / ${PER_RUN} AS number, count(*) AS "rows",
  sum(CASE WHEN coalesce(outcomes.status, undoings.kept_status) = 'succeeded' THEN 1 ELSE 0 END) AS succeeded
FROM undoings LEFT JOIN item_rows ON item_rows."row" = undoings."row"
LEFT JOIN outcomes ON outcomes.item = item_rows.item
WHERE undoings.undone > $1 AND undoings.undone < $2 GROUP BY 1 ORDER BY 1`;

/** Links rows of plans to the items that they revert, and updates the keys of reverted items. */
export class SqlReversalStore extends SqlStore {
  /**
   * Updates keys from the outcomes of a run's revert items. An item that was certainly reverted releases its key, so that it
   * may be sent again. An item that was not reverted after all gets its key back, unless another item has it. May be
   * repeated. Does nothing for other runs.
   */
  async finish(run: string): Promise<void> {
    const { runs } = this.db;
    const number = await this.numberOf(run);
    for await (const items of itemsWithChangedKeys(this.db, number)) {
      const updateKeysOfPage = function* (at: RunNumber): Store<void> {
        yield* lockRelatedScopes(at);
        const related = yield* runs.relatedScopes(at);
        const { released, kept } = yield* changedKeys(items);
        yield* giveUpKeys(released);
        for (const key of kept) yield* keepKey(key, related);
      };
      await this.db.writeRun(run, updateKeysOfPage, 'outcomes');
    }
  }

  /**
   * Items of a run that took effect or may have, by their first row.
   * @param rows only items of these rows
   */
  async *effects(run: string, rows?: readonly number[]): AsyncIterable<readonly ItemEffect[]> {
    const number = await this.numberOf(run);
    const { first, end } = idRange(number);
    const named = rows?.map((it) => packId(number, it));
    for (let after = first; ; ) {
      const page = await this.db.read(() => this.#effects(after, end, named), 'outcomes');
      if (!page) return;
      if (page.effects.length > 0) yield page.effects;
      after = page.last;
      await pause();
    }
  }

  *#effects(
    after: number,
    end: number,
    named: readonly number[] | undefined,
  ): Store<{ readonly last: number; readonly effects: readonly ItemEffect[] } | undefined> {
    const last = yield* lastOfPage(after, end);
    if (last === undefined) return undefined;
    const lines = named
      ? yield* list<EffectRow>(NAMED_EFFECTS_OF_PAGE, after, last, named)
      : yield* list<EffectRow>(EFFECTS_OF_PAGE, after, last);
    const undone = yield* this.#undone(lines.map((it) => it.id));
    const envelopes = new Map<number, ItemEffect['envelope']>();
    const effects: ItemEffect[] = [];
    for (const line of lines) {
      const envelope = envelopes.get(line.envelope) ?? (yield* envelopeOf(line.envelope));
      envelopes.set(line.envelope, envelope);
      effects.push(toEffect(line, envelope, undone.get(line.id)));
    }
    return { last, effects };
  }

  /** Links rows of a run that is being planned to the items of an earlier run that they revert. */
  link(
    run: string,
    links: readonly {
      readonly row: number;
      readonly undone: { readonly run: string; readonly item: number };
    }[],
  ): Promise<void> {
    const { runs } = this.db;
    return this.db.writeRun(run, function* ({ number }) {
      const lines: number[][] = [];
      for (const { row, undone } of links)
        lines.push([packId(number, row), packId((yield* runs.of(undone.run)).number, undone.item)]);
      yield* insertAll(LINKS, lines);
    });
  }

  /**
   * Certainly reverted licence orders of runs whose keys apply to this one, by order id. No reply to a new order may name one
   * of them.
   */
  async orders(run: string): Promise<ReadonlyMap<string, RevertedBy>> {
    const scopes = await this.db.read(() => this.db.runs.scopes(run));
    const orders = new Map<string, RevertedBy>();
    const read = (after: number) =>
      this.db.read(() => query<{ row: number; id: string }>(ORDERS, scopes, after), 'outcomes');
    for await (const page of pagesOf(0, read, (it) => it.row)) {
      for (const { row, id } of page) {
        const by = await this.db.read(() => this.db.runs.name(runOf(row)));
        orders.set(id, { run: by, row: unpackId(row), status: 'succeeded' });
      }
    }
    return orders;
  }

  /** The runs and plans that revert items of this run, oldest first. */
  by(run: string): Promise<readonly ReversalRun[]> {
    const { runs } = this.db;
    return this.db.read(function* () {
      const { first, end } = idRange((yield* runs.of(run)).number);
      const found: ReversalRun[] = [];
      type ByRunRow = Omit<ReversalRun, 'run'> & { readonly number: number };
      for (const { number, ...counts } of yield* query<ByRunRow>(BY_RUN, first, end))
        found.push({ ...counts, run: yield* runs.name(number) });
      return found;
    }, 'outcomes');
  }

  /** The reversals, certain or possible, of the items of a row. */
  ofRow(run: string, row: number): Promise<readonly RevertedBy[]> {
    return this.db.read(() => this.#ofRow(run, row), 'outcomes');
  }

  *#ofRow(run: string, row: number): Store<readonly RevertedBy[]> {
    const id = packId((yield* this.db.runs.of(run)).number, row);
    const sql = 'SELECT item FROM item_rows WHERE "row" = $1 ORDER BY item';
    const items = yield* query<{ item: number }>(sql, id);
    return [...(yield* this.#undone(items.map((it) => it.item))).values()];
  }

  *#undone(items: readonly number[]): Store<ReadonlyMap<number, RevertedBy>> {
    const undone = new Map<number, RevertedBy>();
    for (const [item, { row, effect }] of yield* revertedByRun(items)) {
      const run = yield* this.db.runs.name(runOf(row));
      undone.set(item, { run, row: unpackId(row), status: effect });
    }
    return undone;
  }
}

function toEffect(
  { id, rows, json, status, licenseOrderId, code, columns }: EffectRow,
  envelope: ItemEffect['envelope'],
  undone: RevertedBy | undefined,
): ItemEffect {
  return {
    item: unpackId(id),
    rows: unpackRows(rows),
    envelope,
    body: exactParse(json) as Json,
    outcome: {
      status: effectOf(status ?? null),
      licenseOrderId,
      code,
      columns: columns === undefined ? undefined : (JSON.parse(columns) as ItemOutcome['columns']),
    },
    undone,
  };
}

/** A row that reverts an item, with its outcome. Without an item it was removed from its plan. */
interface ReversalRow {
  readonly undone: number;
  readonly row: number;
  readonly item: number | null;
  readonly status: string | null;
  /** Its outcome when its run was pruned. */
  readonly kept: string | null;
  readonly doubtful: number;
}

const REVERSALS = (dialect: Dialect) => `
SELECT undoings.undone, undoings."row" AS "row", undoings.kept_status AS kept, item_rows.item, outcomes.status,
  CASE WHEN ${countsAsUnknown('item_rows.item')} THEN 1 ELSE 0 END AS doubtful
FROM undoings LEFT JOIN item_rows ON item_rows."row" = undoings."row"
LEFT JOIN outcomes ON outcomes.item = item_rows.item
WHERE undoings.undone ${dialect.in('$1', 'bigint')}`;

type FoundReversal = ReversalRow & { readonly effect: RevertedBy['status'] };

/**
 * The rows that reverted items, or may have, by item: the most certain one for each. A row that was certainly reverted itself
 * is ignored.
 */
function* revertedByRun(items: readonly number[]): Store<ReadonlyMap<number, FoundReversal>> {
  const found = new Map<number, FoundReversal>();
  if (items.length === 0) return found;
  const lines = (yield* query<ReversalRow>(REVERSALS, items)).flatMap((line): FoundReversal[] => {
    const effect = line.doubtful === 1 ? 'unknown' : EFFECTS.find((it) => it === (line.status ?? line.kept));
    return effect === undefined ? [] : [{ ...line, effect }];
  });
  const sure = lines.flatMap(({ item, effect }) => (item !== null && effect === 'succeeded' ? [item] : []));
  const undone: ReadonlyMap<number, FoundReversal> = yield* revertedByRun(sure);
  for (const line of lines) {
    if (line.item !== null && undone.get(line.item)?.effect === 'succeeded') continue;
    const before = found.get(line.undone);
    if (!before || EFFECTS.indexOf(line.effect) < EFFECTS.indexOf(before.effect))
      found.set(line.undone, line);
  }
  return found;
}

/** Items that rows of a run certainly reverted, or whose reversal was resolved since. */
const TO_RESOLVE = ({ join, leftJoin }: Dialect) => `
SELECT undoings."row" AS "row", undoings.undone FROM undoings
${join('item_rows', 'item_rows."row" = undoings."row"')}
${leftJoin('outcomes', 'outcomes.item = item_rows.item')}
WHERE undoings."row" > $1 AND undoings."row" < $2 AND (outcomes.status = 'succeeded'
  OR EXISTS (SELECT 1 FROM resolutions WHERE resolutions.item = item_rows.item))
ORDER BY undoings."row" LIMIT 500`;

/** Items whose keys change with the outcome of a reversal, in pages. */
async function* itemsWithChangedKeys(db: StoreRunner, run: number): AsyncGenerator<readonly number[]> {
  const { first, end } = idRange(run);
  const read = (after: number) =>
    db.read(() => query<{ row: number; undone: number }>(TO_RESOLVE, after, end), 'outcomes');
  for await (const page of pagesOf(first, read, (it) => it.row)) yield page.map((it) => it.undone);
}

const REVERTED_BY_ITEMS = (dialect: Dialect) => `
SELECT undoings.undone FROM item_rows JOIN undoings ON undoings."row" = item_rows."row"
WHERE item_rows.item ${dialect.in('$1', 'bigint')}`;

type RevertedKey = Claim & { readonly effect: number };

/**
 * Keys to release, of items that were certainly reverted, and keys to keep, of items that took effect and were not reverted
 * after all. Includes the items that these items had reverted themselves.
 */
function* changedKeys(
  items: readonly number[],
): Store<{ readonly released: readonly RevertedKey[]; readonly kept: readonly RevertedKey[] }> {
  const all = new Set(items);
  for (let next = items; next.length > 0; ) {
    const reverted = yield* query<{ undone: number }>(REVERTED_BY_ITEMS, next);
    const added = reverted.map((it) => it.undone).filter((item) => !all.has(item));
    for (const item of added) all.add(item);
    next = added;
  }
  const undone = yield* revertedByRun([...all]);
  const isSure = (item: number): boolean => undone.get(item)?.effect === 'succeeded';
  const kept = yield* keysOf([...all].filter((item) => !isSure(item)));
  return { released: yield* keysOf([...all].filter(isSure)), kept: kept.filter((it) => it.effect === 1) };
}

const KEYS = (dialect: Dialect) => `
SELECT items.id AS item, items.item_key AS key, runs.scope,
  CASE WHEN ${mayHaveHadEffect('items.id')} THEN 1 ELSE 0 END AS effect
FROM items JOIN runs ON runs.id = items.id / ${PER_RUN}
LEFT JOIN outcomes ON outcomes.item = items.id
WHERE items.item_key IS NOT NULL AND items.id ${dialect.in('$1', 'bigint')} ORDER BY runs.scope, items.item_key`;

function* keysOf(items: readonly number[]): Store<readonly RevertedKey[]> {
  return yield* query<RevertedKey>(KEYS, items);
}
