import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Ledger } from '../../src/ledger/contract/ledger.js';
import { openLedger } from '../../src/ledger/open.js';
import { checkLedger } from '../../src/ledger/upkeep/check.js';
import { copyLedger } from '../../src/ledger/upkeep/copy.js';
import { showLedger } from '../../src/ledger/upkeep/show.js';
import {
  allRows,
  carry,
  collect,
  openBatch,
  order,
  planRun,
  runStart,
  SUCCEEDED,
} from '../support/ledger-samples.js';
import { POSTGRES, SQLITE, useLedger } from '../support/ledgers.js';
import { type PostgresPlace, postgresPlace } from '../support/postgres/shared-server.js';

const realFile = async (file: string): Promise<string> => file;
const INPUT = Buffer.from('a,b\n1,2\n'.repeat(200_000));

async function* pieces(): AsyncGenerator<Uint8Array> {
  yield INPUT;
}

/** A run with everything, one that continues later, a schedule, an inbox's file, and a key with a control character in it. */
async function fill(ledger: Ledger): Promise<void> {
  const { sha256 } = await ledger.inputs.put('订单.csv', pieces());
  const inputs = { inputSha256: sha256, inputFile: '/data/订单.csv' };
  const keyed = [order(1, { key: 'K1' }), order(2, { key: 'K\u0001\u00012' }), order(3), order(4)];
  await planRun(ledger, 'r1', keyed, { size: 2, ...inputs });
  await carry(ledger, 'r1', 1, { 1: SUCCEEDED, 2: { ...SUCCEEDED, licenseOrderId: 'LO-2' } });
  await openBatch(ledger, 'r1', 2);
  await ledger.runs.patch('r1', { state: 'stopped' });
  await ledger.runs.create(runStart('r2', inputs));
  await ledger.lookups.add('r1', [
    {
      key: 'a1',
      operation: 'asset.list',
      request: { enterpriseGlobalId: 'ENT\u0001' },
      answer: { kind: 'records', count: 1, json: '[{"assetNum":"81"}]' },
      requests: 1,
      askedAt: 7,
    },
  ]);
  await ledger.schedule.begin('job', 1000, 1001);
  await ledger.pendingFiles.remember('/in/a.csv', { file: '/in/a.csv', sha256, at: 5 });
}

async function everything(ledger: Ledger): Promise<unknown> {
  return {
    runs: await ledger.runs.list(10),
    rows: await allRows(ledger, 'r1'),
    counts: await ledger.runs.counts('r1'),
    lookups: await ledger.lookups.find('r1', ['a1']),
    story: await ledger.report.row('r1', 2),
    attempts: await collect(ledger.report.attempts('r1')),
    last: await ledger.schedule.last('job'),
    files: await ledger.pendingFiles.list(),
    totals: await ledger.runs.totals(),
  };
}

