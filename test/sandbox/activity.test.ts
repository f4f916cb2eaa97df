import { expect, it } from 'vitest';
import { RESERVED_LABELS } from '../../src/platform/operations/activity/activity.sandbox.js';
import { checkReply } from '../../src/platform/wire/check.js';
import { ENDPOINTS } from '../support/endpoints.js';
import { call, PATHS, started } from './support.js';

const claim = (activityLabel: string, identity = '13800000000') => ({
  body: { identity, activityLabel, source: 'example.com', branch: '海南' },
});

it('gives the products of an activity, outside the order envelope', async () => {
  const sandbox = await started();
  const { status, json } = await call(sandbox, PATHS.activity, claim('spring'));
  expect(status).toBe(200);
  expect(json.code).toBeUndefined();
  expect(json.resultCode).toBe('0000');
  expect(checkReply(ENDPOINTS.activity.reply, json)).toEqual([]);
  expect(json.detail.products.map((it: { activateType: string }) => it.activateType)).toEqual(['0', '1']);
  expect(json.detail.products[0].limitEndDate).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
});

it.each(Object.entries(RESERVED_LABELS))('reaches result code by label %s: %s', async (label, code) => {
  const sandbox = await started();
  const { status, json } = await call(sandbox, PATHS.activity, claim(label));
  expect([status, json.resultCode]).toEqual([200, code]);
  expect(json.resultMessage).toEqual(expect.any(String));
  expect('activityDtoList' in json).toBe(code === '3002');
  expect(sandbox.stats().effects.claims).toBe(0);
});

it('knows four forms of identity', async () => {
  const sandbox = await started();
  for (const identity of ['a@b.cn', '+86 13800000000', 'company_admin', '8100000001']) {
    expect((await call(sandbox, PATHS.activity, claim('x', identity))).json.resultCode).toBe('0000');
  }
  for (const identity of ['12', '张三', 'a b', '', '@x']) {
    expect((await call(sandbox, PATHS.activity, claim('x', identity))).json.resultCode).toBe('1004');
  }
});

it('lets one identity claim an activity three times', async () => {
  const sandbox = await started();
  const codes: string[] = [];
  let last: Awaited<ReturnType<typeof call>> | undefined;
  for (let time = 0; time < 4; time += 1) {
    last = await call(sandbox, PATHS.activity, claim('spring'));
    codes.push(last.json.resultCode);
  }
  expect(codes).toEqual(['0000', '0000', '0000', '3002']);
  expect(checkReply(ENDPOINTS.activity.reply, last?.json)).toEqual([]);
  expect(last?.json.activityDtoList[0]).toMatchObject({
    participateResult: false,
    engineSubActivityDtos: [{ errorCode: 14005, participateResult: false }],
  });
  expect((await call(sandbox, PATHS.activity, claim('autumn'))).json.resultCode).toBe('0000');
  expect(sandbox.stats().effects.claims).toBe(4);
});

it('says 1001 where the order service says 13004', async () => {
  const sandbox = await started();
  const missing = await call(sandbox, PATHS.activity, { body: { identity: 'a@b.cn' } });
  expect(missing.status).toBe(200);
  expect(missing.json).toMatchObject({
    resultCode: '1001',
    resultMessage: expect.stringContaining('activityLabel is required'),
  });
  const nonce = 'again';
  await call(sandbox, PATHS.activity, { ...claim('x'), nonce });
  expect((await call(sandbox, PATHS.activity, { ...claim('x'), nonce })).json.resultCode).toBe('1001');
});
