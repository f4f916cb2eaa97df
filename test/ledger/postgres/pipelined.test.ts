import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Ledger } from '../../../src/ledger/contract/ledger.js';
import { openLedger } from '../../../src/ledger/open.js';
import { isBroken, sqlState } from '../../../src/ledger/postgres/failures.js';
import { Session } from '../../../src/ledger/postgres/session.js';
import { order, planRun, SUCCEEDED } from '../../support/ledger-samples.js';
import { type PostgresPlace, postgresPlace } from '../../support/postgres/shared-server.js';

let place: PostgresPlace;

beforeEach(async () => {
  place = await postgresPlace();
});

afterEach(async () => {
  await place.remove();
});

describe('statements of one transaction that are on their way at once', () => {
  let session: Session;
  const ADD = 'INSERT INTO pipelined SELECT 6 / $1::int';
  const ALSO = 'INSERT INTO pipelined SELECT $1::int + 100';

  const open = () =>
    Session.open(
      { connectionString: place.url },
      `CREATE SCHEMA IF NOT EXISTS ${place.schema}; SET search_path TO ${place.schema}`,
      { replyMs: 10_000, openMs: 10_000 },
    );
  const there = async (of: Session) =>
    (await of.rows<{ n: number }>('SELECT n FROM pipelined ORDER BY n')).map((it) => it.n);
  const fault = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => 'went through',
      (error) => error,
    );

  beforeEach(async () => {
    session = await open();
    await session.query('CREATE TABLE pipelined (n int)');
  });

  afterEach(async () => {
    await session.close();
  });

  test('are written whole or not at all, and none of those after an error by itself', async () => {
    for (const spoilt of [0, 1, 2]) {
      const work = session.together((ask) =>
        Promise.all([0, 1, 2].map((at) => (at === spoilt ? ask(ADD, [0]) : ask(ALSO, [at])))),
      );
      expect(sqlState(await fault(work)), `${spoilt}`).toBe('22012');
      expect(await there(session)).toEqual([]);
    }
    // What was prepared within a transaction that failed is there for the next one still.
    await session.together((ask) => Promise.all([ask(ADD, [2]), ask(ALSO, [1])]));
    expect(await there(session)).toEqual([3, 101]);
  });

  test('count as lost where the session ends between them, and nothing of them is written', async () => {
    const end = 'SELECT pg_terminate_backend(pg_backend_pid()), $1::int';
    const work = session.together((ask) => Promise.all([ask(ALSO, [1]), ask(end, [1]), ask(ALSO, [2])]));
    expect(isBroken(await fault(work))).toBe(true);
    expect(session.isBroken).toBe(true);
    session = await open();
    expect(await there(session)).toEqual([]);
  });
});

describe('ends, and the intents that take their places', () => {
  let ledger: Ledger;
  let folder: string;
  const at = (batch: number) => ({ run: 'r1', batch, attempt: 1, nonce: `r1-${batch}` });
  const begin = (batch: number) => ledger.execution.open({ ...at(batch), startedAt: 1 }, { claim: true });
  const end = (batch: number) =>
    ledger.execution.close({
      ...at(batch),
      endedAt: 2,
      event: 'reply',
      sent: true,
      httpStatus: 200,
      reply: '{}',
      outcomes: [{ item: batch, outcome: SUCCEEDED }],
    });

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'pipelined-'));
    ledger = await openLedger(place.url);
    const rows = Array.from({ length: 8 }, (_, index) => order(index + 2, { key: `k${index}` }));
    await planRun(ledger, 'r1', rows, { jobFile: path.join(folder, 'job.yaml') });
  });

  afterEach(async () => {
    await ledger.close();
    await rm(folder, { recursive: true, force: true });
  });

  test.each([
    ['an end', 'outcomes', 'NEW.item & 4294967295 = 2'],
    ['an intent', 'attempts', 'NEW.batch & 4294967295 = 7'],
  ])('%s that the database refuses takes no other down, and none is begun twice', async (_, table, when) => {
    for (const batch of [1, 2, 3, 4]) await begin(batch);
    await place.ask(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'refused'; END $$`);
    await place.ask(`CREATE TRIGGER refuse BEFORE INSERT ON ${table} FOR EACH ROW WHEN (${when})
      EXECUTE FUNCTION refuse()`);
    const reported = await Promise.allSettled(
      [1, 2, 3, 4].flatMap((batch) => [end(batch), begin(batch + 4)]),
    );
    const refused = reported.flatMap((it, index) => (it.status === 'rejected' ? [index] : []));
    expect(refused).toEqual(table === 'outcomes' ? [2] : [5]);
    const lines = await place.ask<{ batch: number; open: boolean }>(
      'SELECT (batch & 4294967295)::int AS batch, ended_at IS NULL AS open FROM attempts ORDER BY batch',
    );
    const open = table === 'outcomes' ? [2, 5, 6, 7, 8] : [5, 6, 8];
    expect(lines.filter((it) => it.open).map((it) => it.batch)).toEqual(open);
    await place.ask(`DROP TRIGGER refuse ON ${table}`);
    await place.ask('DROP FUNCTION refuse()');
    expect((await ledger.runs.counts('r1')).succeeded).toBe(table === 'outcomes' ? 3 : 4);
    const { requests } = (await ledger.runs.get('r1'))!;
    expect(requests).toBe(table === 'outcomes' ? 8 : 7);
  });
});
