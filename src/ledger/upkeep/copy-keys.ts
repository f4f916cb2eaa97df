import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import type { Connection } from '../../model/connection.js';
import type { Ledger } from '../contract/ledger.js';
import { openLedger } from '../open.js';
import { scopeOf, sharesKeys } from '../rules/scopes.js';
import { keptJson, type ToKeepLine } from '../store/key-holder.js';
import { prunedSettings } from '../store/prune.js';

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
  /** It was sent, or may have been. */
  readonly tried: number | boolean;
};

/**
 * Creates a separate ledger with the keys of earlier runs of a connection and the outcomes of their items, in the form of pruned
 * runs. Nothing else is copied, and the source ledger is only read.
 * @param from absent: there was no run yet
 * @param to path of a file that doesn't exist
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
  const scope = scopeOf(connection);
  const all = await read<ScopeLine>('SELECT id, name FROM scopes');
  const scopes = all.filter(({ name }) => sharesKeys(scope, name, connection.name));
  const putScope = db.prepare('INSERT INTO scopes (id, name) VALUES (?, ?)');
  for (const { id, name } of scopes) {
    putScope.run(id, name);
    await copyRuns(read, id, db);
  }
  // After all runs: a key may refer to a run of any of these scopes.
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
    for (const run of page) {
      const ended = run.ended_at ?? run.started_at;
      put.run(
        ...[run.id, run.name, run.kind, run.job, run.job_file, run.job_sha256, run.operation, run.connection],
        ...[run.scope, run.input_file, run.input_sha256, prunedSettings(run.settings), run.parent, run.step],
        ...[run.started_at, ended, ended],
      );
    }
    const end = page.at(-1);
    if (!end) return;
    last = end.id;
  }
}

/** Whether an item may have been sent. A key that is only claimed ahead blocks no other run (prefetched-claims.ts). */
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
    for (const line of page) {
      const { first_row, content } = line;
      const isOnlyClaimed = line.kept_json === null && line.status === null && Number(line.tried) === 0;
      if (isOnlyClaimed) continue;
      const kept =
        line.kept_json ?? keptJson({ ...line, first_row: first_row ?? 0, content: content ?? '' }, 'all');
      putKey.run(scope, line.item_key, line.item, kept);
    }
    const found = await read<{ item: number; n: number; json: string }>(records, [scope, last, end.item_key]);
    for (const { item, n, json } of found) putRecord.run(item, n, json);
    last = end.item_key;
  }
}
