import { describe, expect, it } from 'vitest';
import { ProductError } from '../../src/errors/product-error.js';
import { FAULT_KIND_NAMES, faultOf, parseFaults } from '../../src/sandbox/faults.js';
import { seedLock } from '../../src/sandbox/seed.js';
import type { Sandbox } from '../../src/sandbox/serve.js';
import { batch, call, type Got, newBuy, PATHS, started } from './support.js';

const numbers = Array.from({ length: 20_000 }, (_, index) => index + 1);

function refused(spec: string): ProductError {
  try {
    parseFaults(spec);
  } catch (error) {
    if (error instanceof ProductError) return error;
  }
  throw new Error(`${spec} was taken`);
}

describe('the fault list', () => {
  it('is read whole', () => {
    const plan = parseFaults(' reset-after=0.25, hang=.5 ,code-500@7,seed=9,after=10,until=20,');
    expect(plan).toEqual({
      rates: [
        { kind: 'reset-after', rate: 0.25 },
        { kind: 'hang', rate: 0.5 },
      ],
      exact: new Map([[7, 'code-500']]),
      seed: 9,
      after: 10,
      until: 20,
    });
    expect(parseFaults('').rates).toEqual([]);
  });

  it('names the bad word, the nearest kind, and all kinds', () => {
    const error = refused('hang=0.1,reset-aftr=0.2');
    expect(error.kind).toBe('usage');
    expect(error.detail).toMatchObject({
      code: 'sandbox.fault_kind_near',
      params: { word: 'reset-aftr', near: 'reset-after' },
    });
    for (const kind of FAULT_KIND_NAMES) expect(error.message).toContain(kind);
    expect(refused('toString=1').detail.code).toBe('sandbox.fault_kind');
  });

  it.each([
    'hang',
    'hang=2',
    'hang=-0.1',
    'hang=',
    'hang=1e-1',
    'hang@0',
    'hang@x',
    'seed=x',
    'after=-1',
    '=1',
    'seed@1',
  ])('refuses %s', (spec) => {
    expect(refused(spec).detail.code).toMatch(/^sandbox\.fault_(form|kind)/);
  });

  it('strikes at its rate, the same for the same seed, within its bounds', () => {
    const plan = parseFaults('hang=0.2,drip=0.1,seed=3,after=100,until=15000');
    const struck = numbers.map((it) => faultOf(plan, it));
    const share = (kind: string) => struck.filter((it) => it === kind).length / 14_900;
    expect(share('hang')).toBeGreaterThan(0.18);
    expect(share('hang')).toBeLessThan(0.22);
    expect(share('drip')).toBeGreaterThan(0.07);
    expect(share('drip')).toBeLessThan(0.09);
    expect(struck.slice(0, 100).every((it) => it === undefined)).toBe(true);
    expect(struck.slice(15_000).every((it) => it === undefined)).toBe(true);
    expect(numbers.map((it) => faultOf(plan, it))).toEqual(struck);
    const other = parseFaults('hang=0.2,drip=0.1,seed=4,after=100,until=15000');
    expect(numbers.map((it) => faultOf(other, it))).not.toEqual(struck);
  });

  it('strikes exactly where it is configured', () => {
    const plan = parseFaults('hang@3,until=0');
    expect([2, 3, 4].map((it) => faultOf(plan, it))).toEqual([undefined, 'hang', undefined]);
  });
});

const buy = (sandbox: Sandbox, timeoutMs = 5_000) =>
  call(sandbox, PATHS.batchOrder, { ...batch([newBuy('1'), newBuy('2', { sequence: 2 })]), timeoutMs });

/** One request to a sandbox whose first request meets the fault. */
async function struck(kind: string): Promise<{ sandbox: Sandbox; got: Promise<Got> }> {
  const sandbox = await started({ faults: parseFaults(`${kind}@1`) });
  return { sandbox, got: buy(sandbox) };
}

