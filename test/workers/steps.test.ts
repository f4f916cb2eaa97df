import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadSendingJob } from '../../src/job/load.js';
import type { QueueStore } from '../../src/ledger/postgres/queue.js';
import { scopeOf } from '../../src/ledger/rules/scopes.js';
import { ALL_OPERATIONS } from '../../src/platform/operations/catalogue.js';
import { reportRows } from '../../src/run/report/row-results.js';
import { resumeRun, startRun } from '../../src/run/start-run.js';
import { StopSignal } from '../../src/util/stop-signal.js';
import type { SharedLedger } from '../../src/workers/services.js';
import { executeQueuedRuns } from '../../src/workers/worker.js';
import { type Answer, FakePlatform, type Seen } from '../support/fake-platform.js';
import { instead } from '../support/instead.js';
import { Fixture } from '../support/job-runs.js';
import { POSTGRES } from '../support/ledgers.js';
import { onboarding, onboardingRows } from '../support/onboarding.js';

const LEASE_MS = 600;
const ROWS = 6;

let fixture: Fixture;
let platform: FakePlatform;
/** By what the platform was asked for: numbers that were given out, and what orders named. */
let bound: string[];
let given: Map<string, readonly string[]>;
let ordered: { readonly customer: string; readonly numbers: readonly string[]; readonly order: string }[];

beforeEach(async () => {
  fixture = await Fixture.open(POSTGRES);
  bound = [];
  given = new Map();
  ordered = [];
  platform = await new FakePlatform(answer).start();
});

afterEach(async () => {
  await platform.stop();
  await fixture.close();
});

function answer({ path, body }: Seen): Answer {
  const ok = (data: unknown): Answer => ({ body: { code: 0, message: 'ok', data } });
  if (path.includes('/bind')) {
    const { channelCustomerId: id, channelCode, enterpriseName } = body as Record<string, string>;
    bound.push(id!);
    return ok({
      ...{ customerId: `CU-${id}`, channelCode, channelCustomerId: id, enterpriseName },
      ...{ enterpriseGlobalId: `E-${id}`, isDefault: true },
    });
  }
  if (path.includes('/shellnums')) {
    const first = 8_000_000_000 + given.size * 10;
    const numbers = Array.from({ length: Number(body.size) }, (_, at) => String(first + at));
    given.set(numbers[0]!, numbers);
    return ok(numbers);
  }
  const [order] = body.orderList as {
    customerId: string;
    sequence: number;
    assets: { assetNos: string[] }[];
  }[];
  const { customerId, sequence, assets } = order!;
  const channelOrderId = String(body.channelOrderId);
  ordered.push({ customer: customerId, numbers: assets[0]!.assetNos, order: channelOrderId });
  return ok([{ sequence, licenseOrderId: `LO-${channelOrderId}`, customerId }]);
}

async function submitted(parts = fixture.parts()): Promise<string> {
  const rows = Array.from({ length: ROWS }, (_, at) => `SO-${at},C${at},,2,5`);
  await fixture.file('rows.csv', onboardingRows(rows));
  const file = await fixture.file('job.yaml', onboarding({ extra: 'output: { file: results/{run}.csv }\n' }));
  const job = await loadSendingJob(file, { env: {}, operations: ALL_OPERATIONS });
  const end = await startRun(parts, job, platform.connection(), 'run', { queue: true });
  expect(end.status).toBe('queued');
  return end.run;
}

function shared(members: Partial<QueueStore> = {}): SharedLedger {
  return instead(fixture.ledger, { queue: instead(fixture.ledger.queue!, members) }) as SharedLedger;
}

/** A worker that executes all that is queued, then ends. */
function carry(name: string, ledger = shared(), stop = new StopSignal()): Promise<void> {
  return executeQueuedRuns(
    { ...fixture.parts({ stop }), ledger },
    {
      name,
      slots: 2,
      connections: new Map([['fake', platform.connection()]]),
      once: true,
      leaseMs: LEASE_MS,
    },
  );
}

async function rowsOf(id: string) {
  const run = await fixture.ledger.runs.get(id);
  const rows = [];
  for await (const page of reportRows(fixture.ledger, run!)) rows.push(...page);
  return rows;
}

