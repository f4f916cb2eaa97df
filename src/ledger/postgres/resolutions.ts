import type {
  ItemTrace,
  Resolution,
  ResolutionStore,
  SettledBefore,
  Settlement,
  UnknownItem,
} from '../contract/resolutions.js';
import { keyAfter, settledFrom, settledOutcome } from '../rules/resolutions.js';
import { idRange, packId, type RunNumber } from '../shared/ids.js';
import { mayHaveHadEffect } from '../shared/item-standing.js';
import {
  jsonOrNull,
  outcomeBefore,
  RESOLVED,
  type ResolutionLine,
  type SettledLine,
  standingOf,
  type ToSettle,
  toResolution,
  toSettled,
} from '../shared/resolutions.js';
import { isUndone } from '../shared/undoings.js';
import { columnsOf } from './bulk-insert.js';
import { Claims, lockKindred } from './claims.js';
import type { Database } from './database.js';
import { settleIds } from './given-ids.js';
import { finishBatches } from './outcomes.js';
import type { RunNumbers } from './run-numbers.js';
import type { Queryable } from './transaction.js';
import { itemTraces, rowsOf, unknownItems } from './unknown-items.js';

/**
 * Whoever changes what is known of a batch has its line. The order is the same for all, so that none waits for another in
 * turn.
 */
const LOCK_BATCHES = `
SELECT id FROM batches WHERE id IN (SELECT batch FROM batch_items WHERE item = ANY($1::bigint[])) ORDER BY id FOR UPDATE`;

/** One that is on its way again is nobody's to settle: its process hears of it, or is found dead first. */
const TO_SETTLE = `
SELECT items.id, batch_items.batch, items.item_key, outcomes.status, outcomes.license_order_id, outcomes.code,
  outcomes.columns_json, ${RESOLVED}::int AS resolved,
  (EXISTS (SELECT 1 FROM attempts WHERE attempts.batch = batch_items.batch AND attempts.doubtful = 1)
    AND NOT EXISTS (SELECT 1 FROM attempts WHERE attempts.batch = batch_items.batch AND attempts.ended_at IS NULL)
  )::int AS doubtful
FROM items
JOIN batch_items ON batch_items.item = items.id
LEFT JOIN outcomes ON outcomes.item = items.id
WHERE items.id = ANY($1::bigint[])`;

const SETTLED = `
SELECT outcomes.item, outcomes.status, outcomes.license_order_id, ${rowsOf('outcomes.item')} AS rows_json
FROM item_rows JOIN outcomes ON outcomes.item = item_rows.item
WHERE item_rows."row" = $1 AND outcomes.status IN ('succeeded', 'failed') AND ${RESOLVED} ORDER BY outcomes.item`;

const SETTLE = `
INSERT INTO outcomes (item, status, attempts, license_order_id, code, message_json, columns_json)
SELECT item, status, (SELECT coalesce(max(attempt), 0) FROM attempts WHERE attempts.batch = found.batch),
  license_order_id, code, message, columns
FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
  AS found (item, batch, status, license_order_id, code, message, columns)
ON CONFLICT (item) DO UPDATE SET status = excluded.status, code = excluded.code,
  license_order_id = excluded.license_order_id, message_json = excluded.message_json,
  columns_json = excluded.columns_json`;

const TELL = `
INSERT INTO resolutions (item, n, at, who, how, from_status, to_status, license_order_id, evidence_json, note)
SELECT item, (SELECT coalesce(max(n), 0) + 1 FROM resolutions WHERE resolutions.item = told.item), at, who, how,
  from_status, to_status, license_order_id, evidence, note
FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[])
  AS told (item, at, who, how, from_status, to_status, license_order_id, evidence, note)`;

/** Whoever else of a scope got the item of a key through, and it wasn't undone since; else left it unknown. */
const OTHER_HOLDER = `
SELECT items.id AS item FROM items
JOIN runs ON runs.id = items.id >> 32
LEFT JOIN outcomes ON outcomes.item = items.id
WHERE items.item_key = $1 AND runs.scope = $2 AND items.id <> $3 AND ${mayHaveHadEffect('items.id')}
  AND NOT ${isUndone('items.id')}
ORDER BY coalesce(outcomes.status, 'unknown') = 'unknown', items.id LIMIT 1`;

const listSql = (where: string): string => `
SELECT resolutions.*, ${rowsOf('resolutions.item')} AS rows_json FROM resolutions
WHERE ${where} ORDER BY resolutions.at, resolutions.item, resolutions.n`;

const LIST = listSql('resolutions.item > $1::bigint AND resolutions.item < $2::bigint');
const LIST_OF_ROW = listSql('resolutions.item IN (SELECT item FROM item_rows WHERE item_rows."row" = $1)');

export class PostgresResolutionStore implements ResolutionStore {
  readonly #db: Database;
  readonly #numbers: RunNumbers;
  readonly #claims = new Claims();

  constructor(db: Database, numbers: RunNumbers) {
    this.#db = db;
    this.#numbers = numbers;
  }

