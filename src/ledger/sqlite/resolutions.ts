import type {
  ItemTrace,
  Resolution,
  ResolutionStore,
  ResolvedTo,
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
import { Claims } from './claims.js';
import type { Database } from './database.js';
import { IdRegister } from './given-ids.js';
import type { GroupCommit } from './group-commit.js';
import { finishBatch } from './outcomes.js';
import type { RunNumbers } from './run-numbers.js';
import { itemTraces, rowsOf, unknownItems } from './unknown-items.js';

const TO_SETTLE = `
SELECT batch_items.batch, items.item_key, outcomes.status, outcomes.license_order_id, outcomes.code,
  outcomes.columns_json, ${RESOLVED} AS resolved,
  EXISTS (SELECT 1 FROM attempts WHERE attempts.batch = batch_items.batch AND attempts.doubtful = 1) AS doubtful
FROM items
JOIN batch_items ON batch_items.item = items.id
LEFT JOIN outcomes ON outcomes.item = items.id
WHERE items.id = ?`;

const SETTLED = `
SELECT outcomes.item, outcomes.status, outcomes.license_order_id, ${rowsOf('outcomes.item')} AS rows_json
FROM item_rows JOIN outcomes ON outcomes.item = item_rows.item
WHERE item_rows."row" = ? AND outcomes.status IN ('succeeded', 'failed') AND ${RESOLVED} ORDER BY outcomes.item`;

const SETTLE = `
INSERT INTO outcomes (item, status, attempts, license_order_id, code, message_json, columns_json)
VALUES (:item, :status, (SELECT coalesce(max(attempt), 0) FROM attempts WHERE batch = :batch), :order, :code,
  :message, :columns)
ON CONFLICT (item) DO UPDATE SET status = excluded.status, code = excluded.code,
  license_order_id = excluded.license_order_id, message_json = excluded.message_json,
  columns_json = excluded.columns_json`;

const TELL = `
INSERT INTO resolutions (item, n, at, who, how, from_status, to_status, license_order_id, evidence_json, note)
SELECT :item, coalesce(max(n), 0) + 1, :at, :who, :how, :from, :status, :order, :evidence, :note
FROM resolutions WHERE item = :item`;

/** Whoever else of a scope got the item of a key through, and it wasn't undone since; else left it unknown. */
const OTHER_HOLDER = `
SELECT items.id AS item FROM items
JOIN runs ON runs.id = items.id / ${packId(1, 0)}
LEFT JOIN outcomes ON outcomes.item = items.id
WHERE items.item_key = ? AND runs.scope = ? AND items.id <> ? AND ${mayHaveHadEffect('items.id')}
  AND NOT ${isUndone('items.id')}
ORDER BY coalesce(outcomes.status, 'unknown') = 'unknown', items.id LIMIT 1`;

const LIST = `
SELECT resolutions.*, ${rowsOf('resolutions.item')} AS rows_json
FROM resolutions
WHERE resolutions.item > :first AND resolutions.item < :end
  AND (:row = 0 OR EXISTS (
    SELECT 1 FROM item_rows WHERE item_rows."row" = :row AND item_rows.item = resolutions.item))
ORDER BY resolutions.at, resolutions.item, resolutions.n`;

export class SqliteResolutionStore implements ResolutionStore {
  readonly #db: Database;
  readonly #numbers: RunNumbers;
  readonly #group: GroupCommit;
  readonly #claims: Claims;
  readonly #ids: IdRegister;

  constructor(db: Database, numbers: RunNumbers, group: GroupCommit) {
    this.#db = db;
    this.#numbers = numbers;
    this.#group = group;
    this.#claims = new Claims(db, numbers);
    this.#ids = new IdRegister(db, numbers);
  }

  async *unknown(run: string, row?: number): AsyncIterable<UnknownItem> {
    this.#group.catchUp();
    yield* unknownItems(this.#db, this.#numbers.of(run).number, row);
  }

  async settled(run: string, row: number): Promise<readonly SettledBefore[]> {
    this.#group.catchUp();
    const { number } = this.#numbers.of(run);
    const lines = this.#db.read(() => this.#db.all<SettledLine>(SETTLED, packId(number, row)));
    return lines.map(toSettled);
  }

  traces(run: string, { records }: { readonly records: boolean }): AsyncIterable<readonly ItemTrace[]> {
    this.#group.catchUp();
    return itemTraces(this.#db, this.#numbers.of(run).number, records);
  }

  async settle(run: string, settlements: readonly Settlement[]): Promise<readonly number[]> {
    return this.#group.write(() => {
      const at = this.#numbers.of(run);
      return settlements.filter((it) => this.#settle(at, it)).map((it) => it.item);
    });
  }

  async list(run: string, row?: number): Promise<readonly Resolution[]> {
    this.#group.catchUp();
    const { number } = this.#numbers.of(run);
    const values = { ...idRange(number), row: row === undefined ? 0 : packId(number, row) };
    return this.#db.read(() => this.#db.allNamed<ResolutionLine>(LIST, values)).map(toResolution);
  }

  #settle(run: RunNumber, settlement: Settlement): boolean {
    const { at, who, how, evidence, note, corrects } = settlement;
    const item = packId(run.number, settlement.item);
    const found = this.#db.get<ToSettle>(TO_SETTLE, item);
    if (!found) return false;
    const from = settledFrom(standingOf(found), corrects === true);
    if (from === undefined) return false;
    const { batch, item_key: key } = found;
    const { status, ...outcome } = settledOutcome(outcomeBefore(found), settlement.outcome);
    this.#db.runNamed(SETTLE, {
      item,
      status,
      batch,
      order: outcome.licenseOrderId ?? null,
      code: outcome.code ?? null,
      message: jsonOrNull(outcome.message),
      columns: jsonOrNull(outcome.columns),
    });
    const order = settlement.outcome.licenseOrderId ?? null;
    const said = jsonOrNull(evidence);
    this.#db.runNamed(TELL, { item, at, who, how, from, status, order, evidence: said, note: note ?? null });
    finishBatch(this.#db, batch);
    if (settlement.ids) this.#ids.settle(run, item, settlement.ids);
    if (key !== null) this.#passKeyOn(run, item, key, status);
    return true;
  }

  #passKeyOn(run: RunNumber, item: number, key: string, status: ResolvedTo): void {
    const { scope } = run;
    const kindred = this.#numbers.kindredScopes(run);
    if (keyAfter(status) === 'take') {
      this.#claims.keep(scope, key, item, kindred);
      return;
    }
    this.#claims.giveUp(scope, key, item);
    const other = this.#db.get<{ item: number }>(OTHER_HOLDER, key, scope, item);
    if (other) this.#claims.keep(scope, key, other.item, kindred);
  }
}
