import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { operationIn, revokedIn, tasksIn } from '../../src/guess/cell-words.js';
import { Fixture } from '../support/job-runs.js';
import { guessAt } from './guessing.js';

let fixture: Fixture;

beforeEach(async () => {
  fixture = await Fixture.open();
});

afterEach(async () => {
  await fixture.close();
});

const LOCKS = 'Lock no.,Operator\r\n8000000001,Li\r\n8000000002,Li\r\n';
const CUSTOMERS = 'CRM客户号,客户名称,分公司,地址\r\n1,甲,北,一路\r\n';

describe('words report what a sheet is for', () => {
  it.each([
    ['unlock list', 'unlock'],
    ['locksToEnable_2026', 'unlock'],
    ['解除锁定', 'unlock'],
    ['locks to disable', 'lock'],
    ['lock request', 'lock'],
    ['欠费停用名单', 'lock'],
    ['Returned dongles', 'revoke'],
    ['退锁申请', 'revoke'],
    ['新购订单', 'buy'],
    ['purchase orders', 'buy'],
    ['new customers', 'create'],
    ['开户', 'create'],
    ['客户更名', 'update'],
    ['客户绑定', 'bind'],
    ['申请资产号', 'numbers'],
  ])('%s is to %s', (text, task) => {
    expect([...tasksIn(text).keys()]).toEqual([task]);
  });

  it.each([
    'locks',
    'Locked',
    'lock list',
    '已停用',
    '未解锁',
    '锁号清单',
    '购买人手机',
    'purchaser',
    '客户清单',
    '不再停用的锁',
    '无需停用',
    '不要启用',
    'blockchain',
    'clock',
  ])('%s asks for nothing', (text) => {
    expect([...tasksIn(text).keys()]).toEqual([]);
  });

  it('of a revocation says of what', () => {
    expect(revokedIn('退锁')).toBe('order.delete_asset');
    expect(revokedIn('Products to revoke')).toBe('order.delete_product');
    expect(revokedIn('returns')).toBeUndefined();
  });

  it('is an operation by its own name only where it is the only one', () => {
    expect(operationIn('asset.unlock.xlsx')).toBe('asset.unlock');
    expect(operationIn('asset_lock')).toBe('asset.lock');
    expect(operationIn('asset.lock or asset.unlock')).toBeUndefined();
  });
});

