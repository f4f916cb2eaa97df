import type { Message } from '../../errors/message.js';
import type { ItemOutcome, ItemStatus } from '../../model/item.js';
import type {
  CorrectableItem,
  ItemTrace,
  NewResolution,
  Resolution,
  ResolvedTo,
  UnknownItem,
} from '../contract/resolutions.js';
import { keyAfter, resolvedFrom, resolvedOutcome } from '../rules/resolutions.js';
import { type Claim, giveUpKey, keepKey, lockRelatedScopes } from './claims.js';
import type { Dialect } from './dialect.js';
import { idRange, packId, type RunNumber, unpackId, unpackRows } from './ids.js';
import { mayHaveHadEffect, TO_BE_SENT } from './item-state.js';
import { isReverted } from './reversals.js';
import { SqlStore } from './runner.js';
import {
  execute,
  type InsertTarget,
  insertAll,
  list,
  queryOne,
  type Store,
  serverOnly,
} from './statement.js';
import { itemTraces, rowsOf, unknownItems } from './unknown-items.js';

/** The outcome is that of an earlier resolution, and no late reply of the platform arrived. */
const RESOLVED = `(EXISTS (
  SELECT 1 FROM resolutions WHERE resolutions.item = outcomes.item AND resolutions.to_status = outcomes.status)
  AND NOT EXISTS (SELECT 1 FROM resolutions WHERE resolutions.item = outcomes.item AND resolutions.how = 'late_reply'))`;

const CORRECTABLE = (dialect: Dialect) => `
SELECT outcomes.item, outcomes.status, outcomes.license_order_id AS "licenseOrderId",
  ${rowsOf(dialect, 'outcomes.item')} AS "rows"
FROM item_rows JOIN outcomes ON outcomes.item = item_rows.item
WHERE item_rows."row" = $1 AND outcomes.status IN ('succeeded', 'failed') AND ${RESOLVED} ORDER BY outcomes.item`;

const listSql = (where: string) => (dialect: Dialect) =>
  `
SELECT resolutions.item, at, who, how, from_status AS "from", to_status AS "to", license_order_id AS "licenseOrderId",
  evidence_json AS evidence, note, ${rowsOf(dialect, 'resolutions.item')} AS "rows"
FROM resolutions WHERE ${where} ORDER BY resolutions.at, resolutions.item, resolutions.n`;

const LIST = listSql('resolutions.item > $1 AND resolutions.item < $2');
const LIST_OF_ROW = listSql('resolutions.item IN (SELECT item FROM item_rows WHERE item_rows."row" = $1)');

type ResolutionRow = Omit<Resolution, 'rows' | 'evidence'> & {
  readonly rows: string;
  readonly evidence?: string;
};

/** Resolves items that attempts left unknown. Call `execution.recover` first: items with an open attempt are not included. */
export class SqlResolutionStore extends SqlStore {
  /**
   * Writes outcome and resolution of each item in one transaction. `succeeded` takes the key, unless another item has
   * succeeded with it since; `failed` releases it. Items that are not unknown (any more) are not changed, except resolved
   * items that are to be corrected. On a server nothing of the run is sent during this: the transaction locks the run's lock,
   * which an intent needs too.
   * @returns the items that were resolved
   */
  record(run: string, resolutions: readonly NewResolution[]): Promise<readonly number[]> {
    const { runs } = this.db;
    return this.db.writeRun(
      run,
      function* (at) {
        yield* lockRelatedScopes(at);
        const related = yield* runs.relatedScopes(at);
        const resolved: number[] = [];
        for (const round of roundsOf(resolutions)) {
          const { items, keys } = yield* resolveItems(at, round);
          resolved.push(...items);
          for (const key of keys) yield* updateKey({ ...key, scope: at.scope }, related);
        }
        return resolved;
      },
      'outcomes',
    );
  }

  /** Unknown items of the run, or of one of its rows, by number. Items may be resolved while it is read. */
  async *unknown(run: string, row?: number): AsyncIterable<UnknownItem> {
    yield* unknownItems(this.db, await this.numberOf(run), row);
  }

  /** Items of a run that took effect or may have, by number. Items that were withheld or are pending are not included. */
  async *traces(
    run: string,
    { records }: { readonly records: boolean },
  ): AsyncIterable<readonly ItemTrace[]> {
    yield* itemTraces(this.db, await this.numberOf(run), records);
  }

  /** Items of a row that were resolved before, each with its current outcome. */
  async correctable(run: string, row: number): Promise<readonly CorrectableItem[]> {
    type CorrectableLine = Omit<CorrectableItem, 'rows'> & { readonly rows: string };
    const id = packId(await this.numberOf(run), row);
    const found = await this.db.read(() => list<CorrectableLine>(CORRECTABLE, id), 'outcomes');
    return found.map((it) => ({ ...it, item: unpackId(it.item), rows: unpackRows(it.rows) }));
  }

