import { expect, it } from 'vitest';
import { message, renderText } from '../../../src/errors/message.js';
import { CellsKinds } from '../../../src/run/cells/cells-kinds.js';

it('counts an error of a group where its cell is, not at each row that is withheld by it', () => {
  const fault = {
    sheet: 'November',
    row: 5,
    column: 18,
    field: 'orderList.assets.limitStartDate',
    message: message('mapping.not_date', { text: '2026/12/13' }),
  };
  const kinds = new CellsKinds();
  for (const [index, row] of [4, 5, 6].entries())
    kinds.add(index, { row, status: 'invalid', faults: [fault], messages: [] }, 'November');
  expect(kinds.list()).toMatchObject([
    { count: 1, rows: 1, first: { row: 5, column: 18, sheet: 'November' } },
  ]);
});

it('counts an error in another sheet at each row that is withheld by it, whatever row it has there', () => {
  const fault = {
    sheet: 'Products',
    row: 5,
    column: 2,
    field: 'orderList.assets.products.productUri',
    message: message('mapping.not_date', { text: 'x' }),
  };
  const kinds = new CellsKinds();
  for (const [index, row] of [4, 5].entries())
    kinds.add(index, { row, status: 'invalid', faults: [fault], messages: [] }, 'November');
  const [kind] = kinds.list();
  expect(kind).toMatchObject({ count: 2, rows: 2, first: { row: 4, sheet: 'Products' } });
  expect(kind!.first.column).toBeUndefined();
});

it('shows what its errors have in common, also of a value that is a text in both languages', () => {
  const fault = (row: number) => ({
    sheet: 'November',
    row,
    column: 3,
    field: 'orderList.customerType',
    message: message('mapping.not_allowed', {
      text: 'compny',
      allowed: { en: '1 (company)', zh: '1（company）' },
    }),
  });
  const kinds = new CellsKinds();
  for (const row of [2, 3])
    kinds.add(row - 2, { row, status: 'invalid', faults: [fault(row)], messages: [] }, 'November');
  const texts = kinds.list().map(({ text }) => [renderText(text, 'en'), renderText(text, 'zh')]);
  expect(texts).toEqual([
    [expect.stringMatching(/allowed are: 1 \(company\)$/), expect.stringContaining('1（company）')],
  ]);
});
