import type { Message } from '../../errors/message.js';
import type { Json, JsonObject } from '../../model/json.js';
import { exactParse } from '../../util/exact-json.js';
import type {
  ItemTrace,
  Resolution,
  ResolutionStore,
  ResolvedTo,
  SettledBefore,
  Settlement,
  UnknownItem,
} from '../contract/resolutions.js';
import { Claims } from './claims.js';
import type { Database } from './database.js';
import type { GroupCommit } from './group-commit.js';
import { idRange, packId, unpackId } from './ids.js';
import { itemTraces, MAY_HAVE_HAD_EFFECT } from './item-traces.js';
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
  (SELECT json_group_array(json_array(started_at, ended_at, event) ORDER BY attempt) FROM attempts
    WHERE attempts.batch = batch_items.batch AND coalesce(attempts.doubtful, 1) = 1) AS attempts_json
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
  readonly attempts_json: string;
}

/** Settled by a resolution, not by a reply. */
const WAS_SETTLED = `(outcomes.status IN ('succeeded', 'failed') AND EXISTS (
  SELECT 1 FROM resolutions WHERE resolutions.item = outcomes.item AND resolutions.to_status = outcomes.status))`;

const TO_SETTLE = `
SELECT batch_items.batch, items.item_key, CASE WHEN ${IS_UNKNOWN} THEN 'unknown' ELSE outcomes.status END AS status
FROM items
JOIN batch_items ON batch_items.item = items.id
LEFT JOIN outcomes ON outcomes.item = items.id
WHERE items.id = :item AND (${IS_UNKNOWN} OR (:corrects AND ${WAS_SETTLED}))`;

const SETTLED = `
SELECT outcomes.item, outcomes.status, outcomes.license_order_id, ${ROWS.replace('items.id', 'outcomes.item')} AS rows_json
FROM item_rows JOIN outcomes ON outcomes.item = item_rows.item
WHERE item_rows."row" = ? AND ${WAS_SETTLED} ORDER BY outcomes.item`;

/** What was seen of an item that stays unknown takes the place of its message only; one that failed has no ids. */
const SETTLE = `
INSERT INTO outcomes (item, status, attempts, license_order_id, code, message_json, columns_json)
VALUES (:item, :status, (SELECT coalesce(max(attempt), 0) FROM attempts WHERE batch = :batch), :order, :code,
  :message, :columns)
ON CONFLICT (item) DO UPDATE SET status = excluded.status,
  code = CASE WHEN excluded.status = 'unknown' THEN code ELSE excluded.code END,
  license_order_id = CASE WHEN excluded.status <> 'failed' THEN coalesce(excluded.license_order_id, license_order_id) END,
  message_json = excluded.message_json,
  columns_json = CASE WHEN excluded.status <> 'failed' THEN coalesce(excluded.columns_json, columns_json) END`;

const TELL = `
INSERT INTO resolutions (item, n, at, who, how, from_status, to_status, license_order_id, evidence_json, note)
SELECT :item, coalesce(max(n), 0) + 1, :at, :who, :how, :from, :status, :order, :evidence, :note
FROM resolutions WHERE item = :item`;

/** Whoever else of a scope got the item of a key through, else left it unknown. */
const OTHER_HOLDER = `
SELECT items.id AS item FROM items
JOIN runs ON runs.id = items.id / ${packId(1, 0)}
LEFT JOIN outcomes ON outcomes.item = items.id
WHERE items.item_key = ? AND runs.scope = ? AND items.id <> ? AND ${MAY_HAVE_HAD_EFFECT}
ORDER BY coalesce(outcomes.status, 'unknown') = 'unknown', items.id LIMIT 1`;

const LIST = `
SELECT resolutions.*, (SELECT json_group_array("row") FROM item_rows WHERE item_rows.item = resolutions.item) AS rows_json
FROM resolutions
WHERE resolutions.item > :first AND resolutions.item < :end
  AND (:row = 0 OR EXISTS (
    SELECT 1 FROM item_rows WHERE item_rows."row" = :row AND item_rows.item = resolutions.item))
ORDER BY resolutions.at, resolutions.item, resolutions.n`;

interface ToSettle {
  readonly batch: number;
  readonly item_key: string | null;
  readonly status: ResolvedTo;
}

interface SettledLine {
  readonly item: number;
  readonly status: SettledBefore['status'];
  readonly license_order_id: string | null;
  readonly rows_json: string;
}

interface ResolutionLine {
  readonly item: number;
  readonly at: number;
  readonly who: string;
  readonly how: Resolution['how'];
  readonly from_status: Resolution['from'];
  readonly to_status: Resolution['to'];
  readonly license_order_id: string | null;
  readonly evidence_json: string | null;
  readonly note: string | null;
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
    this.#group.catchUp();
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
          attempts: attemptsOf(it.attempts_json),
        };
      }
      const last = lines.at(-1);
      if (!last) return;
      after = last.id;
      await pause();
    }
  }

  async settled(run: string, row: number): Promise<readonly SettledBefore[]> {
    this.#group.catchUp();
    const { number } = this.#numbers.of(run);
    const lines = this.#db.read(() => this.#db.all<SettledLine>(SETTLED, packId(number, row)));
    return lines.map((it) => ({
      item: unpackId(it.item),
      rows: rowsOf(it.rows_json),
      status: it.status,
      ...(it.license_order_id === null ? {} : { licenseOrderId: it.license_order_id }),
    }));
  }

  traces(run: string, { records }: { readonly records: boolean }): AsyncIterable<readonly ItemTrace[]> {
    this.#group.catchUp();
    return itemTraces(this.#db, this.#numbers.of(run).number, records);
  }

  async settle(run: string, settlements: readonly Settlement[]): Promise<readonly number[]> {
    this.#group.catchUp();
    return this.#db.write(() => {
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

  #settle({ number, scope }: RunNumber, settlement: Settlement): boolean {
    const { outcome, at, who, how, evidence, note, corrects } = settlement;
    const item = packId(number, settlement.item);
    const [found] = this.#db.allNamed<ToSettle>(TO_SETTLE, { item, corrects: corrects === true ? 1 : 0 });
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
    const from = found.status;
    this.#db.runNamed(TELL, { item, at, who, how, from, status, order, evidence: said, note: note ?? null });
    finishBatch(this.#db, found.batch);
    if (found.item_key !== null) this.#passKeyOn(scope, item, found.item_key, status);
    return true;
  }

  /**
   * Who is found to have got it through takes the key, unless another has it already. Where nothing came of it, the key
   * goes to whoever else got the same item through or left it unknown: let go of altogether, it could be sent again.
   */
  #passKeyOn(scope: number, item: number, key: string, status: ResolvedTo): void {
    if (status !== 'failed') {
      this.#claims.claim(scope, key, item);
      return;
    }
    this.#claims.giveUp(scope, key, item);
    const other = this.#db.get<{ item: number }>(OTHER_HOLDER, key, scope, item);
    if (other) this.#claims.claim(scope, key, other.item);
  }
}

function attemptsOf(json: string): UnknownItem['attempts'] {
  const lines = JSON.parse(json) as [number, number | null, string | null][];
  return lines.map(([startedAt, endedAt, event]) => ({
    startedAt,
    ...(endedAt === null ? {} : { endedAt }),
    ...(event === null ? {} : { event }),
  }));
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
    ...(it.note === null ? {} : { note: it.note }),
    ...(it.evidence_json === null ? {} : { evidence: JSON.parse(it.evidence_json) as Message | string }),
  };
}
