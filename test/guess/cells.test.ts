import { afterEach, beforeEach, expect, it } from 'vitest';
import type { OperationName } from '../../src/model/operation.js';
import { Fixture } from '../support/job-runs.js';
import { guessAt } from './guessing.js';

let fixture: Fixture;

beforeEach(async () => {
  fixture = await Fixture.open();
});

afterEach(async () => {
  await fixture.close();
});

const ORDERS: OperationName = 'order.new_buy';

/** Field and sureness of each header, as a sheet with these cells is read. */
async function fieldsOf(
  rows: readonly (readonly string[])[],
  operation = ORDERS,
): Promise<Record<string, string>> {
  const input = await fixture.file('sheet.csv', rows.map((it) => it.join(',')).join('\r\n'));
  const { found } = await guessAt(fixture, input, operation);
  return Object.fromEntries(found.columns.map((it) => [it.header, `${it.field} ${it.sure}`]));
}

it.each([
  [['1-0-0', '0-6-0'], 'assets.products.timeDurationExpression'],
  [['12', '24'], 'assets.products.timeUnitQuantity'],
])('a term is what its cells are: %j', async ([first, second], field) => {
  const fields = await fieldsOf([
    ['订单号', '产品名称', '期限'],
    ['1', '计价', first!],
    ['2', '算量', second!],
  ]);
  expect(fields.期限).toMatch(new RegExp(`^${field.replaceAll('.', '\\.')} (?:likely|unsure)$`));
});

it('a unit of time is no company, though it is called the same', async () => {
  const fields = await fieldsOf([
    ['订单号', '产品名称', '单位'],
    ['1', '计价', '年'],
    ['2', '算量', '月'],
  ]);
  expect(fields.单位).toBe('assets.products.timeUnit likely');
});

it.each([
  [['单机证书', '网络证书'], 'licenseType'],
  [['企业', '个人'], 'customerType'],
])('a type is what its cells are: %j', async ([first, second], field) => {
  const fields = await fieldsOf([
    ['订单号', '锁号', '类型'],
    ['1', '8000000001', first!],
    ['2', '8000000002', second!],
  ]);
  expect(fields.类型).toBe(`${field} likely`);
});

it('yes and no are no lock numbers, and days no names', async () => {
  const fields = await fieldsOf([
    ['Order No', 'Lock', 'Customer'],
    ['1', 'yes', '2026-01-01'],
    ['2', 'no', '2026-01-02'],
  ]);
  expect(Object.values(fields).filter((it) => it.endsWith(' sure'))).toEqual(['channelOrderId sure']);
});

it.each([
  ['number and phone of nobody in particular', ['客户编号', '电话'], ['101', '13800000001']],
  ['the same in English', ['Customer No.', 'Phone'], ['101', '13800000001']],
  ['account and e-mail', ['Account', 'E-mail'], ['ann', 'a@example.com']],
])('%s is asked about, never sure', async (_what, headers, cells) => {
  const fields = await fieldsOf([
    ['Order No', ...headers],
    ['1', ...cells],
  ]);
  for (const header of headers) expect(fields[header], header).toMatch(/ (?:likely|unsure)$/);
  const { found } = await guessAt(fixture, `${fixture.folder}/sheet.csv`, ORDERS);
  for (const header of headers) expect(found.text).toContain(`# Is "${header}" the `);
});

it.each([
  ['销售手机', '13800000001'],
  ["Sales rep's e-mail", 'a@example.com'],
  ['Remark', '8000000001'],
])('%s feeds nothing, whatever its cells look like', async (header, cell) => {
  expect(
    await fieldsOf([
      ['Order No', header],
      ['1', cell],
      ['2', cell],
    ]),
  ).not.toHaveProperty([header]);
});

it('the dates of a lock and those of its product are distinguished', async () => {
  const fields = await fieldsOf([
    ['Order No', 'Product name', 'Lock valid from', 'Lock valid until', 'Start date', 'End date'],
    ['1', 'x', '2026-01-01', '2028-01-01', '2026-01-01', '2027-01-01'],
  ]);
  expect(fields).toMatchObject({
    'Lock valid from': 'assets.limitStartDate sure',
    'Lock valid until': 'assets.limitEndDate sure',
    'Start date': 'assets.products.limitStartDate sure',
    'End date': 'assets.products.limitEndDate sure',
  });
  const others = await fieldsOf([
    ['Order No', 'Product name', 'Start date', 'End date', 'Product start date', 'Product end date'],
    ['1', 'x', '2026-01-01', '2028-01-01', '2026-01-01', '2027-01-01'],
  ]);
  expect(others).toMatchObject({
    'Start date': 'assets.limitStartDate likely',
    'Product start date': 'assets.products.limitStartDate sure',
    'Product end date': 'assets.products.limitEndDate sure',
  });
});

it('`Locks wanted` is no lock number: 4 would be ordered as asset 4', async () => {
  const wanted = (header: string, cells: readonly string[]) =>
    fieldsOf([
      ['Order No', 'Product', header],
      ['1', 'a', cells[0]!],
      ['2', 'b', cells[1]!],
    ]);
  expect((await wanted('Locks wanted', ['4', '1']))['Locks wanted'] ?? '').not.toMatch(
    /assetNos (?:sure|likely)/,
  );
  expect((await wanted('Lock numbers', ['8600000001', '8600000002']))['Lock numbers']).toMatch(
    /assetNos sure/,
  );
});