describe('an error', () => {
  it.each([
    ['reset-before', 0],
    ['reset-after', 2],
    ['truncated', 2],
  ])('%s breaks the connection with %i orders executed', async (kind, orders) => {
    const { sandbox, got } = await struck(kind);
    await expect(got).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(sandbox.stats()).toMatchObject({
      orders,
      faults: { [kind]: { injected: 1, carriedOut: orders > 0 ? 1 : 0 } },
    });
    expect((await buy(sandbox)).json.code).toBe(0);
  });

  it.each(['hang', 'drip'])('%s keeps the client waiting, though the orders are executed', async (kind) => {
    const sandbox = await started({ faults: parseFaults(`${kind}@1`) });
    const begun = performance.now();
    const got = await Promise.race([
      buy(sandbox).then(() => 'answered'),
      new Promise((resolve) => setTimeout(() => resolve('waiting'), 600)),
    ]).catch(() => 'cut');
    expect(got).toBe('waiting');
    expect(performance.now() - begun).toBeGreaterThan(500);
    await expect.poll(() => sandbox.stats().orders).toBe(2);
  });

  it.each([
    ['status-400', 400, 0],
    ['status-401', 401, 0],
    ['status-403', 403, 0],
    ['status-408', 408, 0],
    ['status-500', 500, 0],
    ['status-502', 502, 0],
    ['status-503', 503, 0],
    ['status-500-after', 500, 2],
    ['status-504-after', 504, 2],
    ['http-299', 299, 0],
  ])('%s answers %i with %i orders executed', async (kind, status, orders) => {
    const { sandbox, got } = await struck(kind);
    expect((await got).status).toBe(status);
    expect(sandbox.stats().orders).toBe(orders);
  });

  it.each([
    ['code-500', '500', 0],
    ['code-500-after', '500', 2],
    ['code-13004', '13004', 0],
  ])('%s answers business code %s with %i orders executed', async (kind, code, orders) => {
    const { sandbox, got } = await struck(kind);
    const { status, json } = await got;
    expect([status, json.code]).toEqual([200, code]);
    expect(sandbox.stats().orders).toBe(orders);
  });

  it('429 says when to come back; a redirect leads to a trap that counts', async () => {
    const sandbox = await started({
      faults: parseFaults('status-429@1,status-302@2,status-303@3,status-307@4'),
    });
    expect((await buy(sandbox)).headers['retry-after']).toBe('1');
    for (const status of [302, 303, 307]) {
      const got = await buy(sandbox);
      expect([got.status, got.headers.location]).toEqual([status, '/sandbox/elsewhere']);
    }
    expect(sandbox.stats()).toMatchObject({ orders: 2, redirectsFollowed: 0 });
    await call(sandbox, '/sandbox/elsewhere', { method: 'POST' });
    expect(sandbox.stats().redirectsFollowed).toBe(1);
  });

  it('spoils the reply in each way', async () => {
    const kinds = ['missing', 'doubled', 'foreign', 'no-data', 'not-json', 'bignumber', 'oversize'];
    const sandbox = await started({ faults: parseFaults(kinds.map((it, at) => `${it}@${at + 1}`).join()) });
    const replies = new Map<string, Got>();
    for (const kind of kinds) replies.set(kind, await buy(sandbox));
    const sequences = (kind: string) =>
      replies.get(kind)?.json.data.map((it: { sequence: number }) => it.sequence);
    expect(sequences('missing')).toHaveLength(1);
    expect(sequences('doubled')).toHaveLength(3);
    expect(new Set(replies.get('doubled')?.json.data.map((it: object) => JSON.stringify(it))).size).toBe(3);
    expect(new Set(sequences('doubled')).size).toBe(2);
    expect(sequences('foreign')).toEqual([1, 2, 999_999]);
    expect(replies.get('no-data')?.json).toEqual({ code: 0, message: 'success' });
    expect(replies.get('not-json')?.text).toMatch(/^<!doctype/);
    expect(replies.get('bignumber')?.text).toContain(':9007199254740993}');
    expect(replies.get('oversize')?.text.length).toBeGreaterThan(10 * 1024 * 1024);
    expect(sandbox.stats().orders).toBe(2 * kinds.length);
  });

  it('is not counted where the reply has no place for it', async () => {
    const sandbox = await started({ faults: parseFaults('doubled@1,no-data@2,missing@3') });
    const body = { assetNums: [seedLock(1).assetNum], operatorIdentity: 'x' };
    expect((await call(sandbox, PATHS.shellnums, { body: { size: 2 } })).json.data).toHaveLength(2);
    expect((await call(sandbox, PATHS.shellnums, { body: { size: 0 } })).json.code).toBe('13004');
    expect((await call(sandbox, PATHS.lock, { body })).json.data).toEqual([]);
    expect(sandbox.stats().faults).toEqual({ missing: { injected: 1, carriedOut: 1 } });
  });

  it('gives big numbers in asset records exactly', async () => {
    const sandbox = await started({ faults: parseFaults('bignumber@1') });
    const { text } = await call(sandbox, PATHS.list('ENT-0001'));
    expect(text).toContain('"createTime":9007199254740993,');
    expect(text).not.toContain('9007199254740992');
  });

  it('speaks the activity service there', async () => {
    const sandbox = await started({ faults: parseFaults('code-500@1,no-data@2,code-13004@3') });
    const body = { identity: 'a@b.cn', activityLabel: 'x', source: 's', branch: 'b' };
    const codes: unknown[] = [];
    for (let time = 0; time < 3; time += 1)
      codes.push((await call(sandbox, PATHS.activity, { body })).json.resultCode);
    expect(codes).toEqual(['1002', undefined, '1001']);
    expect(sandbox.stats().effects.claims).toBe(1);
  });
});
