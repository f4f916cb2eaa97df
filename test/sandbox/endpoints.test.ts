import { describe, expect, it } from 'vitest';
import { checkReply } from '../../src/platform/wire/check.js';
import { seedCloudAsset, seedCustomerName, seedLock } from '../../src/sandbox/seed.js';
import { ENDPOINTS } from '../support/endpoints.js';
import { call, PATHS, started } from './support.js';

const success = { code: 0, message: 'success' };

describe('customers', () => {
  const binding = {
    channelCode: 'CH09',
    channelCustomerId: '000123',
    customerName: '三亚建工',
    branchName: '海南',
    enterpriseName: '三亚建工集团',
    passwordMobile: '13900000000',
  };

  it('binds a customer to a main account, and finds it again', async () => {
    const sandbox = await started();
    const { status, json } = await call(sandbox, PATHS.bind, { body: binding });
    expect(status).toBe(200);
    expect(json).toMatchObject(success);
    expect(checkReply(ENDPOINTS.bind.reply, json.data)).toEqual([]);
    expect(json.data).toMatchObject({
      channelCustomerId: '000123',
      enterpriseName: '三亚建工集团',
      isDefault: true,
    });
    const found = await call(sandbox, PATHS.query, {
      query: { channelCode: 'CH09', channelCustomerId: '000123', defaultCustomer: 'N' },
    });
    expect(found.json.data).toEqual([json.data]);
  });

  it('binds again when asked again, not as the default, and counts it', async () => {
    const sandbox = await started();
    const first = await call(sandbox, PATHS.bind, { body: binding });
    const second = await call(sandbox, PATHS.bind, { body: binding });
    expect(second.json.data.enterpriseGlobalId).toBe(first.json.data.enterpriseGlobalId);
    expect(second.json.data.isDefault).toBe(false);
    expect(sandbox.stats().effects).toMatchObject({ binds: 2, duplicateBinds: 1 });
  });

  it('queries the default customer or all', async () => {
    const sandbox = await started();
    const ask = async (defaultCustomer: string, channelCustomerId = 'CH-0001') =>
      (
        await call(sandbox, PATHS.query, {
          query: { channelCode: 'CH01', channelCustomerId, defaultCustomer },
        })
      ).json;
    expect((await ask('Y')).data).toHaveLength(1);
    const all = (await ask('N')).data;
    expect(all.map((it: { isDefault: boolean }) => it.isDefault)).toEqual([true, false]);
    expect(checkReply(ENDPOINTS.query.reply, all)).toEqual([]);
    expect((await ask('N', 'nobody')).data).toEqual([]);
    expect(await ask('maybe')).toMatchObject({
      code: '13004',
      message: expect.stringContaining('defaultCustomer'),
    });
  });

  it('creates a main account with members', async () => {
    const sandbox = await started();
    const body = { crmCustomerId: 'CRM-9001', customerName: '文昌置业', branchName: '海南' };
    const { json } = await call(sandbox, PATHS.create, { body });
    expect(checkReply(ENDPOINTS.create.reply, json.data)).toEqual([]);
    expect(json.data).toMatchObject({ defaultType: true, members: [{}, {}] });
    const again = await call(sandbox, PATHS.create, { body });
    expect(again.json.data.defaultType).toBe(false);
    expect(sandbox.stats().effects).toMatchObject({ creates: 2, duplicateCreates: 1 });
  });

  it('updates what a CRM number stands for, and refuses an unknown one with 299', async () => {
    const sandbox = await started();
    const body = { crmCustomerId: 'CRM-0002', customerName: '新名称', branchName: 'B', address: 'A' };
    const { json } = await call(sandbox, PATHS.update, { body });
    expect(json).toEqual(success);
    const found = await call(sandbox, PATHS.query, {
      query: { channelCode: 'CH01', channelCustomerId: 'CH-0002', defaultCustomer: 'Y' },
    });
    expect(found.json.data[0].enterpriseName).toBe('新名称');
    const refused = await call(sandbox, PATHS.update, { body: { ...body, crmCustomerId: 'CRM-none' } });
    expect(refused.status).toBe(299);
    expect(refused.json).toMatchObject({ code: '20001', message: expect.stringContaining('CRM-none') });
    expect(refused.json.cause).toEqual(expect.any(String));
  });
});

