import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { render } from '../../src/errors/message.js';
import type { JobBase } from '../../src/model/job.js';
import { createClient } from '../../src/platform/client/client.js';
import { Inquiry } from '../../src/platform/client/inquiry.js';
import { operationNamed } from '../../src/platform/operations/catalogue.js';
import { resumeRun } from '../../src/run/start-run.js';
import { systemClock } from '../../src/util/clock.js';
import { StopSignal } from '../../src/util/stop-signal.js';
import { type Answer, FakePlatform, ordersDone, type Seen } from '../support/fake-platform.js';
import { Fixture } from '../support/job-runs.js';
import { orderJob, orderRows } from '../support/orders.js';
import { quickClock } from '../support/quick-clock.js';
import { readSheet } from '../support/read-sheet.js';
import { reconcileJob } from '../support/reconcile-fixture.js';

let fixture: Fixture;
let platform: FakePlatform;
/** Requests that the platform is answering, and the most that ever were at once since the pause began. */
let inFlight: number;
let most: number;

beforeEach(async () => {
  fixture = await Fixture.open();
  platform = await new FakePlatform(ordersDone).start();
  inFlight = 0;
  most = 0;
});

afterEach(async () => {
  await platform.stop();
  await fixture.close();
});

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const busy = (seconds?: number): Answer => ({
  status: 429,
  body: {},
  ...(seconds === undefined ? {} : { headers: { 'retry-after': `${seconds}` } }),
});

/** The platform turns all away for a while, from the request with that number on. */
function turnsAway(from: number, ms: number, refusal: Answer, done: (seen: Seen) => Answer): void {
  let began = 0;
  platform.answer = async (seen, count) => {
    inFlight += 1;
    most = Math.max(most, inFlight);
    await delay(5);
    inFlight -= 1;
    if (count >= from && began === 0) began = performance.now();
    return began > 0 && performance.now() - began < ms ? refusal : done(seen);
  };
}

async function run(rows: number, set: readonly string[] = [], stop?: StopSignal) {
  await fixture.file('orders.csv', orderRows(rows));
  return fixture.run(await fixture.file('job.yaml', orderJob()), {
    connection: platform.connection(),
    set: ['run.retries=0', ...set],
    ...(stop ? { parts: { stop } } : {}),
  });
}

describe('a run', () => {
  it.each([
    ['a time is named', busy(1)],
    ['none is named', busy()],
    ['a time of nothing is named', busy(0)],
  ])(
    'waits a pause out with a few probes, without a retry, and sends each order once: %s',
    async (_, refusal) => {
      turnsAway(50, 3_000, refusal, ordersDone);
      const end = await run(300);
      expect(end).toMatchObject({ status: 'completed', exitCode: 0, retries: 0, counts: { succeeded: 300 } });
      expect(end.requests).toBe(platform.seen.length);
      expect(platform.seen.length).toBeLessThanOrEqual(330);
      expect(most).toBeLessThanOrEqual(8);
      const carried = platform.seen.map((it) => it.body.channelOrderId);
      expect(new Set(carried).size).toBe(300);
    },
  );

  it('asks alone after a pause', async () => {
    let began = 0;
    const probes: number[] = [];
    platform.answer = async (seen, count) => {
      began ||= performance.now();
      inFlight += 1;
      const atOnce = inFlight;
      await delay(5);
      inFlight -= 1;
      if (performance.now() - began > 2_500) return ordersDone(seen);
      // The first eight left before anybody knew of a pause.
      if (count > 8) probes.push(atOnce);
      return busy(1);
    };
    expect((await run(40)).counts).toEqual({ succeeded: 40 });
    expect(probes.length).toBeGreaterThan(0);
    expect(Math.max(...probes)).toBe(1);
  });

  it('stops when patience is over, resumable, with what was asked and how to continue', async () => {
    platform.answer = (seen, count) => (count > 3 ? busy(60) : ordersDone(seen));
    const began = performance.now();
    const end = await run(20, ['run.patience=700ms', 'run.concurrency=2']);
    // Not the 60 s that the platform asked for.
    expect(performance.now() - began).toBeLessThan(60_000);
    expect(end).toMatchObject({ status: 'stopped', exitCode: 4, counts: { succeeded: 3, not_sent: 17 } });
    expect(render(end.reason!)).toMatch(
      new RegExp(`HTTP 429, Retry-After 60 s.*700ms.*license-sync resume ${end.run}`),
    );
    expect(render(end.reason!, 'zh')).toMatch(/HTTP 429.*700ms.*license-sync resume/);
    const turnedAway = (await readSheet(end.output ?? '')).filter((it) => it.code === '429');
    expect(turnedAway.length).toBeGreaterThan(0);
    for (const line of turnedAway) {
      expect(line).toMatchObject({
        status: 'not_sent',
        message: expect.stringContaining('requests a pause'),
      });
    }
    platform.answer = ordersDone;
    const resumed = await resumeRun(fixture.parts(), (await fixture.ledger.runs.get(end.run))!, (it) => it);
    expect(resumed).toMatchObject({ exitCode: 0, retries: 0, counts: { succeeded: 20 } });
  });

  it('sends one order at a time to a platform under maintenance, and leaves few of them unknown', async () => {
    const page: Answer = { status: 503, body: {} };
    platform.answer = () => page;
    await fixture.file('orders.csv', orderRows(120));
    const end = await fixture.run(await fixture.file('job.yaml', orderJob()), {
      connection: platform.connection(),
      parts: { clock: quickClock() },
    });
    expect(end).toMatchObject({ status: 'stopped', exitCode: 6 });
    expect(end.counts.unknown).toBeLessThan(25);
    expect(render(end.reason!)).toContain('HTTP 503');
    const sent = platform.seen.length;
    expect(end.counts.not_sent).toBe(120 - sent);
    platform.answer = (seen, count) => (count <= sent + 2 ? page : ordersDone(seen));
    const parts = { ...fixture.parts(), clock: quickClock() };
    const resumed = await resumeRun(parts, (await fixture.ledger.runs.get(end.run))!, (it) => it);
    expect(resumed).toMatchObject({ exitCode: 6, counts: { succeeded: 120 - sent - 2, unknown: sent + 2 } });
    expect(new Set(platform.seen.map((it) => it.body.channelOrderId)).size).toBe(120);
  });

  it('ends at once on Ctrl-C while it waits', async () => {
    platform.answer = () => busy(60);
    const stop = new StopSignal();
    const running = run(20, [], stop);
    // One refusal blocks the others, however many were sent before it came.
    while (platform.seen.length === 0) await delay(10);
    await delay(100);
    const began = performance.now();
    stop.stop({ kind: 'interrupted' });
    expect(await running).toMatchObject({ status: 'interrupted', exitCode: 130, counts: { not_sent: 20 } });
    expect(performance.now() - began).toBeLessThan(60_000);
    expect(platform.seen).toHaveLength(8);
  });

  it('holds all requests where an order that may not be repeated was answered with 503 and a time', async () => {
    let reportedAt = 0;
    let soonest = Number.POSITIVE_INFINITY;
    platform.answer = (seen, count) => {
      if (count === 1) {
        reportedAt = performance.now();
        return { status: 503, body: {}, headers: { 'retry-after': '1' } };
      }
      soonest = Math.min(soonest, performance.now() - reportedAt);
      return ordersDone(seen);
    };
    const end = await run(5, ['run.concurrency=1']);
    expect(end).toMatchObject({ exitCode: 6, counts: { unknown: 1, succeeded: 4 } });
    expect(soonest).toBeGreaterThan(900);
  });
});

