import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Message, message } from '../../../src/errors/message.js';
import type { Ledger } from '../../../src/ledger/contract/ledger.js';
import { openLedger } from '../../../src/ledger/open.js';
import { seededRandom } from '../../../src/sandbox/faults.js';
import { rememberLedgerPatience, rememberLedgerReply } from '../../../src/util/ledger-address.js';
import { collect, order, planRun, SUCCEEDED, statuses } from '../../support/ledger-samples.js';
import { type ConnectionOutcome, CutProxy } from '../../support/postgres/cut-proxy.js';
import { type PostgresPlace, postgresPlace } from '../../support/postgres/shared-server.js';

const LOST = { status: 'unknown', message: message('run.died') } as const;

let place: PostgresPlace;
let proxy: CutProxy;
let ledger: Ledger;
let folder: string;
let notes: Message[];

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'broken-'));
  place = await postgresPlace();
  proxy = await CutProxy.before(place.url);
  notes = [];
  ledger = await open();
});

afterEach(async () => {
  rememberLedgerPatience(undefined);
  rememberLedgerReply(undefined);
  proxy.connectionOutcome = () => 'pass';
  proxy.open();
  await ledger.close();
  await proxy.stop();
  await place.remove();
  await rm(folder, { recursive: true, force: true });
});

const open = (): Promise<Ledger> => openLedger(proxy.through(place.url), { note: (it) => notes.push(it) });

const rows = (count: number) => Array.from({ length: count }, (_, index) => index + 2);

/** A run whose job is in this test's folder. */
async function plan(run: string, count: number): Promise<void> {
  const items = rows(count).map((row) => order(row, { key: `k${row}` }));
  await planRun(ledger, run, items, { jobFile: path.join(folder, 'job.yaml') });
}

/** A platform's side of it: which batches were sent, and how often. */
type Sent = Map<number, number>;

/** Sends a batch as the carrier does: nothing leaves before its intent is recorded, and what was answered is reported. */
async function carry(run: string, batch: number, sent: Sent, via = ledger): Promise<void> {
  const nonce = `${run}-${batch}`;
  await via.execution.open({ run, batch, attempt: 1, nonce, startedAt: 1000 }, { claim: true });
  sent.set(batch, (sent.get(batch) ?? 0) + 1);
  await delay(2);
  await via.execution.close({
    run,
    batch,
    attempt: 1,
    nonce,
    endedAt: 2000,
    httpStatus: 200,
    event: 'reply',
    sent: true,
    reply: '{}',
    outcomes: [{ item: batch, outcome: SUCCEEDED }],
  });
}

async function carryAll(run: string, count: number, sent: Sent): Promise<unknown[]> {
  const failed: unknown[] = [];
  let next = 0;
  const slot = async (): Promise<void> => {
    while (next < count) {
      next += 1;
      await carry(run, next, sent).catch((error: unknown) => failed.push(error));
    }
  };
  await Promise.all(Array.from({ length: 16 }, slot));
  return failed;
}

describe('a connection that breaks while a run sends', () => {
  const connectionOutcomes: readonly ConnectionOutcome[] = ['cut_after', 'cut_before', 'slow'];

  test.each([1, 2, 3])('by chance (seed %i): each batch is sent once, and none is unknown', async (seed) => {
    const random = seededRandom(seed);
    const count = 400;
    await plan('r1', count);
    proxy.connectionOutcome = () =>
      random() < 0.12 ? connectionOutcomes[Math.floor(random() * connectionOutcomes.length)]! : 'pass';
    const sent: Sent = new Map();
    expect(await carryAll('r1', count, sent)).toEqual([]);
    proxy.connectionOutcome = () => 'pass';
    expect([...sent.values()].filter((it) => it !== 1)).toEqual([]);
    expect(sent.size).toBe(count);
    expect(await ledger.execution.recover('r1', false, LOST)).toBe(0);
    expect(await ledger.runs.counts('r1')).toEqual({ succeeded: count });
    expect((await ledger.runs.get('r1'))?.requests).toBe(count);
    expect((await collect(ledger.report.attempts('r1'))).flat()).toHaveLength(count);
    expect(proxy.cuts.cut_after + proxy.cuts.cut_before).toBeGreaterThan(5);
  });

  test('right after an intent was written: it is found by its nonce, and leaves once', async () => {
    await plan('r1', 2);
    const sent: Sent = new Map();
    await carry('r1', 2, sent);
    let cuts = 1;
    proxy.connectionOutcome = () => (cuts-- > 0 ? 'cut_after' : 'pass');
    await carry('r1', 1, sent);
    expect(proxy.cuts.cut_after).toBe(1);
    expect(sent.get(1)).toBe(1);
    expect(await statuses(ledger, 'r1')).toBe('2 succeeded, 3 succeeded');
    expect(await place.ask('SELECT nonce FROM attempts ORDER BY nonce')).toEqual([
      { nonce: 'r1-1' },
      { nonce: 'r1-2' },
    ]);
  });

  test('as a hole that answers nothing: it counts as broken after the limit for a reply', async () => {
    await ledger.close();
    rememberLedgerReply(1000);
    ledger = await open();
    await plan('r1', 3);
    let holes = 1;
    proxy.connectionOutcome = () => (holes-- > 0 ? 'hole' : 'pass');
    const sent: Sent = new Map();
    expect(await carryAll('r1', 3, sent)).toEqual([]);
    expect(holes).toBeLessThan(1);
    expect(sent).toEqual(new Map([1, 2, 3].map((it) => [it, 1])));
    expect(await ledger.runs.counts('r1')).toEqual({ succeeded: 3 });
  });
});

