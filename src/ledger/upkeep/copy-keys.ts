import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import type { Connection } from '../../model/connection.js';
import type { Ledger } from '../contract/ledger.js';
import { openLedger } from '../open.js';
import { scopeOf, sharesKeys } from '../rules/scopes.js';
import { keptJson, type ToKeepLine } from '../shared/key-holder.js';
import { prunedSettings } from '../shared/pruned-settings.js';

const PAGE = 1000;

interface ScopeLine {
  readonly id: number;
  readonly name: string;
}

interface RunLine {
  readonly id: number;
  readonly name: string;
  readonly kind: string;
  readonly job: string;
  readonly job_file: string;
  readonly job_sha256: string;
  readonly operation: string;
  readonly connection: string;
  readonly scope: number;
  readonly input_file: string;
  readonly input_sha256: string;
  readonly parent: string | null;
  readonly step: number | null;
  readonly started_at: number;
  readonly ended_at: number | null;
  /** JSON; of runs of several steps only. */
  readonly settings: string;
}

type KeyLine = Omit<ToKeepLine, 'first_row' | 'content'> & {
  readonly item_key: string;
  readonly item: number;
  readonly kept_json: string | null;
  readonly first_row: number | null;
  readonly content: string | null;
  /** Something of it was sent, or came of it. */
  readonly tried: number | boolean;
};

/**
 * Makes a ledger of its own that knows what earlier runs of a connection got through, or may have: their keys, with what
 * came of them, as a pruned run leaves them. Nothing else of it is copied, and the ledger it is copied from is only read.
 * @param from absent: there was no run yet
 * @param to path of a file that isn't there
 */
export async function makeLedgerWithKeys(
  from: Ledger | undefined,
  connection: Connection,
  to: string,
): Promise<void> {
  await (await openLedger(to)).close();
  if (!from) return;
  const db = new DatabaseSync(to);
  try {
    db.exec('PRAGMA synchronous = OFF; BEGIN');
    await from.upkeep.atOnce((read) => copyKeys(from, read, connection, db));
    db.exec('COMMIT');
  } finally {
    db.close();
  }
}

type Read = Ledger['upkeep']['read'];

async function copyKeys(
  from: Ledger,
  read: Read,
  connection: Connection,
  db: DatabaseSyncInstance,
): Promise<void> {
  const own = scopeOf(connection);
  const all = await read<ScopeLine>('SELECT id, name FROM scopes');
  const scopes = all.filter(({ name }) => sharesKeys(own, name, connection.name));
  const putScope = db.prepare('INSERT INTO scopes (id, name) VALUES (?, ?)');
  for (const { id, name } of scopes) {
    putScope.run(id, name);
    await copyRuns(read, id, db);
  }
  // Only then: what is read with a key may be of a run of any of these scopes.
  const journals = (await from.upkeep.columns('attempts_begun')).size > 0;
  for (const { id } of scopes) await copyKeysOf(read, id, db, journals);
}

async function copyRuns(read: Read, scope: number, db: DatabaseSyncInstance): Promise<void> {
  const put = db.prepare(
    `INSERT INTO runs (id, name, kind, state, job, job_file, job_sha256, operation, connection, scope, input_file,
      input_sha256, settings_json, parent, step, started_at, ended_at, pruned_at)
    VALUES (?, ?, ?, 'completed', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  for (let last = 0; ; ) {
    const page = await read<RunLine>(
      `SELECT id, name, kind, job, job_file, job_sha256, operation, connection, scope, input_file, input_sha256, parent,
        step, started_at, ended_at, CASE operation WHEN 'steps' THEN settings_json ELSE '{}' END AS settings
      FROM runs WHERE scope = $1 AND id > $2 ORDER BY id LIMIT ${PAGE}`,
      [scope, last],
    );
    for (const it of page) {
      const ended = it.ended_at ?? it.started_at;
      put.run(
        ...[it.id, it.name, it.kind, it.job, it.job_file, it.job_sha256, it.operation, it.connection],
        ...[it.scope, it.input_file, it.input_sha256, prunedSettings(it.settings), it.parent, it.step],
        ...[it.started_at, ended, ended],
      );
    }
    const end = page.at(-1);
    if (!end) return;
    last = end.id;
  }
}

/** Whether something of an item has left: a key may be claimed ahead, and that holds nobody back (claims-ahead.ts). */
function triedSql(journals: boolean): string {
  if (!journals) return '1';
  const begun = (table: string): string =>
    `EXISTS (SELECT 1 FROM batch_items JOIN ${table} ON ${table}.batch = batch_items.batch WHERE batch_items.item = item_keys.item)`;
  return `CASE WHEN ${begun('attempts')} OR ${begun('attempts_begun')} THEN 1 ELSE 0 END`;
}

async function copyKeysOf(
  read: Read,
  scope: number,
  db: DatabaseSyncInstance,
  journals: boolean,
): Promise<void> {
  const putKey = db.prepare('INSERT INTO item_keys (scope, item_key, item, kept_json) VALUES (?, ?, ?, ?)');
  const putRecord = db.prepare('INSERT INTO records (item, n, json) VALUES (?, ?, ?) ON CONFLICT DO NOTHING');
  const keys = `SELECT item_keys.item_key, item_keys.item, item_keys.kept_json, items.first_row, items.content,
      outcomes.status, outcomes.license_order_id, outcomes.columns_json, ${triedSql(journals)} AS tried
    FROM item_keys LEFT JOIN items ON items.id = item_keys.item LEFT JOIN outcomes ON outcomes.item = item_keys.item
    WHERE item_keys.scope = $1 AND item_keys.item_key > $2 ORDER BY item_keys.item_key LIMIT ${PAGE}`;
  const records = `SELECT records.item, records.n, records.json FROM records
    JOIN item_keys ON item_keys.item = records.item
    WHERE item_keys.scope = $1 AND item_keys.item_key > $2 AND item_keys.item_key <= $3`;
  for (let last = ''; ; ) {
    const page = await read<KeyLine>(keys, [scope, last]);
    const end = page.at(-1);
    if (!end) return;
    for (const it of page) {
      const { first_row, content } = it;
      const isOnlyClaimed = it.kept_json === null && it.status === null && Number(it.tried) === 0;
      if (isOnlyClaimed) continue;
      const kept =
        it.kept_json ?? keptJson({ ...it, first_row: first_row ?? 0, content: content ?? '' }, 'all');
      putKey.run(scope, it.item_key, it.item, kept);
    }
    const found = await read<{ item: number; n: number; json: string }>(records, [scope, last, end.item_key]);
    for (const it of found) putRecord.run(it.item, it.n, it.json);
    last = end.item_key;
  }
}
