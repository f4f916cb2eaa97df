import { mkdir, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { render } from '../../src/errors/message.js';
import { scopeOf } from '../../src/ledger/rules/scopes.js';
import { takeLock } from '../../src/ledger/take-lock.js';
import type { ReconcileEnd } from '../../src/reconcile/services.js';
import { StopSignal } from '../../src/util/stop-signal.js';
import { type Answer, FakePlatform, type Seen } from '../support/fake-platform.js';
import { Fixture } from '../support/job-runs.js';
import { orderJob } from '../support/orders.js';
import { readSheet } from '../support/read-sheet.js';
import { reconcileJob } from '../support/reconcile-fixture.js';

let fixture: Fixture;
let platform: FakePlatform;
let answer: (seen: Seen) => Answer;

interface Asset {
  readonly assetNum: string | null;
  locked?: boolean;
}

/** By enterprise. */
let assets: Record<string, Asset[]>;

beforeEach(async () => {
  fixture = await Fixture.open();
  assets = { E1: [{ assetNum: 'L1', locked: false }], E2: [{ assetNum: 'L2', locked: false }] };
  answer = carriedOut;
  platform = await new FakePlatform((seen) => answer(seen)).start();
});

afterEach(async () => {
  await platform.stop();
  await fixture.close();
});

const isList = (seen: Seen): boolean => seen.path.endsWith('/list');
const enterpriseOf = (seen: Seen): string => seen.path.split('/').at(-2) ?? '';
const listed = (data: readonly object[]): Answer => ({ body: { code: 0, message: 'success', data } });

/** A platform that replies as configured. */
function carriedOut(seen: Seen): Answer {
  if (isList(seen)) {
    const found = assets[enterpriseOf(seen)] ?? [];
    return listed(found.map((it, index) => ({ id: `id-${index}`, ...it })));
  }
  const numbers = seen.body.assetNums as string[];
  for (const it of Object.values(assets).flat()) if (numbers.includes(it.assetNum ?? '')) it.locked = true;
  return listed(numbers.map((assetNum) => ({ assetNum, status: 1 })));
}

const ONE_BY_ONE = `  - on: different
    operation: asset.lock
    batch: { size: 1 }
    map: { assetNums: Lock, operatorIdentity: { value: ops } }
`;

const job = (actions = ONE_BY_ONE): string => `version: 1
name: locks
reconcile: asset
source: { file: locks.csv }
key: { enterpriseGlobalId: Enterprise, assetNum: Lock }
expect: { locked: Locked }
run: { retries: 0, concurrency: 1 }
actions:
${actions}`;

/** An order for each missing asset. */
const ORDERING = job(
  orderJob({ channelOrderId: 'Lock' })
    .replace(/^[\s\S]*?\nmap:/, '  - on: missing\n    operation: order.new_buy\n    map:')
    .replaceAll('each: [Order]', 'each: [Lock]')
    .replaceAll('each: [Asset]', 'each: [Lock]')
    .replaceAll('assetNos: Asset', 'assetNos: Lock')
    .replace('customerName: Customer', 'customerName: { value: C }')
    .replace('limitConcurrent: Nodes', 'limitConcurrent: { value: 1 }')
    .replace(/\n( {2,}\S)/g, '\n    $1')
    .replace('    operation', 'operation')
    .replace('        operation', '    operation')
    .replace('        map:', '    map:'),
);

async function go(
  lines: readonly string[],
  options: Partial<Parameters<typeof reconcileJob>[2]> & { readonly job?: string } = {},
): Promise<{ readonly end: ReconcileEnd; readonly rows: readonly Record<string, string>[] }> {
  const { job: text = job(), ...rest } = options;
  await fixture.file('locks.csv', ['Enterprise,Lock,Locked', ...lines, ''].join('\n'));
  const file = await fixture.file('job.yaml', text);
  const end = await reconcileJob(fixture, file, { connection: platform.connection(), ...rest });
  return { end, rows: await readSheet(end.output) };
}

const BOTH = ['E1,L1,TRUE', 'E2,L2,TRUE'];

describe('a row is in sync only where nothing speaks against it', () => {
  test('all records of one number have to be as expected, in whatever order they come', async () => {
    for (const locked of [
      [true, false],
      [false, true],
    ]) {
      assets = { E1: locked.map((it) => ({ assetNum: 'L1', locked: it })) };
      const { end, rows } = await go(['E1,L1,TRUE']);
      expect(end).toMatchObject({ exitCode: 1, counts: { different: 1 } });
      expect(rows[0]).toMatchObject({ differences: 'locked: expected TRUE, actual FALSE' });
      expect(rows[0]?.message).toContain('2 records named L1');
    }
    assets = { E1: [true, true].map((locked) => ({ assetNum: 'L1', locked })) };
    expect((await go(['E1,L1,TRUE'])).end).toMatchObject({ exitCode: 0, counts: { in_sync: 1 } });
  });

  test('next to a record without a number nothing is called missing, so nothing is ordered for it', async () => {
    assets = { E1: [{ assetNum: 'L1', locked: true }, { assetNum: null }] };
    const lines = ['E1,L1,TRUE', 'E1,L9,TRUE'];
    const { end, rows } = await go(lines, { job: ORDERING, apply: true });
    expect(end).toMatchObject({ exitCode: 1, counts: { in_sync: 1, error: 1 }, actions: [] });
    expect(rows[1]?.message).toContain('it cannot be determined whether L9 is among them');
  });

  test('rows that conflict with each other are reported and lead to no action', async () => {
    const lines = ['E1,L1,TRUE', 'E1,L1,FALSE', 'E1,L1,', 'E2,L2,TRUE'];
    const { end, rows } = await go(lines, { apply: true });
    expect(end).toMatchObject({ exitCode: 1, counts: { error: 2, in_sync: 2 } });
    expect(rows[0]?.message).toContain('row 3 expects another locked of L1');
    expect(rows[1]?.message).toContain('row 2 expects another locked of L1');
    expect(assets.E1).toEqual([{ assetNum: 'L1', locked: false }]);
    const inOneCell = await go(['E1,L1;L3,TRUE', 'E1,L3,FALSE']);
    expect(inOneCell.rows.map((it) => it.status)).toEqual(['error', 'error']);
  });
});

test('a line that may have shifted is not compared, and what it names is not acted upon', async () => {
  const extra = job(
    '  - on: extra\n    operation: asset.lock\n    map: { assetNums: actual.assetNum, operatorIdentity: { value: ops } }\n',
  );
  const { end, rows } = await go(['E1,"L1"x,TRUE', 'E1,L1,TRUE,more', 'E1,L3,TRUE'], {
    job: extra,
    apply: true,
  });
  expect(rows.map((it) => it.status).slice(0, 3)).toEqual(['error', 'error', 'missing']);
  expect(rows[0]?.message).toContain('locks!B2: after the closing quotation mark');
  expect(rows[1]?.message).toContain('locks!D3: the line has more fields');
  expect(end.actions).toEqual([]);
});

test('what an earlier result called extra is extra again, however the result is compared', async () => {
  assets.E1?.push({ assetNum: 'X', locked: false });
  const { end: first } = await go(['E1,L1,FALSE']);
  expect(first).toMatchObject({ exitCode: 1, counts: { in_sync: 1, extra: 1 } });
  const again = job().replace('locks.csv', JSON.stringify(first.output));
  const { end, rows } = await go([], { job: again });
  expect(end).toMatchObject({ exitCode: 1, counts: { in_sync: 1, skipped: 1, extra: 1 } });
  expect(rows.map((it) => it.status)).toEqual(['in_sync', 'skipped', 'extra']);
});

describe('what could not be read again', () => {
  test('reports it, and a refused token stops it: exit 4', async () => {
    let lists = 0;
    answer = (seen) => {
      if (!isList(seen)) return carriedOut(seen);
      lists += 1;
      return lists > 2 ? { status: 401, body: {} } : carriedOut(seen);
    };
    const { end, rows } = await go([...BOTH, 'E2,L8,'], { apply: true });
    expect(end).toMatchObject({ exitCode: 4, status: 'stopped', counts: { different: 2, missing: 1 } });
    expect(end.reason).toMatchObject({
      code: 'reconcile.then_again',
      params: { why: { code: 'platform.unauthorized' } },
    });
    for (const language of ['en', 'zh'] as const) {
      expect(render(end.reason!, language)).toMatch(/HTTP 401.*(?:token|令牌)/);
      expect(render(end.reason!, language)).not.toMatch(/resume/);
    }
    expect(rows.map((it) => it.outcome)).toEqual(['succeeded', 'succeeded', '']);
    expect(rows[0]?.message).toMatch(/shown as before the actions.*token/);
    for (const row of rows.slice(1)) expect(row.message).toContain('shown as before the actions');
  });

  test('is said of what a Ctrl-C came before, extra records too', async () => {
    assets.E2?.push({ assetNum: 'X1', locked: false });
    const stop = new StopSignal();
    answer = (seen) => {
      if (!isList(seen)) stop.stop({ kind: 'interrupted' });
      return carriedOut(seen);
    };
    const extras = ONE_BY_ONE.replace('different', 'extra').replace('Lock,', 'actual.assetNum,');
    const { end, rows } = await go(['E2,L2,FALSE'], { job: job(extras), apply: true, parts: { stop } });
    expect(end).toMatchObject({ exitCode: 130, status: 'interrupted' });
    expect(rows[1]).toMatchObject({ status: 'extra', outcome: 'succeeded' });
    expect(rows[1]?.message).toMatch(/in no row of the source: X1; shown as before the actions/);
  });

  test('is nothing where only the action was stopped: it is read again, as what was sent was sent', async () => {
    answer = (seen) =>
      !isList(seen) && (seen.body.assetNums as string[]).includes('L2')
        ? { status: 403, body: {} }
        : carriedOut(seen);
    const { end, rows } = await go(BOTH, { apply: true });
    expect(end).toMatchObject({ exitCode: 4, status: 'stopped', counts: { in_sync: 1, different: 1 } });
    expect(rows.map((it) => [it.status, it.outcome])).toEqual([
      ['in_sync', 'succeeded'],
      ['different', 'not_sent'],
    ]);
  });
});

describe('actions', () => {
  test('bring the same rows into sync again each time that the platform differs', async () => {
    for (let night = 1; night <= 3; night += 1) {
      assets = { E1: [{ assetNum: 'L1', locked: false }] };
      const { end, rows } = await go(['E1,L1,TRUE'], { apply: true });
      expect(end).toMatchObject({ exitCode: 0, counts: { in_sync: 1 } });
      expect(rows[0]?.differences).toBe('');
    }
    expect(platform.seen.filter((it) => !isList(it))).toHaveLength(3);
  });

  test('an error of a later one hides nothing of what an earlier one sent', async () => {
    const second = ONE_BY_ONE.replace('different', 'different\n    when: row["Lock"] == "L2"');
    const lock = await takeLock(
      fixture.ledger,
      'locks-2-asset-lock',
      scopeOf(platform.connection()),
      'by-hand',
    );
    try {
      const first = ONE_BY_ONE.replace('different', 'different\n    when: row["Lock"] == "L1"');
      const { end, rows } = await go(BOTH, { job: job(first + second), apply: true });
      expect(end).toMatchObject({ exitCode: 4, status: 'stopped', counts: { in_sync: 1, different: 1 } });
      expect(end.actions.map((it) => [it.status, it.counts])).toEqual([
        ['completed', { succeeded: 1 }],
        ['stopped', { not_sent: 1 }],
      ]);
      expect(rows.map((it) => it.outcome)).toEqual(['succeeded', 'not_sent']);
    } finally {
      await lock.release();
    }
  });

  test('an order that is withheld because an earlier one is unknown gives exit 6', async () => {
    answer = (seen) => (isList(seen) ? carriedOut(seen) : 'reset');
    const options = { job: ORDERING, apply: true };
    const { end: first } = await go(['E1,L7,'], options);
    expect(first).toMatchObject({ exitCode: 6 });
    expect(first.actions.map((it) => it.counts)).toEqual([{ unknown: 1 }]);
    const asked = platform.seen.length;
    const { end, rows } = await go(['E1,L7,'], options);
    expect(end).toMatchObject({ exitCode: 6, counts: { missing: 1, extra: 1 } });
    expect(rows[0]).toMatchObject({ status: 'missing', outcome: 'skipped' });
    expect(platform.seen.slice(asked).every(isList)).toBe(true);
  });

  test('nothing is sent over a connection without the appKey that orders need', async () => {
    const { appKey: _, ...connection } = platform.connection();
    const sent = go(['E1,L7,'], { job: ORDERING, apply: true, connection });
    await expect(sent).rejects.toMatchObject({ kind: 'usage', detail: { code: 'run.needs_app_key' } });
    expect(platform.seen.every(isList)).toBe(true);
  });
});

test('what a killed reconciliation left of its actions goes with the next one of the job', async () => {
  const { end } = await go(BOTH);
  const actions = path.join(fixture.folder, 'state', 'actions');
  const left = path.join(actions, end.run);
  await mkdir(left, { recursive: true });
  await mkdir(path.join(actions, 'of-another'));
  await go(BOTH);
  await expect(stat(left)).rejects.toThrow('ENOENT');
  expect(await readdir(actions)).toEqual(['of-another']);
});

test('rows that a Ctrl-C came before are counted like those of the result', async () => {
  const stop = new StopSignal();
  stop.stop({ kind: 'interrupted' });
  const { end, rows } = await go(BOTH, { parts: { stop } });
  expect(end).toMatchObject({ exitCode: 130, rows: 2, counts: { error: 2 }, requests: 0 });
  expect(rows).toHaveLength(2);
});