describe('a connection that breaks while the tables are made', () => {
  test.each(['cut_after', 'cut_before'] as const)('%s: they are there still', async (connectionOutcome) => {
    const fresh = await postgresPlace();
    const through = await CutProxy.before(fresh.url);
    // The first is that of the transaction which makes the tables, as all before it only reads.
    let cuts = 1;
    through.connectionOutcome = () => (cuts-- > 0 ? connectionOutcome : 'pass');
    const made = await openLedger(through.through(fresh.url));
    expect(await made.runs.list(1)).toEqual([]);
    expect(through.cuts[connectionOutcome]).toBe(1);
    await made.close();
    await through.stop();
    await fresh.remove();
  });
});

describe('a server that is unavailable for longer than the patience', () => {
  const left = async () => (await readdir(folder)).filter((it) => it.startsWith('.license-sync-replies-'));

  test('what was answered is kept next to the job, and the next command takes it in', async () => {
    await ledger.close();
    rememberLedgerPatience(800);
    ledger = await open();
    await plan('r1', 4);
    const intent = (batch: number) => ({ run: 'r1', batch, attempt: 1, nonce: `n${batch}`, startedAt: 1000 });
    for (const batch of [1, 2]) await ledger.execution.open(intent(batch), { claim: true });
    proxy.close();
    const ends = [1, 2].map((batch) =>
      ledger.execution.close({
        ...intent(batch),
        endedAt: 2000,
        event: 'reply',
        sent: true,
        outcomes: [{ item: batch, outcome: { ...SUCCEEDED, records: [{ lock: 12345678901234567890n }] } }],
      }),
    );
    const refused = ledger.execution.open(intent(3), { claim: true });
    const came = await Promise.allSettled([...ends, refused]);
    expect(came).toMatchObject(
      came.map(() => ({ status: 'rejected', reason: { name: 'LicenseSyncError', exitCode: 5 } })),
    );
    await ledger.close();
    expect(notes).toMatchObject([{ code: 'spool.kept', params: { count: 2 } }]);
    expect(await left()).toHaveLength(1);
    notes.length = 0;
    proxy.open();
    ledger = await open();
    expect(notes).toMatchObject([{ code: 'spool.taken_in', params: { count: 2 } }]);
    expect(await left()).toEqual([]);
    expect(await ledger.execution.recover('r1', false, LOST)).toBe(0);
    expect(await statuses(ledger, 'r1')).toBe('2 succeeded, 3 succeeded, 4 not_sent, 5 not_sent');
    const records = (await collect(ledger.report.records('r1'))).flat();
    expect(records.map((it) => it.record)).toEqual([1, 2].map(() => ({ lock: 12345678901234567890n })));
  });

  test('an intent that was written and never left is pending again', async () => {
    await ledger.close();
    rememberLedgerPatience(800);
    ledger = await open();
    await plan('r1', 2);
    await carry('r1', 2, new Map());
    proxy.connectionOutcome = () => {
      // The server gets the intent, and from then on accepts no connection.
      proxy.refuse();
      return 'cut_after';
    };
    const intent = { run: 'r1', batch: 1, attempt: 1, nonce: 'n1', startedAt: 1000 };
    await expect(ledger.execution.open(intent, { claim: true })).rejects.toMatchObject({ exitCode: 5 });
    await ledger.close();
    const written = 'SELECT nonce FROM attempts WHERE ended_at IS NULL';
    expect(await place.ask(written)).toEqual([{ nonce: 'n1' }]);
    proxy.connectionOutcome = () => 'pass';
    proxy.open();
    ledger = await open();
    expect(await left()).toEqual([]);
    expect(await ledger.execution.recover('r1', false, LOST)).toBe(0);
    expect(await statuses(ledger, 'r1')).toBe('2 not_sent, 3 succeeded');
    expect(await place.ask('SELECT item_key FROM item_keys')).toEqual([{ item_key: 'k3' }]);
  });
});