describe('locks', () => {
  it('gives each status its due', async () => {
    const sandbox = await started();
    const numbers = [1, 61, 121, 151, 161].map((it) => seedLock(it).assetNum);
    const body = { assetNums: [...numbers, '8199999999'], operatorIdentity: 'ops@example.com' };
    const { json } = await call(sandbox, PATHS.lock, { body });
    expect(json.data.map((it: { status: number }) => it.status)).toEqual([1, 1, 4, 3, 1, 2]);
    expect(checkReply(ENDPOINTS.lock.reply, json.data)).toEqual([]);
    const listed = await call(sandbox, PATHS.list(seedLock(1).enterpriseGlobalId));
    expect(listed.json.data.find((it: { assetNum: string }) => it.assetNum === numbers[0]).locked).toBe(true);
  });

  it('unlocks, and says success for a lock that is open already', async () => {
    const sandbox = await started();
    const assetNums = [seedLock(181).assetNum, seedLock(1).assetNum];
    const { json } = await call(sandbox, PATHS.unlock, { body: { assetNums, operatorIdentity: '李雷' } });
    expect(json.data).toEqual(assetNums.map((assetNum) => ({ assetNum, status: 1 })));
    expect(sandbox.stats().effects).toMatchObject({ locks: 0, unlocks: 2 });
  });
});

describe('assets', () => {
  it('lists the assets of an enterprise, by extension too', async () => {
    const sandbox = await started();
    const { json } = await call(sandbox, PATHS.list('ENT-0050'));
    expect(checkReply(ENDPOINTS.assetList.reply, json.data)).toEqual([]);
    const cloud = json.data.filter((it: { assetNum: string }) => it.assetNum.startsWith('85'));
    expect(cloud).toHaveLength(5);
    const gxxp = await call(sandbox, PATHS.list('ENT-0050'), { query: { extendCode: 'gxxp' } });
    expect(gxxp.json.data).toHaveLength(1);
    expect(gxxp.json.data[0]).toMatchObject({
      assetNum: seedCloudAsset(50, 1).assetNum,
      assetLimits: null,
      assetExtends: [{ extendCode: 'gxxp', extendValue: '1' }],
    });
    expect((await call(sandbox, PATHS.list('ENT none/?'))).json.data).toEqual([]);
  });

  it('keeps its times in seconds when configured so', async () => {
    const [inMs, inSeconds] = await Promise.all([started(), started({ timestamps: 'seconds' })]);
    const first = async (it: typeof inMs) => (await call(it, PATHS.list('ENT-0050'))).json.data[0];
    const [ms, seconds] = [await first(inMs), await first(inSeconds)];
    expect(seconds.createTime).toBe(ms.createTime / 1000);
    expect(seconds.limitEndTime).toBe(Math.floor(ms.limitEndTime / 1000));
  });

  it('hands out numbers of ten digits that continue, and bounds the size', async () => {
    const sandbox = await started();
    const ask = async (size: unknown) => (await call(sandbox, PATHS.shellnums, { body: { size } })).json;
    const [one, two] = [await ask(3), await ask(2)];
    expect([...one.data, ...two.data]).toEqual([1, 2, 3, 4, 5].map((it) => `860000000${it}`));
    for (const size of [0, -1, 10_001, 1.5, '3', null]) {
      expect(await ask(size)).toMatchObject({ code: '13004', message: expect.stringContaining('size') });
    }
    expect((await ask(10_000)).data).toHaveLength(10_000);
    expect(sandbox.stats().effects.numbers).toBe(10_005);
  });
});

it('seeds 200 enterprises of different names', () => {
  const names = Array.from({ length: 200 }, (_, index) => seedCustomerName(index + 1));
  expect(new Set(names).size).toBe(200);
});