const ENTERPRISES = 40;

const COMPARISON = `version: 1
name: locks
reconcile: asset
source: { file: locks.csv }
key: { enterpriseGlobalId: Enterprise, assetNum: Lock }
expect: { locked: Locked }
run: { retries: 0 }
`;

function listed(seen: Seen): Answer {
  const assetNum = `L${/E(\d+)/.exec(seen.path)?.[1]}`;
  return { body: { code: 0, message: 'success', data: [{ id: '1', assetNum, locked: true }] } };
}

describe('a comparison', () => {
  async function compare(set: readonly string[] = []) {
    const rows = Array.from({ length: ENTERPRISES }, (_, at) => `E${at},L${at},TRUE\n`);
    await fixture.file('locks.csv', `Enterprise,Lock,Locked\n${rows.join('')}`);
    const file = await fixture.file('job.yaml', COMPARISON);
    return reconcileJob(fixture, file, { connection: platform.connection(), set });
  }

  it('waits a pause out, without a retry', async () => {
    turnsAway(1, 2_500, busy(1), listed);
    const end = await compare();
    expect(end).toMatchObject({
      status: 'completed',
      exitCode: 0,
      retries: 0,
      counts: { in_sync: ENTERPRISES },
    });
    expect(platform.seen.length).toBeLessThanOrEqual(ENTERPRISES + 8 + 4);
  });

  it('stops when patience is over: the rest are errors, and it says to run it again', async () => {
    platform.answer = (seen, count) => (count > 10 ? busy(60) : listed(seen));
    const end = await compare(['run.patience=500ms', 'run.concurrency=2']);
    expect(end).toMatchObject({ status: 'stopped', exitCode: 4, counts: { in_sync: 10, error: 30 } });
    const said = render(end.reason!);
    expect(said).toMatch(/HTTP 429.*run\.patience \(500ms\).*[Rr]un it again/);
    expect(said).not.toContain('resume');
  });
});

it('questions of one inquiry wait together: at most one probe is in progress', async () => {
  turnsAway(1, 2_000, busy(), listed);
  const connection = platform.connection();
  const client = await createClient({ connection, concurrency: 8 });
  try {
    const run: JobBase['run'] = {
      concurrency: 8,
      timeoutMs: 5_000,
      retries: 0,
      patienceMs: 60_000,
      onInvalid: 'abort',
      stopAfterFailures: 50,
    };
    const inquiry = new Inquiry({ client, connection, job: { run }, clock: systemClock });
    const ask = (at: number) => inquiry.ask(operationNamed('asset.list'), { enterpriseGlobalId: `E${at}` });
    const answers = await Promise.all(Array.from({ length: 30 }, (_, at) => ask(at)));
    expect(answers.map((it) => it.kind)).toEqual(Array(30).fill('records'));
    expect(inquiry.made.retries).toBe(0);
    // All thirty were on their way when the pause began; after that only probes.
    expect(platform.seen.length).toBeLessThanOrEqual(30 + 30 + 12);
  } finally {
    await client.close();
  }
});