  async *unknown(run: string, row?: number): AsyncIterable<UnknownItem> {
    yield* unknownItems(this.#db, (await this.#numbers.of(run)).number, row);
  }

  async settled(run: string, row: number): Promise<readonly SettledBefore[]> {
    const { number } = await this.#numbers.of(run);
    return (await this.#db.all<SettledLine>(SETTLED, [packId(number, row)])).map(toSettled);
  }

  async *traces(
    run: string,
    { records }: { readonly records: boolean },
  ): AsyncIterable<readonly ItemTrace[]> {
    yield* itemTraces(this.#db, (await this.#numbers.of(run)).number, records);
  }

  /**
   * Two that settle the same item, or one and a late reply, both come for the batch's line first; whoever is second sees
   * what the first one found out. Nobody sends meanwhile: whoever settles has the run's lock, and an intent wants it too.
   */
  async settle(run: string, settlements: readonly Settlement[]): Promise<readonly number[]> {
    const at = await this.#numbers.of(run);
    return this.#db.transaction(async (tx) => {
      await lockKindred(tx, at);
      const settled: number[] = [];
      for (const round of distinct(settlements)) settled.push(...(await this.#settle(tx, at, round)));
      return settled;
    });
  }

  async list(run: string, row?: number): Promise<readonly Resolution[]> {
    const { number } = await this.#numbers.of(run);
    const { first, end } = idRange(number);
    const lines =
      row === undefined
        ? await this.#db.all<ResolutionLine>(LIST, [first, end])
        : await this.#db.all<ResolutionLine>(LIST_OF_ROW, [packId(number, row)]);
    return lines.map(toResolution);
  }

  /** @param settlements no two of one item */
  async #settle(
    tx: Queryable,
    run: RunNumber,
    settlements: readonly Settlement[],
  ): Promise<readonly number[]> {
    const ids = settlements.map((it) => packId(run.number, it.item));
    await tx.run(LOCK_BATCHES, [ids]);
    // A statement of its own: only now what others changed before they let go of the batch is seen.
    const lines = await tx.all<ToSettle & { readonly id: number }>(TO_SETTLE, [ids]);
    const found = new Map(lines.map((it) => [it.id, it]));
    const changes = settlements.flatMap((it) => {
      const line = found.get(packId(run.number, it.item));
      return line ? (changeOf(it, line) ?? []) : [];
    });
    if (changes.length === 0) return [];
    await tx.run(SETTLE, columnsOf(changes.map(outcomeValues), 7));
    await tx.run(TELL, columnsOf(changes.map(auditValues), 9));
    await finishBatches(tx, [...new Set(changes.map((it) => it.line.batch))]);
    await settleIds(
      tx,
      run,
      changes.map((it) => it.settlement),
    );
    await this.#passKeysOn(tx, run, changes);
    return changes.map((it) => it.settlement.item);
  }

  /** Keys are taken in their order, as by whoever sends. */
  async #passKeysOn(tx: Queryable, run: RunNumber, changes: readonly Change[]): Promise<void> {
    const { scope } = run;
    const keyed = changes.flatMap(({ line, outcome }) => {
      return line.item_key === null ? [] : [{ key: line.item_key, item: line.id, status: outcome.status }];
    });
    for (const { key, item, status } of keyed.sort(byKey)) {
      if (keyAfter(status) === 'take') {
        await this.#claims.keep(tx, { scope, key, item });
        continue;
      }
      await this.#claims.giveUp(tx, { scope, key, item });
      const other = await tx.get<{ item: number }>(OTHER_HOLDER, [key, scope, item]);
      if (other) await this.#claims.keep(tx, { scope, key, item: other.item });
    }
  }
}

/** What a settlement changes. */
interface Change {
  readonly settlement: Settlement;
  readonly line: ToSettle & { readonly id: number };
  readonly from: Resolution['from'];
  readonly outcome: Settlement['outcome'];
}

/** undefined: the item may not be settled. */
function changeOf(settlement: Settlement, line: Change['line']): Change | undefined {
  const from = settledFrom(standingOf(line), settlement.corrects === true);
  if (from === undefined) return undefined;
  return { settlement, line, from, outcome: settledOutcome(outcomeBefore(line), settlement.outcome) };
}

function outcomeValues({ line, outcome }: Change): unknown[] {
  const { status, licenseOrderId = null, code = null } = outcome;
  return [
    line.id,
    line.batch,
    status,
    licenseOrderId,
    code,
    jsonOrNull(outcome.message),
    jsonOrNull(outcome.columns),
  ];
}

function auditValues({ settlement, line, from, outcome }: Change): unknown[] {
  const { at, who, how, evidence, note = null } = settlement;
  const order = settlement.outcome.licenseOrderId ?? null;
  return [line.id, at, who, how, from, outcome.status, order, jsonOrNull(evidence), note];
}

/** In rounds of different items, in order. */
function distinct(settlements: readonly Settlement[]): Settlement[][] {
  const rounds: Settlement[][] = [];
  const times = new Map<number, number>();
  for (const it of settlements) {
    const round = times.get(it.item) ?? 0;
    times.set(it.item, round + 1);
    if (round === rounds.length) rounds.push([]);
    rounds[round]?.push(it);
  }
  return rounds;
}

function byKey(a: { readonly key: string }, b: { readonly key: string }): number {
  return a.key < b.key ? -1 : a.key > b.key ? 1 : 0;
}