  /** The resolutions of a run, or of one of its rows, oldest first. */
  async list(run: string, row?: number): Promise<readonly Resolution[]> {
    const number = await this.numberOf(run);
    const { first, end } = idRange(number);
    const found = await this.db.read(
      () =>
        row === undefined
          ? list<ResolutionRow>(LIST, first, end)
          : list<ResolutionRow>(LIST_OF_ROW, packId(number, row)),
      'outcomes',
    );
    return found.map(({ evidence, ...it }) => ({
      ...it,
      item: unpackId(it.item),
      rows: unpackRows(it.rows),
      evidence: evidence === undefined ? undefined : (JSON.parse(evidence) as Message | string),
    }));
  }
}

/**
 * Every transaction that changes outcomes of a batch locks its row first. All lock in the same order, so there is no deadlock.
 */
const LOCK_BATCHES = `
SELECT id FROM batches WHERE id IN (SELECT batch FROM batch_items WHERE item = ANY($1::bigint[])) ORDER BY id FOR UPDATE`;

/** An item that is in flight again is not resolved here: its reply arrives, or its process is found to be dead first. */
const TO_RESOLVE = (dialect: Dialect) => `
SELECT items.id, batch_items.batch, items.item_key AS key, outcomes.status, outcomes.license_order_id AS "licenseOrderId",
  outcomes.code, outcomes.columns_json AS columns, CASE WHEN ${RESOLVED} THEN 1 END AS resolved,
  CASE WHEN EXISTS (SELECT 1 FROM attempts WHERE attempts.batch = batch_items.batch AND attempts.doubtful = 1)
    AND NOT EXISTS (SELECT 1 FROM attempts WHERE attempts.batch = batch_items.batch AND attempts.ended_at IS NULL)
    THEN 1 END AS doubtful,
  (SELECT coalesce(max(attempt), 0) FROM attempts WHERE attempts.batch = batch_items.batch) AS attempts,
  (SELECT coalesce(max(n), 0) FROM resolutions WHERE resolutions.item = items.id) AS count
FROM items
JOIN batch_items ON batch_items.item = items.id
LEFT JOIN outcomes ON outcomes.item = items.id
WHERE items.id ${dialect.in('$1', 'bigint')}`;

interface ResolvableLine {
  readonly id: number;
  readonly batch: number;
  readonly key?: string;
  readonly status?: ItemStatus;
  readonly licenseOrderId?: string;
  readonly code?: string;
  readonly columns?: string;
  readonly resolved?: 1;
  readonly doubtful?: 1;
  readonly attempts: number;
  /** Number of its resolutions. */
  readonly count: number;
}

const RESOLVED_OUTCOMES: InsertTarget = {
  table: 'outcomes',
  columns: {
    item: 'bigint',
    status: 'text',
    attempts: 'int',
    license_order_id: 'text',
    code: 'text',
    message_json: 'text',
    columns_json: 'text',
  },
  end: `ON CONFLICT (item) DO UPDATE SET status = excluded.status, code = excluded.code,
    license_order_id = excluded.license_order_id, message_json = excluded.message_json,
    columns_json = excluded.columns_json`,
};

const ADD_RESOLUTIONS: InsertTarget = {
  table: 'resolutions',
  columns: {
    item: 'bigint',
    n: 'int',
    at: 'bigint',
    who: 'text',
    how: 'text',
    from_status: 'text',
    to_status: 'text',
    license_order_id: 'text',
    evidence_json: 'text',
    note: 'text',
  },
};

/** Marks batches as done if no item is still to be sent. */
export const FINISH_BATCHES = (dialect: Dialect) => `
UPDATE batches SET done = 1 WHERE id ${dialect.in('$1', 'bigint')} AND NOT EXISTS (
  SELECT 1 FROM batch_items LEFT JOIN outcomes ON outcomes.item = batch_items.item
  WHERE batch_items.batch = batches.id AND ${TO_BE_SENT})`;

/** A resolution to be written. */
interface Change {
  readonly resolution: NewResolution;
  readonly line: ResolvableLine;
  readonly from: ResolvedTo;
  readonly outcome: NewResolution['outcome'];
}

/** undefined: the item may not be resolved. */
function changeOf(resolution: NewResolution, line: ResolvableLine): Change | undefined {
  const { status: outcome, code, licenseOrderId } = line;
  const item = { outcome, uncertain: line.doubtful === 1, resolved: line.resolved === 1 };
  const from = resolvedFrom(item, resolution.corrects === true);
  if (from === undefined) return undefined;
  const columns = line.columns && (JSON.parse(line.columns) as ItemOutcome['columns']);
  const before = { code, licenseOrderId, columns: columns || undefined };
  return { resolution, line, from, outcome: resolvedOutcome(before, resolution.outcome) };
}

