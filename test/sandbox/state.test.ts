import { appendFile, mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { seedDeletable, seedLock } from '../../src/sandbox/seed.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/serve.js';
import { batch, call, deletion, newBuy, PATHS, product, started } from './support.js';

let folder: string;
let stateFile: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sandbox-'));
  stateFile = join(folder, 'state.ndjson');
});

afterEach(() => rm(folder, { recursive: true }));

async function everything(sandbox: Sandbox): Promise<void> {
  const big = 9_007_199_254_740_993n;
  const text = JSON.stringify(
    batch([newBuy('1', { assets: [{ assetNos: ['1'], limitEndDate: 'BIG', products: [product()] }] })]).body,
  ).replace('"BIG"', String(big));
  await call(sandbox, PATHS.batchOrder, {
    method: 'POST',
    body: text,
    query: { appKey: 'a' },
    nonce: 'order-nonce',
  });
  const gone = deletion('delete_asset', [{ assetNos: [seedDeletable(2).assetNum] }]);
  await call(sandbox, PATHS.batchOrder, batch([gone], 'SO-2'));
  await call(sandbox, PATHS.shellnums, { body: { size: 4 } });
  await call(sandbox, PATHS.lock, { body: { assetNums: [seedLock(1).assetNum], operatorIdentity: 'x' } });
  const customer = { crmCustomerId: 'CRM-N', customerName: '甲', branchName: '乙' };
  await call(sandbox, PATHS.create, { body: customer });
  await call(sandbox, PATHS.update, { body: { ...customer, customerName: '丙' } });
  const claim = { identity: 'a@b.cn', activityLabel: 'x', source: 's', branch: 'b' };
  await call(sandbox, PATHS.activity, { body: claim });
}

async function seen(sandbox: Sandbox) {
  const { orders, byType, duplicates, repeatedContents, effects } = sandbox.stats();
  return {
    counts: { orders, byType, duplicates, repeatedContents, effects },
    carried: (await call(sandbox, '/sandbox/orders')).text,
    bought: (await call(sandbox, PATHS.list('ENT-X77'))).text,
    seeded: (await call(sandbox, PATHS.list('ENT-0001'))).text,
    other: (await call(sandbox, PATHS.list('ENT-0002'))).text,
  };
}

it('knows after a restart what it had executed', async () => {
  const first = await startSandbox({ stateFile });
  await everything(first);
  const before = await seen(first);
  await first.close();
  expect(before.bought).toContain('"limitEndTime":9007199254740993,');
  const second = await started({ stateFile });
  expect(await seen(second)).toEqual(before);
  expect(before.counts).toMatchObject({
    orders: 2,
    effects: { numbers: 4, locks: 1, claims: 1, updates: 1 },
  });
  const next = await call(second, PATHS.shellnums, { body: { size: 1 } });
  expect(next.json.data).toEqual(['8600000005']);
  const replayed = await call(second, PATHS.batchOrder, { ...batch([newBuy('1')]), nonce: 'order-nonce' });
  expect(replayed.json).toMatchObject({ code: '13004', message: expect.stringContaining('used before') });
});

it('has each effect in the file when its reply arrives, and counts repeats over restarts', async () => {
  const first = await startSandbox({ stateFile });
  await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      call(first, PATHS.batchOrder, batch([newBuy('7')], `SO-${index}`)),
    ),
  );
  // Read while the sandbox is running, as a killed one would leave it.
  const copy = join(folder, 'copy.ndjson');
  await writeFile(copy, await readFile(stateFile));
  await first.close();
  const second = await started({ stateFile: copy });
  expect(second.stats()).toMatchObject({ orders: 40, duplicates: 0, repeatedContents: 39 });
  await call(second, PATHS.batchOrder, batch([newBuy('7')], 'SO-12'));
  expect(second.stats()).toMatchObject({ orders: 41, duplicates: 1 });
  expect((await stat(stateFile)).mode & 0o777).toBe(0o600);
});

it('executes nothing of a line that a kill left unfinished', async () => {
  const first = await startSandbox({ stateFile });
  await call(first, PATHS.shellnums, { body: { size: 2 } });
  await call(first, PATHS.shellnums, { body: { size: 3 } });
  await first.close();
  await truncate(stateFile, (await stat(stateFile)).size - 5);
  const second = await startSandbox({ stateFile });
  expect(second.stats().effects.numbers).toBe(2);
  await call(second, PATHS.shellnums, { body: { size: 10 } });
  await second.close();
  expect((await started({ stateFile })).stats().effects.numbers).toBe(12);
});

it('replays a line longer than what is read at once', async () => {
  const first = await startSandbox({ stateFile });
  const orders = Array.from({ length: 500 }, (_, index) => newBuy(`A${index}`, { sequence: index }));
  expect((await call(first, PATHS.batchOrder, batch(orders))).json.data).toHaveLength(500);
  await first.close();
  expect((await stat(stateFile)).size).toBeGreaterThan(2 * 65_536);
  expect((await started({ stateFile })).stats()).toMatchObject({
    orders: 500,
    effects: { assetsCreated: 500 },
  });
});

it('refuses files that are not its own, are damaged, or keep other units', async () => {
  const code = async (options: object) =>
    startSandbox({ stateFile, ...options }).then(
      () => 'started',
      (error) => `${error.kind} ${error.detail.code} ${error.detail.params.line ?? ''}`.trim(),
    );
  await writeFile(stateFile, 'name,value\n');
  expect(await code({})).toBe('usage sandbox.state_foreign');
  await writeFile(stateFile, '{"a":1}\n');
  expect(await code({})).toBe('usage sandbox.state_foreign');
  await writeFile(stateFile, 'precious');
  expect(await code({})).toBe('usage sandbox.state_foreign');
  expect(await readFile(stateFile, 'utf8')).toBe('precious');
  await rm(stateFile);
  const first = await startSandbox({ stateFile });
  await first.close();
  expect(await code({ timestamps: 'seconds' })).toBe('usage sandbox.state_unit');
  await appendFile(stateFile, '{"effect":\n');
  expect(await code({})).toBe('usage sandbox.state_broken 2');
  await truncate(stateFile, (await stat(stateFile)).size - '{"effect":\n'.length);
  await appendFile(stateFile, '{"effect":{"kind":"orders"},"at":0,"nonce":"n"}\n');
  expect(await code({})).toBe('usage sandbox.state_broken 2');
  expect(await code({ stateFile: join(folder, 'none', 'x') })).toBe('usage sandbox.state_unreadable');
  expect(await code({ stateFile: folder })).toBe('usage sandbox.state_unreadable');
});
