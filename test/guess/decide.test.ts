import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { operationIn, revokedIn, tasksIn } from '../../src/guess/purpose.js';
import { Desk } from '../support/job-runs.js';
import { guessAt } from './guessing.js';

let desk: Desk;

beforeEach(async () => {
  desk = await Desk.open();
});

afterEach(async () => {
  await desk.close();
});

const LOCKS = 'Lock no.,Operator\r\n8000000001,Li\r\n8000000002,Li\r\n';
const CUSTOMERS = 'CRM客户号,客户名称,分公司,地址\r\n1,甲,北,一路\r\n';

describe('words tell what a sheet is for', () => {
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

describe('an operation is told or asked for, never taken by chance', () => {
  it.each([
    ['locks.csv', LOCKS],
    ['锁号清单.csv', LOCKS],
    ['customers.csv', CUSTOMERS],
  ])('is asked for where nothing tells: %s', async (name, content) => {
    const input = await desk.file(name, content);
    await expect(guessAt(desk, input)).rejects.toMatchObject({
      kind: 'usage',
      detail: { code: 'guess.which_operation' },
    });
  });

  it('is asked for where two words contradict each other, and both are told', async () => {
    const input = await desk.file('lock and unlock requests.csv', LOCKS);
    const { detail } = await guessAt(desk, input).then(
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
    const input = await desk.file('new purchases.csv', rows);
    await expect(guessAt(desk, input)).rejects.toMatchObject({
      detail: { code: 'guess.which_operation_said' },
    });
  });

  it('is never one that creates where only its name is missing', async () => {
    const input = await desk.file('july.csv', CUSTOMERS);
    const { message } = await guessAt(desk, input).then(
      () => expect.unreachable(),
      (error: unknown) => error as Error,
    );
    expect(message).toContain('--operation enterprise.update');
  });

  it('a mapped order type has its words translated, and rows of another type are not sent', async () => {
    const input = await desk.file(
      'orders.csv',
      '订单类型,订单号,锁号,产品名称\r\n新购,1,8000000001,甲\r\n退锁,2,8000000002,乙\r\n',
    );
    const { found } = await guessAt(desk, input, 'order.new_buy');
    expect(found.columns.find((it) => it.header === '订单类型')?.field).toBe('orderType');
    expect(found.text).toMatch(/orderType:\n\s+column: 订单类型\n\s+values:\n\s+新购: new_buy\n/);
    expect(found.text).toMatch(/Rows with 退锁 in "订单类型" are for another operation/);
  });
});
