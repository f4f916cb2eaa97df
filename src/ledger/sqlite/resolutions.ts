import type { Message } from '../../errors/message.js';
import type { Json, JsonObject } from '../../model/json.js';
import { exactParse } from '../../util/exact-json.js';
import type { Resolution, ResolutionStore, Settlement, UnknownItem } from '../contract.js';
import { Claims } from './claims.js';
import type { Database } from './database.js';
import type { GroupCommit } from './group-commit.js';
import { idRange, packId, unpackId } from './ids.js';
import { finishBatch } from './outcomes.js';
import { pause } from './pause.js';
import { envelopeOf } from './pending.js';
import type { RunNumber, RunNumbers } from './run-numbers.js';

const ITEMS_AT_ONCE = 200;

/** Left unknown, or waiting for another attempt although one may have had its effect. */
const IS_UNKNOWN = `(outcomes.status = 'unknown' OR (coalesce(outcomes.status, 'not_sent') = 'not_sent' AND EXISTS (
  SELECT 1 FROM attempts WHERE attempts.batch = batch_items.batch AND attempts.doubtful = 1)))`;

const ROWS = `(SELECT json_group_array("row") FROM item_rows WHERE item_rows.item = items.id)`;

const UNKNOWN = `
SELECT items.id, items.envelope, bodies.json, ${ROWS} AS rows_json,
  (SELECT min(started_at) FROM attempts WHERE attempts.batch = batch_items.batch) AS first_at,
  (SELECT max(started_at) FROM attempts WHERE attempts.batch = batch_items.batch) AS last_at
FROM items
CROSS JOIN batch_items ON batch_items.item = items.id
CROSS JOIN bodies ON bodies.item = items.id
LEFT JOIN outcomes ON outcomes.item = items.id
WHERE items.id > :after AND items.id < :end AND ${IS_UNKNOWN}
  AND (:row = 0 OR EXISTS (SELECT 1 FROM item_rows WHERE item_rows."row" = :row AND item_rows.item = items.id))
ORDER BY items.id LIMIT :limit`;

interface UnknownLine {
  readonly id: number;
  readonly envelope: number;
  readonly json: string;
  readonly rows_json: string;
  readonly first_at: number;
  readonly last_at: number;
}

const TO_SETTLE = `
SELECT batch_items.batch, items.item_key FROM items
JOIN batch_items ON batch_items.item = items.id
LEFT JOIN outcomes ON outcomes.item = items.id
WHERE items.id = ? AND ${IS_UNKNOWN}`;

const SETTLE = `
INSERT INTO outcomes (item, status, attempts, license_order_id, code, message_json, columns_json)
VALUES (:item, :status, (SELECT coalesce(max(attempt), 0) FROM attempts WHERE batch = :batch), :order, :code,
  :message, :columns)
ON CONFLICT (item) DO UPDATE SET status = excluded.status, code = excluded.code,
  license_order_id = coalesce(excluded.license_order_id, license_order_id), message_json = excluded.message_json,
  columns_json = coalesce(excluded.columns_json, columns_json)`;

const TELL = `
INSERT INTO resolutions (item, n, at, who, how, from_status, to_status, license_order_id, evidence_json)
SELECT :item, coalesce(max(n), 0) + 1, :at, :who, :how, 'unknown', :status, :order, :evidence
FROM resolutions WHERE item = :item`;

/** The runs that a run retries, nearest first. */
const ANCESTORS = `
WITH RECURSIVE line (id, parent, depth) AS (
  SELECT id, parent, 0 FROM runs WHERE id = ?
  UNION ALL
  SELECT runs.id, runs.parent, depth + 1 FROM line JOIN runs ON runs.name = line.parent
)
SELECT line.id FROM line JOIN runs ON runs.id = line.id WHERE line.id <> ? AND runs.scope = ? ORDER BY depth`;

const HELD_AT_ROW = `
SELECT items.id AS item FROM item_rows
JOIN items ON items.id = item_rows.item
JOIN outcomes ON outcomes.item = items.id
WHERE item_rows."row" = ? AND items.item_key = ? AND outcomes.status IN ('succeeded', 'accepted', 'unknown')`;

const LIST = `
SELECT resolutions.*, (SELECT json_group_array("row") FROM item_rows WHERE item_rows.item = resolutions.item) AS rows_json
FROM resolutions
WHERE resolutions.item > :first AND resolutions.item < :end
  AND (:row = 0 OR EXISTS (
    SELECT 1 FROM item_rows WHERE item_rows."row" = :row AND item_rows.item = resolutions.item))
ORDER BY resolutions.at, resolutions.item, resolutions.n`;