describe.each([SQLITE, POSTGRES])('$name', (maker) => {
  const here = useLedger(maker);
  let place: PostgresPlace;

  beforeEach(async () => {
    place = await postgresPlace();
  });

  afterEach(async () => {
    await place.remove();
  });

  test('is copied whole: what is known of it, its keys and its inputs, and it continues there', async () => {
    await fill(here.ledger);
    const before = await everything(here.ledger);
    const { tables } = await copyLedger(here.ledger, place.url, { realFile });
    expect(Object.fromEntries(tables.map(({ name, rows }) => [name, rows]))).toMatchObject({
      runs: 2,
      items: 4,
      batches: 2,
      attempts: 2,
      item_keys: 2,
      inputs: 1,
      pending_files: 1,
      schedule_times: 1,
    });
    const copy = await openLedger(place.url);
    try {
      expect(await everything(copy)).toEqual(before);
      const [run] = await copy.runs.list(1);
      const bytes = copy.inputs.bytes({ sha256: run?.inputSha256 ?? '', name: '订单.csv' });
      expect(Buffer.concat(await collect(bytes)).equals(INPUT)).toBe(true);
      expect(await copy.execution.recover('r1', false, { status: 'unknown' })).toBe(1);
      await planRun(copy, 'r3', [order(1, { key: 'K1' }), order(2, { key: 'K\u0001\u00012' })]);
      const held = await collect(copy.plan.heldKeys('r3'));
      expect(held.map((it) => it.holder.run)).toEqual(['r1', 'r1']);
    } finally {
      await copy.close();
    }
    await here.ledger.guard.close(undefined);
    await expect(copyLedger(here.ledger, place.url, { realFile })).rejects.toMatchObject({
      kind: 'usage',
      detail: { code: 'ledger.copy_not_empty', params: { runs: 3 } },
    });
  });

  test('is not copied while a user works on a run of it', async () => {
    await fill(here.ledger);
    const other = await here.another();
    await other.lock('new-buy', 'sandbox', 'r2');
    await expect(copyLedger(here.ledger, place.url, { realFile })).rejects.toMatchObject({
      kind: 'usage',
      detail: { code: 'ledger.copy_going_on', params: { run: 'r2' } },
    });
  });

  test('is not copied, and not closed, where a run began just before it was closed', async () => {
    await fill(here.ledger);
    const { guard } = here.ledger;
    const other = await here.another();
    const close = guard.close.bind(guard);
    let lock = async (): Promise<unknown> => other.lock('new-buy', 'sandbox', 'r2');
    guard.close = async (to) => {
      await lock();
      lock = async () => {};
      await close(to);
    };
    await expect(copyLedger(here.ledger, place.url, { realFile })).rejects.toMatchObject({
      kind: 'usage',
      detail: { code: 'ledger.copy_going_on', params: { run: 'r2' } },
    });
    expect(await guard.closedTo()).toBeUndefined();
  });

  test('takes nothing while it is copied: a run that begins then is refused', async () => {
    await fill(here.ledger);
    const { upkeep } = here.ledger;
    const other = await here.another();
    const atOnce = upkeep.atOnce.bind(upkeep);
    const sending: typeof upkeep.atOnce = async (work) => {
      const read = await atOnce(work);
      await expect(other.runs.create(runStart('r9'))).rejects.toMatchObject({ code: 'ledger.closed' });
      return read;
    };
    Object.assign(upkeep, { atOnce: sending });
    expect((await copyLedger(here.ledger, place.url, { realFile })).tables).toContainEqual({
      name: 'runs',
      rows: 2,
    });
  });

  test('is shown with its kind, size and runs', async () => {
    await fill(here.ledger);
    const shown = await showLedger(here.ledger);
    expect(shown).toMatchObject({ kind: maker.name, runs: 2, location: here.ledger.location });
    expect(shown.version).toBeGreaterThan(0);
    expect(shown.bytes).toBeGreaterThan(10_000);
    expect(shown.workers).toBe(maker === POSTGRES ? 0 : undefined);
  });

  test('is checked: sound, with the attempts that no process waits for', async () => {
    await fill(here.ledger);
    const { faults, open, counted } = await checkLedger(here.ledger, process.env, 'UTC');
    expect(faults).toEqual([]);
    expect(open).toEqual([{ run: 'r1', attempts: 1 }]);
    expect(counted).toEqual({ runs: 2, rows: 4, inputs: 1 });
  });
});

test('sums that do not add up, records of no run and altered inputs are reported', async () => {
  const place = await postgresPlace();
  const ledger = await openLedger(place.url);
  try {
    await fill(ledger);
    await place.ask('UPDATE runs SET "rows" = 9 WHERE name = \'r1\'');
    await place.ask('DELETE FROM bodies WHERE item = (SELECT max(id) FROM items)');
    await place.ask("UPDATE input_pieces SET bytes = 'x' WHERE n = 0");
    const codes = (await checkLedger(ledger, process.env, 'UTC')).faults.map((it) => it.code);
    expect(codes).toEqual(['ledger.check_orphans', 'ledger.check_sum', 'ledger.check_input']);
  } finally {
    await ledger.close();
    await place.remove();
  }
});
