import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Ledger } from '../../src/ledger/contract/ledger.js';
import { openLedger } from '../../src/ledger/open.js';
import { Database } from '../../src/ledger/sqlite/database.js';
import { MIGRATIONS } from '../../src/ledger/sqlite/migrations/index.js';
import { packId } from '../../src/ledger/store/ids.js';
import {
  allPending,
  carry,
  closeBatch,
  collect,
  openBatch,
  order,
  planRun,
  SUCCEEDED,
  statuses,
} from '../support/ledger-samples.js';
import { BACK_TO_VERSION_4 } from '../support/older-ledger.js';

let folder: string;
let file: string;
let ledger: Ledger;
/** Another program at the same file. */
let other: Database;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ledger-appended-'));
  file = join(folder, 'ledger.db');
});

afterEach(async () => {
  other.close();
  await ledger.close();
  await rm(folder, { recursive: true, force: true });
});

test('a process of the version before, that has the ledger open while it is migrated, sends nothing any more', async () => {
  const intent = 'INSERT INTO attempts (batch, attempt, nonce, started_at) VALUES (?, ?, ?, ?)';
  ledger = await openLedger(file);
  await planRun(ledger, 'r1', [order(2, { key: 'K' }), order(3, { key: 'L' }), order(4)]);
  await ledger.close();
  other = new Database(file, { timeout: 1000 });
  other.exec(BACK_TO_VERSION_4);
  other.transaction(() => other.run(intent, packId(1, 2), 1, 'before', 1));
  ledger = await openLedger(file);
  expect(other.pragma('user_version')).toBe(MIGRATIONS.length);
  await carry(ledger, 'r1', 1, { 1: SUCCEEDED });
  for (const [batch, attempt] of [
    [1, 1],
    [1, 2],
    [3, 1],
  ] as const) {
    const begin = () => other.transaction(() => other.run(intent, packId(1, batch), attempt, 'after', 1));
    expect(begin).toThrow(/newer version/);
  }
  // What it had sent by then is reported as it came out.
  const end = 'UPDATE attempts SET ended_at = 2, sent = 1, doubtful = 1 WHERE batch = ? AND ended_at IS NULL';
  expect(other.run(end, packId(1, 2))).toBe(1);
  expect(await statuses(ledger, 'r1')).toBe('2 succeeded, 3 unknown, 4 not_sent');
});

describe('lines that can’t be folded', () => {
  beforeEach(async () => {
    ledger = await openLedger(file);
    other = new Database(file, { timeout: 1000 });
    const items = [2, 3, 4, 5].map((row) => order(row, { key: `k${row}` }));
    await planRun(ledger, 'r1', items);
    await planRun(ledger, 'r2', items, { job: 'two', kind: 'run' });
    for (const batch of [1, 2, 3]) await openBatch(ledger, 'r1', batch);
    for (const batch of [1, 2]) await closeBatch(ledger, 'r1', batch, { [batch]: SUCCEEDED });
  });

  const spoilt: Readonly<Record<string, () => void>> = {
    'an outcome that isn’t JSON': () =>
      other.run("UPDATE attempts_ended SET outcomes_json = '[[' WHERE batch = ?", packId(1, 1)),
    'an outcome without a status': () =>
      other.run(
        'UPDATE attempts_ended SET outcomes_json = ? WHERE batch = ?',
        `[[${packId(1, 1)},null]]`,
        packId(1, 1),
      ),
    'an attempt that is there already': () => {
      other.exec('DROP TRIGGER attempts_only_folded');
      other.run(
        "INSERT INTO attempts (batch, attempt, nonce, started_at) VALUES (?, 1, 'old', 1)",
        packId(1, 1),
      );
    },
  };

  test.each(Object.keys(spoilt))(
    '%s: its batch is unknown, all others are reported and continue',
    async (what) => {
      spoilt[what]?.();
      expect(await statuses(ledger, 'r1')).toBe('2 unknown, 3 succeeded, 4 unknown, 5 not_sent');
      expect((await allPending(ledger, 'r1')).map((it) => it.batch)).toEqual([4]);
      expect((await collect(ledger.resolutions.unknown('r1'))).map((it) => it.item)).toEqual([1]);
      expect((await ledger.runs.get('r1'))?.requests).toBe(3);
      const kept = other.all<{ batch: number; begun_json: string; ended_json: string }>(
        'SELECT * FROM attempts_set_aside',
      );
      expect(kept).toMatchObject([{ batch: packId(1, 1), ended_json: expect.stringContaining('reply') }]);
      await expect(openBatch(ledger, 'r1', 1, 2)).rejects.toMatchObject({
        detail: { code: 'ledger.batch_not_pending' },
      });
      expect((await openBatch(ledger, 'r2', 1)).withheld).toMatchObject([
        { holder: { run: 'r1', status: 'unknown' } },
      ]);
      await carry(ledger, 'r1', 4, { 4: SUCCEEDED });
      await closeBatch(ledger, 'r1', 3, { 3: SUCCEEDED });
      expect(await statuses(ledger, 'r1')).toBe('2 unknown, 3 succeeded, 4 succeeded, 5 succeeded');
    },
  );

  test('one of a batch that no longer exists', async () => {
    other.exec('PRAGMA foreign_keys = OFF');
    other.run("INSERT INTO attempts_begun VALUES (?, 1, 'n', 1, 0)", packId(9, 1));
    await carry(ledger, 'r2', 4, { 4: SUCCEEDED });
    expect(await statuses(ledger, 'r1')).toBe('2 succeeded, 3 succeeded, 4 unknown, 5 not_sent');
    expect(other.get('SELECT count(*) AS n FROM attempts_set_aside')).toEqual({ n: 1 });
    expect(other.get('SELECT count(*) AS n FROM attempts_begun')).toEqual({ n: 0 });
  });
});