interface ResolutionLine {
  readonly item: number;
  readonly at: number;
  readonly who: string;
  readonly how: Resolution['how'];
  readonly from_status: Resolution['from'];
  readonly to_status: Resolution['to'];
  readonly license_order_id: string | null;
  readonly evidence_json: string | null;
  readonly rows_json: string;
}

export class SqliteResolutionStore implements ResolutionStore {
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

  async *unknown(run: string, row?: number): AsyncIterable<UnknownItem> {
    this.#group.flush();
    const { number } = this.#numbers.of(run);
    const { first, end } = idRange(number);
    const envelopes = new Map<number, JsonObject>();
    let after = first;
    for (;;) {
      const values = { after, end, row: row === undefined ? 0 : packId(number, row), limit: ITEMS_AT_ONCE };
      const lines = this.#db.read(() => this.#db.allNamed<UnknownLine>(UNKNOWN, values));
      for (const it of lines) {
        yield {
          item: unpackId(it.id),
          rows: rowsOf(it.rows_json),
          envelope: this.#db.read(() => envelopeOf(this.#db, it.envelope, envelopes)),
          body: exactParse(it.json) as Json,
          firstAttemptAt: it.first_at,
          lastAttemptAt: it.last_at,
        };
      }
      const last = lines.at(-1);
      if (!last) return;
      after = last.id;
      await pause();
    }
  }

  async settle(run: string, settlements: readonly Settlement[]): Promise<readonly number[]> {
    this.#group.flush();
    return this.#db.write(() => {
      const at = this.#numbers.of(run);
      return settlements.filter((it) => this.#settle(at, it)).map((it) => it.item);
    });
  }

  async list(run: string, row?: number): Promise<readonly Resolution[]> {
    this.#group.flush();
    const { number } = this.#numbers.of(run);
    const values = { ...idRange(number), row: row === undefined ? 0 : packId(number, row) };
    return this.#db.read(() => this.#db.allNamed<ResolutionLine>(LIST, values)).map(toResolution);
  }

  #settle({ number, scope }: RunNumber, settlement: Settlement): boolean {
    const { outcome, at, who, how, evidence } = settlement;
    const item = packId(number, settlement.item);
    const found = this.#db.get<{ batch: number; item_key: string | null }>(TO_SETTLE, item);
    if (!found) return false;
    const order = outcome.licenseOrderId ?? null;
    const { status } = outcome;
    this.#db.runNamed(SETTLE, {
      item,
      status,
      batch: found.batch,
      order,
      code: outcome.code ?? null,
      message: outcome.message === undefined ? null : JSON.stringify(outcome.message),
      columns: outcome.columns === undefined ? null : JSON.stringify(outcome.columns),
    });
    const said = evidence === undefined ? null : JSON.stringify(evidence);
    this.#db.runNamed(TELL, { item, at, who, how, status, order, evidence: said });
    finishBatch(this.#db, found.batch);
    if (found.item_key === null) return true;
    if (status === 'succeeded') this.#claims.claim(scope, found.item_key, item);
    else {
      this.#claims.giveUp(scope, found.item_key, item);
      this.#holdForAncestor(number, scope, item, found.item_key);
    }
    return true;
  }

  /**
   * A key remembers one holder before the present one. In a retry of a retry, the first run's hold may be forgotten so:
   * it is taken up again, or the order could go although that run left it unknown.
   */
  #holdForAncestor(run: number, scope: number, item: number, key: string): void {
    const rows = this.#db.all<{ row: number }>('SELECT "row" AS "row" FROM item_rows WHERE item = ?', item);
    for (const { id } of this.#db.all<{ id: number }>(ANCESTORS, run, run, scope)) {
      for (const { row } of rows) {
        const held = this.#db.get<{ item: number }>(HELD_AT_ROW, packId(id, unpackId(row)), key);
        if (!held) continue;
        this.#claims.claim(scope, key, held.item);
        return;
      }
    }
  }
}

function rowsOf(json: string): number[] {
  return (JSON.parse(json) as number[]).map(unpackId).sort((a, b) => a - b);
}

function toResolution(it: ResolutionLine): Resolution {
  return {
    item: unpackId(it.item),
    rows: rowsOf(it.rows_json),
    at: it.at,
    who: it.who,
    how: it.how,
    from: it.from_status,
    to: it.to_status,
    ...(it.license_order_id === null ? {} : { licenseOrderId: it.license_order_id }),
    ...(it.evidence_json === null ? {} : { evidence: JSON.parse(it.evidence_json) as Message | string }),
  };
}