/** Every row succeeded every step once, with what was its own. */
async function expectWhole(run: string): Promise<void> {
  expect(await fixture.ledger.runs.get(run)).toMatchObject({ state: 'completed', exitCode: 0, requests: 18 });
  expect([...bound].sort()).toEqual(Array.from({ length: ROWS }, (_, at) => `C${at}`));
  expect(given.size).toBe(ROWS);
  expect(ordered).toHaveLength(ROWS);
  const numbers = ordered.flatMap((it) => it.numbers);
  expect(new Set(numbers).size).toBe(ROWS * 2);
  for (const { customer, order } of ordered) expect(customer).toBe(`CU-C${order.slice('SO-'.length)}`);
  const rows = await rowsOf(run);
  expect(rows.map((it) => [it.status, it.licenseOrderId])).toEqual(
    Array.from({ length: ROWS }, (_, at) => ['succeeded', `LO-SO-${at}`]),
  );
}

describe('a run of several steps that workers process', () => {
  test('goes from step to step by itself, and its end is notified once', async () => {
    const run = await submitted();
    expect(await fixture.ledger.queue!.runsInQueue('onboard', scopeOf(platform.connection()))).toEqual([run]);
    expect((await fixture.ledger.runs.get(run))?.state).toBe('queued');
    await Promise.all([carry('w1'), carry('w2')]);
    await expectWhole(run);
    expect(await fixture.ledger.queue!.runsInQueue('onboard', scopeOf(platform.connection()))).toEqual([]);
  });

  test.each([1, 2])(
    'is resumed where a worker died before it could queue the next step (%i)',
    async (nth) => {
      const run = await submitted();
      let asked = 0;
      const dying = shared({
        enqueue: (...which) => {
          asked += 1;
          return asked === nth ? Promise.reject(new Error('died')) : fixture.ledger.queue!.enqueue(...which);
        },
      });
      await carry('w1', dying).catch(() => {});
      await carry('w2');
      expect(asked).toBeGreaterThanOrEqual(nth);
      await expectWhole(run);
    },
  );

  test('holds its place in the line until its last step succeeded', async () => {
    const run = await submitted();
    const next = await submitted();
    expect(await fixture.ledger.queue!.runsInQueue('onboard', scopeOf(platform.connection()))).toEqual([
      run,
      next,
    ]);
    await Promise.all([carry('w1'), carry('w2')]);
    await expectWhole(run);
    expect((await rowsOf(next)).map((it) => it.status)).toEqual(
      Array.from({ length: ROWS }, () => 'skipped'),
    );
  });

  test('begins no step once it was stopped, and continues from there', async () => {
    const run = await submitted();
    const late = shared({
      enqueue: async (...which) => {
        await fixture.ledger.queue!.stop(run, { kind: 'interrupted', by: 'me' });
        return fixture.ledger.queue!.enqueue(...which);
      },
    });
    await carry('w1', late);
    expect(bound).toHaveLength(ROWS);
    expect(given.size).toBe(0);
    const stopped = await fixture.ledger.runs.get(run);
    expect(stopped).toMatchObject({ state: 'interrupted', exitCode: 130 });
    expect(stopped?.reason?.params).toEqual({ run: `${run} --queue` });
    const connection = platform.connection();
    const change = <S extends object>(settings: S): S => ({ ...settings, connection });
    await resumeRun(fixture.parts(), stopped!, change, { queue: true });
    const { reason: _reason, exitCode: _code, endedAt: _ended, ...again } = stopped!;
    expect(await fixture.ledger.runs.get(run)).toEqual({
      ...again,
      state: 'queued',
      executeMs: expect.anything(),
    });
    const carried = carry('w2');
    await expect.poll(() => given.size).toBeGreaterThan(0);
    expect((await fixture.ledger.runs.get(run))?.state).toBe('executing');
    await carried;
    await expectWhole(run);
  });

  test('is not planned by two at once: the one that has lost its turn queues nothing', async () => {
    const run = await submitted();
    const work = instead(fixture.ledger.queue!.work, { holdEnd: () => Promise.resolve(false) });
    const stop = new StopSignal();
    const standing = carry('w1', shared({ work }), stop);
    await expect.poll(() => bound.length).toBe(ROWS);
    await new Promise((resolve) => setTimeout(resolve, 2 * LEASE_MS));
    expect(given.size).toBe(0);
    await carry('w2');
    stop.stop({ kind: 'interrupted' });
    await standing;
    await expectWhole(run);
  });
});