/** A key whose item was resolved. */
type ResolvedKey = Omit<Claim, 'scope'> & { readonly status: ResolvedTo };

/**
 * Writes outcomes and resolutions, at most one of each item. Two processes that resolve the same item, or one and a late reply,
 * lock the batch's row first; the second sees the result of the first.
 * @returns the items that were resolved, and their keys in the order in which keys are taken
 */
function* resolveItems(
  run: RunNumber,
  resolutions: readonly NewResolution[],
): Store<{ readonly items: readonly number[]; readonly keys: readonly ResolvedKey[] }> {
  const ids = resolutions.map((it) => packId(run.number, it.item));
  yield* serverOnly(LOCK_BATCHES, ids);
  // A separate statement: only now it sees changes that others made before they released the batch.
  const found = new Map((yield* list<ResolvableLine>(TO_RESOLVE, ids)).map((it) => [it.id, it]));
  const changes = resolutions.flatMap((resolution) => {
    const line = found.get(packId(run.number, resolution.item));
    return line ? (changeOf(resolution, line) ?? []) : [];
  });
  if (changes.length === 0) return { items: [], keys: [] };
  yield* insertAll(RESOLVED_OUTCOMES, changes.map(outcomeValues));
  yield* insertAll(ADD_RESOLUTIONS, changes.map(resolutionValues));
  yield* execute(FINISH_BATCHES, [...new Set(changes.map((it) => it.line.batch))]);
  for (const { resolution, line } of changes)
    if (resolution.ids) yield* updateIds(run, line.id, resolution.ids);
  const keys = changes.flatMap(({ line: { key, id }, outcome: { status } }) =>
    key === undefined ? [] : [{ key, item: id, status }],
  );
  return {
    items: changes.map((it) => it.resolution.item),
    keys: keys.sort((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key))),
  };
}

function outcomeValues({ line: { id, attempts }, outcome }: Change) {
  const { status, licenseOrderId, code, message, columns } = outcome;
  return [id, status, attempts, licenseOrderId, code, jsonOrNull(message), jsonOrNull(columns)];
}

function resolutionValues({ resolution, line, from, outcome }: Change) {
  const { at, who, how, evidence, note } = resolution;
  const order = resolution.outcome.licenseOrderId;
  return [line.id, line.count + 1, at, who, how, from, outcome.status, order, jsonOrNull(evidence), note];
}

function jsonOrNull(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

/** Registers the ids of a resolved item. An id that another item has stays with that item. */
function* updateIds(
  { number, scope }: RunNumber,
  item: number,
  { given, withdrawn, acrossRuns }: NonNullable<NewResolution['ids']>,
): Store<void> {
  const withdraw = 'DELETE FROM given_ids WHERE owner = $1 AND id = $2 AND item = $3';
  const keep =
    'INSERT INTO given_ids (owner, id, item) VALUES ($1, $2, $3) ON CONFLICT (owner, id) DO NOTHING';
  for (const owner of acrossRuns ? [number, -scope] : [number]) {
    for (const id of withdrawn) yield* execute(withdraw, owner, id, item);
    for (const id of given) yield* execute(keep, owner, id, item);
  }
}

/** Another item of a scope with this key that took effect and was not reverted, otherwise one that was left unknown. */
const OTHER_HOLDER = `
SELECT items.id AS item FROM items
JOIN runs ON runs.id = items.id / ${packId(1, 0)}
LEFT JOIN outcomes ON outcomes.item = items.id
WHERE items.item_key = $1 AND runs.scope = $2 AND items.id <> $3 AND ${mayHaveHadEffect('items.id')}
  AND NOT ${isReverted('items.id')}
ORDER BY CASE coalesce(outcomes.status, 'unknown') WHEN 'unknown' THEN 1 ELSE 0 END, items.id LIMIT 1`;

/** Gives the key to its item, or, if the item has failed, to another one of its scope. */
function* updateKey({ status, ...claim }: ResolvedKey & Claim, related: readonly number[]): Store<void> {
  if (keyAfter(status) === 'take') return yield* keepKey(claim, related);
  yield* giveUpKey(claim);
  const next = yield* queryOne<{ item: number }>(OTHER_HOLDER, claim.key, claim.scope, claim.item);
  if (next) yield* keepKey({ ...claim, item: next.item }, related);
}

/** Rounds of different items, in order. */
function roundsOf(resolutions: readonly NewResolution[]): NewResolution[][] {
  const rounds: NewResolution[][] = [];
  const times = new Map<number, number>();
  for (const resolution of resolutions) {
    const round = times.get(resolution.item) ?? 0;
    times.set(resolution.item, round + 1);
    if (round === rounds.length) rounds.push([]);
    rounds[round]?.push(resolution);
  }
  return rounds;
}