describe('an operation is reported or asked for, never taken by chance', () => {
  it.each([
    ['locks.csv', LOCKS],
    ['锁号清单.csv', LOCKS],
    ['customers.csv', CUSTOMERS],
  ])('is asked for where nothing says it: %s', async (name, content) => {
    const input = await fixture.file(name, content);
    await expect(guessAt(fixture, input)).rejects.toMatchObject({
      kind: 'usage',
      detail: { code: 'guess.which_operation' },
    });
  });

  it('is asked for where two words conflict with each other, and both are reported', async () => {
    const input = await fixture.file('lock and unlock requests.csv', LOCKS);
    const { detail } = await guessAt(fixture, input).then(
      () => expect.unreachable(),
      (error: unknown) => error as { detail: { code: string; params: Record<string, unknown> } },
    );
    expect(detail.code).toBe('guess.which_operation_said');
    expect(detail.params).toMatchObject({
      candidates: expect.stringMatching(/asset\.(?:un)?lock, asset\.(?:un)?lock/),
    });
  });

  it('is asked for where the cells of the order type and the name of the file differ', async () => {
    const rows = 'Order type,Order no,Customer,Lock no.,Product URI\r\ndelete_asset,1,A,8000000001,x\r\n';
    const input = await fixture.file('new purchases.csv', rows);
    await expect(guessAt(fixture, input)).rejects.toMatchObject({
      detail: { code: 'guess.which_operation_said' },
    });
  });

  it('is never one that creates where only its name is missing', async () => {
    const input = await fixture.file('july.csv', CUSTOMERS);
    const { message } = await guessAt(fixture, input).then(
      () => expect.unreachable(),
      (error: unknown) => error as Error,
    );
    expect(message).toContain('--operation enterprise.update');
  });

  it.each([
    ['锁号,客户,是否停用,操作人', '8100000001,甲,是,王', '8100000002,乙,否,王'],
    ['锁号,停用,操作人', '8100000001,是,王', '8100000002,否,王'],
    ['锁号,停用原因,操作人', '8100000001,欠费,王', '8100000002,丢失,王'],
    ['锁号,锁定客户,操作人', '8100000001,甲,王', '8100000002,乙,王'],
    ['不再停用的锁,操作人', '8100000001,王', '8100000002,王'],
    ['Lock No,Disabled,Operator', '8100000001,yes,w', '8100000002,no,w'],
    ['Lock No,Reason for locking,Operator', '8100000001,lost,w', '8100000002,arrears,w'],
  ])(
    'is asked for where a header says a state, a reason, an attribute or a negation: %s',
    async (...lines) => {
      const input = await fixture.file('list.csv', `${lines.join('\n')}\n`);
      await expect(guessAt(fixture, input)).rejects.toMatchObject({
        detail: { code: 'guess.which_operation' },
      });
    },
  );

  it.each([
    ['停用锁号,操作人', 'asset.lock'],
    ['要启用的锁,操作人', 'asset.unlock'],
    ['Locks to disable,Operator', 'asset.lock'],
  ])('is reported by the header of the locks: %s', async (header, operation) => {
    const input = await fixture.file('list.csv', `${header}\n8100000001,w\n8100000002,w\n`);
    expect((await guessAt(fixture, input)).found.operation).toBe(operation);
  });

  it('a column that says by yes and no whether to do it becomes the condition of the job', async () => {
    const rows = '锁号,是否停用,操作人\n8100000001,是,王\n8100000002,否,王\n';
    const input = await fixture.file('list.csv', rows);
    const { found, job } = await guessAt(fixture, input, 'asset.lock');
    expect(job.source.where?.source).toBe('row["是否停用"] == "是"');
    expect(found.notes.map((it) => it.code)).toContain('guess.where_proposed');
    expect((await guessAt(fixture, input, 'asset.unlock')).job.source.where).toBeUndefined();
    const done = await fixture.file('done.csv', rows.replace('是否停用', '已停用'));
    expect((await guessAt(fixture, done, 'asset.lock')).job.source.where).toBeUndefined();
  });

  it.each([
    ['锁号申领.csv', '部门,申领数量\n甲,3\n乙,2\n', 'asset.numbers'],
    [
      '新客户.csv',
      '渠道编码,渠道客户编号,客户名称,分公司名称,企业主账号名称,安全手机号\nCH,C1,甲,北京,甲集团,13800000001\n',
      'enterprise.bind',
    ],
    [
      '新增客户绑定.csv',
      '渠道编码,渠道客户编号,客户名称,分公司名称,企业主账号名称,安全手机号\nCH,C1,甲,北京,甲集团,13800000001\n',
      'enterprise.bind',
    ],
  ])('is the one that has all its columns: %s', async (name, content, operation) => {
    const input = await fixture.file(name, content);
    expect((await guessAt(fixture, input)).found.operation).toBe(operation);
  });

  it('a mapped order type has its words translated, and rows of another type are not sent', async () => {
    const input = await fixture.file(
      'orders.csv',
      '订单类型,订单号,锁号,产品名称\r\n新购,1,8000000001,甲\r\n退锁,2,8000000002,乙\r\n',
    );
    const { found } = await guessAt(fixture, input, 'order.new_buy');
    expect(found.columns.find((it) => it.header === '订单类型')?.field).toBe('orderType');
    expect(found.text).toMatch(/orderType:\n\s+column: 订单类型\n\s+values:\n\s+新购: new_buy\n/);
    expect(found.text).toMatch(/Rows with 退锁 in "订单类型" are for another operation/);
  });
});
