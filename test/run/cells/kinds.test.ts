import { expect, it } from 'vitest';
import { message } from '../../../src/errors/message.js';
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
