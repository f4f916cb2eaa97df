import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Ledger } from '../../src/ledger/contract/ledger.js';
import { openLedger } from '../../src/ledger/open.js';
import { Database } from '../../src/ledger/sqlite/database.js';
import { columnsOf, order, runStart } from '../support/ledger-samples.js';

let folder: string;
let ledger: Ledger;
let commits: ('waits' | 'goes on')[];

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'ledger-plan-'));
  ledger = await openLedger(path.join(folder, 'ledger.db'));
  await ledger.runs.create(runStart('r1'));
  commits = [];
  const { exec } = Database.prototype;
  vi.spyOn(Database.prototype, 'exec').mockImplementation(function (this: Database, sql: string) {
    if (sql === 'COMMIT') commits.push(this.pragma('synchronous') === 2 ? 'waits' : 'goes on');
    exec.call(this, sql);
  });
});

afterEach(async () => {
  vi.restoreAllMocks();
  await ledger.close();
  await rm(folder, { recursive: true, force: true });
});

async function planned(): Promise<void> {
  await ledger.plan.addItems('r1', columnsOf([order(2), order(3), order(4)]));
  await ledger.plan.addVerdicts('r1', [{ row: 5, status: 'skipped' }]);
  await ledger.plan.withdraw('r1', [{ item: 2, verdicts: [{ row: 3, status: 'skipped' }] }]);
  await ledger.plan.unlink('r1', 3, [4]);
  await ledger.plan.formBatches('r1', 1);
}

describe('a plan', () => {
  test('does not wait for the disk before it is finished, and waits then for all of it', async () => {
    await planned();
    expect(new Set(commits)).toEqual(new Set(['goes on']));
    let written: () => void = () => {};
    const synced = vi.spyOn(Database.prototype, 'synced').mockImplementation(
      () =>
        new Promise((resolve) => {
          written = resolve;
        }),
    );
    let finished = false;
    const finishing = ledger.plan.finish('r1', 4).then(() => {
      finished = true;
    });
    await new Promise(setImmediate);
    expect([synced.mock.calls.length, finished]).toEqual([1, false]);
    written();
    await finishing;
    expect(await ledger.runs.get('r1')).toMatchObject({ state: 'planned', rows: 4, items: 1 });
  });

  test('is not finished where the disk did not take all of it', async () => {
    await planned();
    vi.spyOn(Database.prototype, 'synced').mockRejectedValue(new Error('EIO'));
    await expect(ledger.plan.finish('r1', 4)).rejects.toMatchObject({
      detail: { code: 'ledger.write_failed' },
    });
  });
});
